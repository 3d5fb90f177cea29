"""Scale: the object to pick grows or shrinks (paper section 5.2, axis 3)."""

from __future__ import annotations

from ..core.edits import Scale
from ..core.scene import Scene
from ..core.world import Task
from ..sim.libero.scene import LiberoFacts
from ..sim.libero.tasks import ROLES
from .contract import AxisCard


class LiberoScale:
    """The one object to place, 6.67 % of its tau_0 size a step; its mass goes with the cube."""

    card = AxisCard(
        id="libero/scale-v1",
        world="libero",
        summary="the object to pick, 6.67 % of its size a step",
        levels=(-3, -2, -1, 0, 1, 2, 3),
        step=0.0667,
        unit="ratio",
        changes="the size of the object to pick",
        source="Inductive Generalization for Robotic Manipulation, section 5.2 (3)",
    )

    def at(self, scene: Scene, k: int) -> Scene:
        """``scene`` with its pick object scaled by ``k`` steps."""
        return scene.edit(Scale(LiberoFacts.of(scene).named("pick"), k, self.card.step))

    def refuses(self, task: Task) -> str | None:
        """Why ``task`` has nothing to scale, from its BDDL file; None where it has."""
        return ROLES[task.name].no_pick()

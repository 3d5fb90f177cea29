"""Pick: the object to pick is moved sideways (paper section 5.2, axis 1)."""

from __future__ import annotations

from ..core.edits import Translate
from ..core.scene import Scene
from ..core.world import Task
from ..sim.libero.scene import LiberoFacts
from ..sim.libero.tasks import ROLES
from .contract import AxisCard


class LiberoPick:
    """The one object to place, 2.5 cm a step along the world's y (to the right in the true view)."""

    card = AxisCard(
        id="libero/pick-v1",
        world="libero",
        summary="the object to pick, 2.5 cm a step along y",
        levels=(-3, -2, -1, 0, 1, 2, 3),
        step=0.025,
        unit="m",
        changes="the position of the object to pick",
        source="Inductive Generalization for Robotic Manipulation, section 5.2 (1)",
        follows="pick",
    )

    def at(self, scene: Scene, k: int) -> Scene:
        """``scene`` with its pick object moved by ``k`` steps."""
        return scene.edit(Translate(LiberoFacts.of(scene).named("pick"), "y", k, self.card.step))

    def refuses(self, task: Task) -> str | None:
        """Why ``task`` has nothing to move, from its BDDL file; None where it has."""
        return ROLES[task.name].no_pick()

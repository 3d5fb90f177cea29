"""Goal: what holds the goal, LIBERO-Object's basket, is moved sideways (paper section 5.2, axis 2)."""

from __future__ import annotations

from ..core.edits import Translate
from ..core.scene import Scene
from ..core.world import Task
from ..sim.libero.scene import LiberoFacts
from ..sim.libero.tasks import ROLES
from .contract import AxisCard


class LiberoGoal:
    """The free body that holds the goal, 3.67 cm a step along the world's y (to the right in the true view).

    In LIBERO-Object that is the basket, which the agentview image's edge crops from level 2 on; elsewhere a plate, a
    bowl or a basket.
    """

    card = AxisCard(
        id="libero/goal-v1",
        world="libero",
        summary="the basket or plate to place into, 3.67 cm a step along y",
        levels=(-3, -2, -1, 0, 1, 2, 3),
        step=0.0367,
        unit="m",
        changes="the position of what holds the goal",
        source="Inductive Generalization for Robotic Manipulation, section 5.2 (2)",
        follows="goal",
    )

    def at(self, scene: Scene, k: int) -> Scene:
        """``scene`` with what holds its goal moved by ``k`` steps."""
        return scene.edit(Translate(LiberoFacts.of(scene).named("goal"), "y", k, self.card.step))

    def refuses(self, task: Task) -> str | None:
        """Why ``task`` has nothing to move, from its BDDL file; None where it has."""
        return ROLES[task.name].no_goal()

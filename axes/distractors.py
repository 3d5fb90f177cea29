"""Distractors: objects that have nothing to do with the task appear one by one (paper section 5.2, Figure 3)."""

from __future__ import annotations

from ..core.edits import Reveal
from ..core.scene import Scene
from ..core.world import Task
from ..sim.libero.scene import revealed
from ..sim.libero.tasks import SUITE
from .contract import AxisCard


class LiberoDistractors:
    """One more grocery a step on LIBERO-Object's floor, clear of the task's objects and of the ways its axes move them.

    They touch nothing, not even the hand: what a policy that sees no pixels does stays the same to the last bit.
    Level k shows the first k of a start's reserve, so that every level holds the one before it.
    """

    card = AxisCard(
        id="libero/distractors-v1",
        world="libero",
        summary="distractors, one more object a step",
        levels=(0, 1, 2, 3),
        step=1.0,
        unit="objects",
        changes="what else is to be seen",
        source="Inductive Generalization for Robotic Manipulation, section 5.2, Figure 3",
    )

    def refuses(self, task: Task) -> str | None:
        """Why there is no place for distractors in ``task``; None where there is."""
        return None if task.suite == SUITE else f"distractors have their places on the floor of {SUITE}"

    def at(self, scene: Scene, k: int) -> Scene:
        """``scene`` with ``k`` more distractors."""
        moved = scene.edit(Reveal(k))
        revealed(moved)
        return moved

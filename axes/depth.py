"""Depth: both chains of blocks that guard BlockEnv's goal grow by one (paper section 5.1, Appendix A)."""

from __future__ import annotations

from ..blockenv.layout import GRID, LARGE
from ..blockenv.scene import level_of
from ..core.edits import Deepen
from ..core.scene import Scene
from .contract import AxisCard


class BlockEnvDepth:
    """One more block at the tip of each chain a step; ``2k`` distractors at level k.

    Args:
        world: the BlockEnv world it belongs to.
        grid: that world's grid, which holds levels up to ``grid - 1``.
    """

    def __init__(self, world: str = "blockenv", grid: int = GRID) -> None:
        self.card = AxisCard(
            id=f"{world}/depth-v1",
            world=world,
            summary="the chains that guard the goal, one block longer a step",
            levels=tuple(range(grid)),
            step=1.0,
            unit="recursion",
            changes="how many blocks must be removed first",
            source="Inductive Generalization for Robotic Manipulation, section 5.1, Appendix A",
        )

    def at(self, scene: Scene, k: int) -> Scene:
        """``scene`` with its chains ``k`` blocks longer."""
        deeper = scene.edit(Deepen(k))
        level_of(deeper)
        return deeper


def large_depth() -> BlockEnvDepth:
    """The axis of the larger grid's world."""
    return BlockEnvDepth(f"blockenv{LARGE}", LARGE)

"""BlockEnv as registered worlds: one task, the paper's grid of 10 and a larger one."""

from __future__ import annotations

from ..core.scene import Scene
from ..core.world import Task, View
from .env import BlockBatch
from .layout import GRID, LARGE, world_layout
from .rules import check_level, step_limit
from .scene import INSTRUCTION, TASK


class BlockWorld:
    """A grid of one size; another size is another world, with an action layout of its own.

    Args:
        grid: side G; levels up to ``grid - 1`` fit.
        id: registered id.

    Raises:
        UsageError: for a grid without cells.
    """

    successes = ("goal_removed",)
    tasks = (Task(TASK, "remove_goal", INSTRUCTION),)

    def __init__(self, grid: int = GRID, id: str = "blockenv") -> None:
        check_level(0, grid)
        self.id, self.grid = id, grid
        self.layout = world_layout(grid)
        self.max_steps = step_limit(grid - 1)

    def starts(self, task: str) -> None:
        """Sampled without end."""

    def open(self, view: View) -> BlockBatch:
        """In this process."""
        return BlockBatch(self.id, self.grid, view)

    def compile_key(self, scene: Scene) -> str:
        """Nothing is compiled."""
        return scene.world


def large_world() -> BlockWorld:
    """The larger grid, for levels that the paper's does not hold."""
    return BlockWorld(LARGE, f"blockenv{LARGE}")

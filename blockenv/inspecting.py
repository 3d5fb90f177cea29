"""What a start of BlockEnv is, read off its grid: its blocks, and whether they lie as the level says."""

from __future__ import annotations

import numpy as np

from ..core.inspection import Inspection
from ..core.scene import Scene
from .hull import HullBroken, check_start
from .rules import EMPTY, GOAL, arrange
from .scene import draw_of, grid_of, level_of


def inspect(scene: Scene) -> Inspection:
    """The start's blocks, named by where they lie from the goal; the goal's own cell is its state.

    A start is broken where its tips do not lie outside the hull of the rest (see :mod:`.hull`).

    Raises:
        SceneError: if the scene is no BlockEnv's.
    """
    level, size = level_of(scene), grid_of(scene)
    grid = arrange(np.array([level]), size, np.array([draw_of(scene)]))[0]
    goal = np.argwhere(grid == GOAL)[0]
    offsets = sorted(np.argwhere((grid != EMPTY) & (grid != GOAL)).tolist(), key=lambda cell: _outward(cell - goal))
    blocks = {f"distractor at ({r - goal[0]:+d}, {c - goal[1]:+d})": "distractor" for r, c in offsets}
    return Inspection(
        problem=_problem(grid, level),
        model={"grid": f"{size} x {size}", "goal": "goal", **blocks},
        state={"goal": (float(goal[0]), float(goal[1]))},
        masses={},
        meaning=f"{scene.instruction}: goal removed",
        reach=None,
        seen={},
    )


def _outward(offset: np.ndarray) -> tuple[int, int]:
    """From the goal outwards, the forward chain's block first."""
    along = int(offset[0] - offset[1])
    return abs(along), -along


def _problem(grid: np.ndarray, level: int) -> str | None:
    try:
        check_start(grid, level)
    except HullBroken as broken:
        return str(broken)
    return None

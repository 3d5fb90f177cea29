"""BlockEnv's rules, for n episodes at once (paper Appendix A): pure functions of arrays.

A grid is (G, G) int8 with rows downwards and columns to the right; ``EMPTY``, ``DISTRACTOR`` and ``GOAL`` are its
values. A grasp is (row, column, theta): theta ``TOP_BOTTOM`` closes along the column, ``LEFT_RIGHT`` along the row.
It is legal where the cell holds a block and both neighbours along that axis are free; out of the grid is free.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from ..core.errors import PolicyError, UsageError

EMPTY, DISTRACTOR, GOAL = 0, 1, 2
TOP_BOTTOM, LEFT_RIGHT = 0, 1
_Level = TypeVar("_Level", int, np.ndarray)
_FORWARD = ((0, -1), (1, 0))
"""(row, column) from block i - 1 to block i of the forward chain: left where i is odd, down where it is even."""


def smallest_grid(level: int) -> int:
    """The smallest G that holds an arrangement of ``level``: its span, ``level + 1`` cells."""
    return level + 1


def step_limit(level: _Level) -> _Level:
    """Grasps an episode has: as many as there are blocks, ``2 * level + 1``, so that no legal order runs out."""
    return 2 * level + 1


def check_level(level: int, grid: int) -> None:
    """Refuse a level that does not fit.

    Raises:
        UsageError: naming the smallest grid that holds it.
    """
    if level < 0:
        raise UsageError("BlockEnv has no such level", got=level, expected="0 or more")
    if grid < smallest_grid(level):
        raise UsageError(
            f"level {level} does not fit a grid of {grid} x {grid}",
            expected=f"a grid of {smallest_grid(level)} at least",
            hint=f"at grid {grid} the last level is {grid - 1}",
        )


def forward_chain(level: int) -> np.ndarray:
    """Offsets (level, 2) of the forward chain's blocks from the goal, the tip last."""
    moves = np.array([_FORWARD[(i + 1) % 2] for i in range(1, level + 1)], dtype=np.int64).reshape(-1, 2)
    return np.cumsum(moves, axis=0)


def flipped_chain(level: int) -> np.ndarray:
    """Offsets (level, 2) of the flipped chain: the forward chain transposed, up where i is odd, right where even."""
    return forward_chain(level)[:, ::-1]


def goals(levels: np.ndarray, grid: int, draws: np.ndarray) -> np.ndarray:
    """Where the goal lies, uniform over the (G - level)^2 placements that keep the arrangement inside.

    Args:
        levels: (n,) levels that fit.
        grid: G.
        draws: (n, 2) in [0, 1): the same draw at another level is the closest there is to the same placement.

    Returns:
        (n, 2) row and column.
    """
    levels = np.asarray(levels, dtype=np.int64)
    shift = np.floor(np.asarray(draws) * (grid - levels)[:, None]).astype(np.int64)
    return shift + ((levels + 1) // 2)[:, None]


def arrange(levels: np.ndarray, grid: int, draws: np.ndarray) -> np.ndarray:
    """Start grids (n, G, G) int8 of ``levels`` (n,), placed by ``draws`` (n, 2) as :func:`goals` says.

    Raises:
        UsageError: if a level does not fit.
    """
    levels = np.asarray(levels, dtype=np.int64)
    deepest = int(levels.max(initial=0))
    check_level(int(levels.min(initial=0)), grid)
    check_level(deepest, grid)
    grids = np.zeros((len(levels), grid, grid), dtype=np.int8)
    places = goals(levels, grid, draws)
    episodes = np.arange(len(levels))
    grids[episodes, places[:, 0], places[:, 1]] = GOAL
    for chain in (forward_chain(deepest), flipped_chain(deepest)):
        for depth, offset in enumerate(chain, start=1):
            deep = levels >= depth
            rows, columns = (places[deep] + offset).T
            grids[episodes[deep], rows, columns] = DISTRACTOR
    return grids


def legality(grids: np.ndarray) -> np.ndarray:
    """Which grasps are legal: (n, G, G, 2) bool, indexed like an action (row, column, theta)."""
    occupied = grids != EMPTY
    blocked = np.pad(occupied, ((0, 0), (1, 1), (1, 1)))
    top_bottom = ~blocked[:, :-2, 1:-1] & ~blocked[:, 2:, 1:-1]
    left_right = ~blocked[:, 1:-1, :-2] & ~blocked[:, 1:-1, 2:]
    return np.stack([occupied & top_bottom, occupied & left_right], axis=-1)


def legal(grids: np.ndarray, grasps: np.ndarray) -> np.ndarray:
    """Whether each episode's grasp (n, 3) int is legal: (n,) bool; :func:`legality` at one place, faster."""
    episodes, size = np.arange(len(grids)), grids.shape[1]
    rows, columns, thetas = grasps.T
    down = 1 - thetas
    free = grids[episodes, rows, columns] != EMPTY
    for side in (-1, 1):
        r, c = rows + side * down, columns + side * thetas
        inside = (r >= 0) & (r < size) & (c >= 0) & (c < size)
        free &= ~inside | (grids[episodes, r % size, c % size] == EMPTY)
    return free


def check_grasps(actions: object, count: int, grid: int) -> np.ndarray:
    """``actions`` as int64 (count, 3).

    Raises:
        PolicyError: wrong shape or dtype, NaN, not whole, or out of range.
    """
    array = np.asarray(actions)
    if array.shape != (count, 3) or array.dtype.kind not in "fiu":
        raise PolicyError(
            "grasps are not (row, column, theta)",
            got=f"{array.dtype} of shape {array.shape}",
            expected=f"whole numbers of shape ({count}, 3)",
        )
    with np.errstate(invalid="ignore"):
        whole = np.isfinite(array) & (array == np.round(array))
    if not whole.all():
        raise PolicyError("a grasp is not whole", got=array[~whole][0], expected="row, column and theta as integers")
    outside = (array < 0) | (array >= np.array([grid, grid, 2]))
    if outside.any():
        row = array[outside.any(axis=1)][0]
        raise PolicyError(
            "a grasp leaves the grid",
            got=f"({', '.join(f'{value:g}' for value in row)})",
            expected=f"row and column in 0..{grid - 1}, theta 0 (top/bottom) or 1 (left/right)",
        )
    return array.astype(np.int64)

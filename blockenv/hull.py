"""The vanilla certificate: what level k + 1 needs first lies outside every block of level k (paper Appendix A).

It holds in the goal's frame; translation takes the absolute cells of every level almost everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.errors import IndgenError
from .rules import EMPTY, GOAL, flipped_chain, forward_chain, legality


class HullBroken(IndgenError):
    """The statement does not hold; no arrangement of this package's can cause it."""


@dataclass(frozen=True)
class Separation:
    """A line between a tip and a whole level.

    Attributes:
        tip: (row, column) from the goal, of a tip of level k + 1.
        normal: what the line's side is measured along.
        level_reach: the farthest of level k's blocks along ``normal``.
        tip_reach: the tip along ``normal``; above ``level_reach``, so the tip is outside level k's convex hull.
    """

    tip: tuple[int, int]
    normal: tuple[int, int]
    level_reach: int
    tip_reach: int


def certify_hull(level: int) -> tuple[Separation, Separation]:
    """That both tips of ``level + 1`` lie strictly outside the convex hull of all of ``level``'s blocks.

    Every block of level k has |row - column| <= k from the goal, and both tips of level k + 1 have k + 1.

    Args:
        level: k, 0 or more.

    Raises:
        HullBroken: if they do not.
    """
    tips = forward_chain(level + 1)[-1], flipped_chain(level + 1)[-1]
    blocks = _blocks(level)
    return _separate(blocks, tips[0], (1, -1)), _separate(blocks, tips[1], (-1, 1))


def check_start(grid: np.ndarray, level: int) -> None:
    """The same of a start as it stands: what can be grasped at first lies outside the hull of all the rest.

    Args:
        grid: (G, G), before any grasp.
        level: k; its rest must be level ``k - 1``'s arrangement. At level 0 there is no rest.

    Raises:
        HullBroken: if it is not so.
    """
    goal = np.argwhere(grid == GOAL)
    if len(goal) != 1:
        raise HullBroken("an arrangement has one goal", got=len(goal))
    graspable = legality(grid[None])[0].any(axis=-1)
    tips, rest = np.argwhere(graspable) - goal, np.argwhere((grid != EMPTY) & ~graspable) - goal
    expected = _blocks(level - 1) if level else np.empty((0, 2), dtype=np.int64)
    if len(tips) != (2 if level else 1) or _cells(rest) != _cells(expected):
        raise HullBroken(
            "the arrangement is another",
            got=f"{len(tips)} graspable blocks and {len(rest)} behind them",
            expected=f"{2 if level else 1} and level {level - 1}'s {len(expected)}",
        )
    for tip in tips if level else ():
        _separate(rest, tip, (1, -1) if tip[0] > tip[1] else (-1, 1))


def _blocks(level: int) -> np.ndarray:
    """All blocks of a level, the goal first, as seen from it."""
    return np.concatenate([np.zeros((1, 2), dtype=np.int64), forward_chain(level), flipped_chain(level)])


def _cells(offsets: np.ndarray) -> set[tuple[int, ...]]:
    return {tuple(offset) for offset in offsets.tolist()}


def _separate(blocks: np.ndarray, tip: np.ndarray, normal: tuple[int, int]) -> Separation:
    found = Separation((int(tip[0]), int(tip[1])), normal, int((blocks @ normal).max()), int(tip @ normal))
    if found.tip_reach <= found.level_reach:
        raise HullBroken("a tip is not outside", got=f"{found.tip} along {normal}", expected=f"> {found.level_reach}")
    return found

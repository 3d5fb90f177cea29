"""What networks look at: grids in one-hot, the level as a scalar, grasps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..rules import DISTRACTOR, EMPTY, GOAL

K_MAX = 8
"""The level whose goal scalar is 1 (paper Appendix A: g = k / k_max)."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What has happened so far in n episodes of at most t looks each, padded at the end.

    Attributes:
        grids: (n, t, G, G) int8, at each look.
        grasps: (n, t, 3) int64, what followed each look: labels where there is something to learn.
        levels: (n,) the episodes' levels.
        lengths: (n,) how many looks each episode has, 1 to t.
    """

    grids: np.ndarray
    grasps: np.ndarray
    levels: np.ndarray
    lengths: np.ndarray

    @property
    def grid(self) -> int:
        """Side G."""
        return self.grids.shape[-1]

    @property
    def mask(self) -> np.ndarray:
        """(n, t) bool: which looks are no padding."""
        return np.arange(self.grids.shape[1]) < self.lengths[:, None]

    def last(self) -> np.ndarray:
        """(n, G, G): the latest look of each episode."""
        return self.grids[np.arange(len(self.grids)), self.lengths - 1]

    def singly(self) -> Seen:
        """Every look as an episode of its own, for policies without memory."""
        mask = self.mask
        levels = np.broadcast_to(self.levels[:, None], mask.shape)[mask]
        return Seen(self.grids[mask][:, None], self.grasps[mask][:, None], levels, np.ones(len(levels), dtype=np.int64))

    def latest(self) -> Seen:
        """Of each episode the latest look alone."""
        episodes = np.arange(len(self.grids))
        grasps = self.grasps[episodes, self.lengths - 1]
        return Seen(self.last()[:, None], grasps[:, None], self.levels, np.ones(len(episodes), dtype=np.int64))


def one_hot(grids: np.ndarray, planes: int = 2) -> np.ndarray:
    """(..., G, G) to (..., planes G G) float32: which cells hold a distractor, which the goal, and which are empty.

    With two planes, that a cell is empty shows as zeros in both: the third one says the same again.
    """
    shown = grids[..., None, :, :] == np.array([DISTRACTOR, GOAL, EMPTY][:planes])[:, None, None]
    return shown.reshape(*grids.shape[:-2], -1).astype(np.float32)


def goal_scalar(levels: np.ndarray, steps: int) -> np.ndarray:
    """(n, steps, 1) float32: level / K_MAX at every look."""
    return np.broadcast_to((levels / K_MAX)[:, None, None], (len(levels), steps, 1)).astype(np.float32)


def look(seen: Seen, planes: int = 2) -> np.ndarray:
    """(n, t, planes G G + 1) float32: each look in one-hot beside the goal scalar."""
    return np.concatenate([one_hot(seen.grids, planes), goal_scalar(seen.levels, seen.grids.shape[1])], axis=-1)


def look_width(grid: int, planes: int = 2) -> int:
    """How many numbers a look has."""
    return planes * grid * grid + 1


def occupied(grids: np.ndarray) -> np.ndarray:
    """(..., G, G) bool: which cells hold a block."""
    return grids != EMPTY

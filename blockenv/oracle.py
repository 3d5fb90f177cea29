"""The scripted oracle: along one arm, tip inward, until the goal is free (paper Appendix A)."""

from __future__ import annotations

import numpy as np

from .rules import GOAL, LEFT_RIGHT, TOP_BOTTOM, legality

FORWARD, FLIPPED = 0, 1
"""Arms: the forward chain lies down left of the goal, the flipped one up right of it."""


def oracle_grasps(grids: np.ndarray, arms: np.ndarray) -> np.ndarray:
    """The next grasp of each episode.

    Of the legal grasps it takes the one farthest out along its arm, which is the arm's tip, and the goal once the arm
    is gone. Where the goal stands alone, it takes the orientation that its arm would have freed.

    Args:
        grids: (n, G, G) with a goal and some legal grasp each.
        arms: (n,) ``FORWARD`` or ``FLIPPED``.

    Returns:
        (n, 3) row, column, theta.
    """
    count, size = grids.shape[0], grids.shape[1]
    goal = (grids == GOAL).reshape(count, size * size).argmax(axis=1)
    row, column = np.indices((size, size))
    # Along the forward arm (row - column), as seen from the goal, grows by one a block.
    outward = (row - column)[None] - (goal // size - goal % size)[:, None, None]
    outward = np.where(arms == FORWARD, 1, -1)[:, None, None] * outward
    freed = np.where(arms == FORWARD, LEFT_RIGHT, TOP_BOTTOM)[:, None] == np.arange(2)
    score = 2 * outward[..., None] + freed[:, None, None, :]
    best = np.where(legality(grids), score, -4 * size).reshape(count, 2 * size * size).argmax(axis=1)
    return np.stack(np.unravel_index(best, (size, size, 2)), axis=1)

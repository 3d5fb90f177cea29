"""Many BlockEnv episodes stepped together: the one place where grids change."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from .rules import EMPTY, GOAL, arrange, check_grasps, legal, step_limit


@dataclass(eq=False)
class Episodes:
    """n episodes, each at its own level.

    An illegal grasp changes nothing and costs its step. An episode is over once the goal is removed, or after
    ``limits`` grasps; what is over stays as it is.

    Attributes:
        levels: (n,) blocks in each chain at the start.
        grids: (n, G, G) int8, as they stand.
        limits: (n,) grasps each episode has.
        steps: (n,) grasps tried so far.
        illegal: (n,) how many of them were illegal.
        success: (n,) bool, whether the goal was removed.
    """

    levels: np.ndarray
    grids: np.ndarray
    limits: np.ndarray
    steps: np.ndarray
    illegal: np.ndarray
    success: np.ndarray

    @classmethod
    def start(cls, levels: np.ndarray, grid: int, draws: np.ndarray) -> Episodes:
        """Episodes at their starts.

        Args:
            levels: (n,) levels.
            grid: G.
            draws: (n, 2) in [0, 1), which place the arrangements (:func:`~.rules.goals`).

        Raises:
            UsageError: if a level does not fit.
        """
        levels = np.asarray(levels, dtype=np.int64)
        zeros = np.zeros(len(levels), dtype=np.int64)
        grids = arrange(levels, grid, draws)
        return cls(levels, grids, step_limit(levels), zeros, zeros.copy(), np.zeros(len(levels), dtype=bool))

    def __len__(self) -> int:
        return len(self.grids)

    def take(self, which: np.ndarray) -> Episodes:
        """A copy of the episodes numbered ``which``, (m,) int."""
        return Episodes(*(getattr(self, field.name)[which] for field in fields(self)))

    def put(self, which: np.ndarray, others: Episodes) -> None:
        """``others`` in the places of the episodes numbered ``which``, (m,) int."""
        for field in fields(self):
            getattr(self, field.name)[which] = getattr(others, field.name)

    @property
    def done(self) -> np.ndarray:
        """(n,) bool: which episodes are over."""
        return self.success | (self.steps >= self.limits)

    def step(self, actions: np.ndarray) -> np.ndarray:
        """Try one grasp in every episode that is not over.

        Args:
            actions: (n, 3) whole numbers (row, column, theta); those of episodes that are over are ignored.

        Returns:
            (n,) bool: which grasps removed a block.

        Raises:
            PolicyError: if ``actions`` are no grasps.
        """
        grasps = check_grasps(actions, len(self), self.grids.shape[1])
        live = ~self.done
        removed = legal(self.grids, grasps) & live
        where = np.flatnonzero(removed)
        rows, columns = grasps[where, 0], grasps[where, 1]
        self.success[where] = self.grids[where, rows, columns] == GOAL
        self.grids[where, rows, columns] = EMPTY
        self.steps += live
        self.illegal += live & ~removed
        return removed

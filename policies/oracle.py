"""Oracle: BlockEnv's scripted demonstrator. Never breaks; it reads nothing but the grid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..blockenv.layout import GRID, action_layout, grid_of
from ..blockenv.oracle import oracle_grasps
from ..core.layouts import WorldLayout
from ..core.observation import ActionChunk, Observation
from ..core.slots import Slot
from .contract import PolicyCard, PolicySpec


class Oracle:
    """Removes one arm of BlockEnv's chain, tip inward, then the goal; the arm is drawn uniformly.

    Args:
        layout: the world's layout; a BlockEnv of any grid.
    """

    def __init__(self, layout: WorldLayout) -> None:
        self._grid = grid_of(layout) or GRID
        self._arms: dict[int, int] = {}
        self.spec = PolicySpec(action=action_layout(self._grid).name, state=("grid",), batchable=True, stochastic=True)
        self.card = PolicyCard(
            id="oracle",
            summary="scripted: one arm of BlockEnv's chain, tip inward, then the goal",
            trained_levels=(),
            data="none: the rule that solves every level",
        )

    def reset(self, slots: Sequence[Slot]) -> None:
        """Draw each slot's arm from its seed."""
        self._arms.update({slot.id: int(np.random.default_rng(slot.seed).integers(2)) for slot in slots})

    def act(self, slots: Sequence[Slot], observations: Sequence[Observation], deadline: float) -> list[ActionChunk]:
        """One grasp per slot."""
        del deadline
        grids = np.stack([seen.state["grid"] for seen in observations]).reshape(-1, self._grid, self._grid)
        arms = np.array([self._arms[slot.id] for slot in slots])
        grasps = oracle_grasps(grids, arms).astype(np.float64)
        return [ActionChunk(grasp[None], self.spec.action, 1) for grasp in grasps]

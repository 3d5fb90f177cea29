"""Random: uniform actions. The floor under every success rate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.layouts import WorldLayout
from ..core.observation import ActionChunk, Observation
from ..core.slots import Slot
from .contract import PolicyCard, PolicySpec


class RandomActions:
    """Draws every action uniformly from its range, from the slot's own seed.

    Args:
        layout: the world's layout.
    """

    def __init__(self, layout: WorldLayout) -> None:
        self._layout = layout.action
        self._noise: dict[int, np.random.Generator] = {}
        self.spec = PolicySpec(action=self._layout.name, chunk=1, execute=1, stochastic=True)
        self.card = PolicyCard(id="random", summary="uniform random actions", trained_levels=())

    def reset(self, slots: Sequence[Slot]) -> None:
        """Start each slot's noise from its seed."""
        self._noise.update({slot.id: np.random.default_rng(slot.seed) for slot in slots})

    def act(self, slots: Sequence[Slot], observations: Sequence[Observation], deadline: float) -> list[ActionChunk]:
        """One uniform action per slot."""
        del observations, deadline
        return [ActionChunk(self._draw(self._noise[slot.id])[None], self._layout.name, 1) for slot in slots]

    def _draw(self, noise: np.random.Generator) -> np.ndarray:
        low, high, whole = self._layout.low, self._layout.high, self._layout.whole
        drawn = noise.uniform(low, high + whole)
        return np.where(whole, np.minimum(np.floor(drawn), high), drawn)

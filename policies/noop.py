"""Noop: does nothing. Whatever succeeds under it was never hard."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.layouts import WorldLayout
from ..core.observation import ActionChunk, Observation
from ..core.slots import Slot
from .contract import PolicyCard, PolicySpec


class Noop:
    """Returns the middle of every action range, which moves nothing in a delta layout.

    Where an entry must be whole, the middle is rounded down.

    Args:
        layout: the world's layout.
    """

    def __init__(self, layout: WorldLayout) -> None:
        self._layout = layout.action
        middle = (self._layout.low + self._layout.high) / 2
        self._idle = np.where(self._layout.whole, np.floor(middle), middle)[None]
        self.spec = PolicySpec(action=self._layout.name, chunk=1, execute=1)
        self.card = PolicyCard(id="noop", summary="does nothing", trained_levels=())

    def reset(self, slots: Sequence[Slot]) -> None:
        """Nothing to forget."""

    def act(self, slots: Sequence[Slot], observations: Sequence[Observation], deadline: float) -> list[ActionChunk]:
        """The idle action, once."""
        del observations, deadline
        return [ActionChunk(self._idle, self._layout.name, 1) for _ in slots]

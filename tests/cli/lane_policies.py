"""Policies of the lane plugin, good and bad."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from lane import Marcher  # type: ignore[import-not-found]

from indgen.core import ActionChunk, Observation, Slot, WorldLayout


class _Named(Marcher):
    def __init__(self, name: str, actions: np.ndarray | None = None, pause_s: float = 0.0) -> None:
        super().__init__()
        self.card = replace(self.card, id=name)
        self._actions, self._pause = actions, pause_s

    def act(self, slots: Sequence[Slot], observations: Sequence[Observation], deadline: float) -> list[ActionChunk]:
        time.sleep(self._pause)
        if self._actions is None:
            return super().act(slots, observations, deadline)
        return [ActionChunk(self._actions, "lane/step", 1) for _ in slots]


def marcher(layout: WorldLayout) -> Marcher:
    """Walks five steps."""
    return _Named("marcher")


def plodder(layout: WorldLayout) -> Marcher:
    """Walks five steps, and takes its time."""
    return _Named("plodder", pause_s=0.05)


def stuck(layout: WorldLayout) -> Marcher:
    """Never answers."""
    return _Named("stuck", pause_s=600.0)


def wrong_shape(layout: WorldLayout) -> Marcher:
    """Returns seven numbers where one is wanted."""
    return _Named("wrong_shape", np.zeros((1, 7)))


def not_a_number(layout: WorldLayout) -> Marcher:
    """Returns NaN."""
    return _Named("not_a_number", np.full((1, 1), np.nan))


def too_far(layout: WorldLayout) -> Marcher:
    """Leaves the range."""
    return _Named("too_far", np.full((1, 1), 3.0))


def misfit(layout: WorldLayout) -> Marcher:
    """Fits no lane."""
    policy = _Named("misfit")
    policy.spec = replace(policy.spec, action="arm/joints", images={"front": (64, 64)}, state=("x", "y"))
    return policy

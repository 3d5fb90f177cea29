"""Policies of the lane plugin, good and bad."""

from __future__ import annotations

import os
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


class _Quitter(Marcher):
    def act(self, slots: Sequence[Slot], observations: Sequence[Observation], deadline: float) -> list[ActionChunk]:
        raise SystemExit(0)


def quitter(layout: WorldLayout) -> Marcher:
    """Leaves the program."""
    policy = _Quitter()
    policy.card = replace(policy.card, id="quitter")
    return policy


class _Babbler(Marcher):
    def act(self, slots: Sequence[Slot], observations: Sequence[Observation], deadline: float) -> list[ActionChunk]:
        raise RuntimeError("cannot open \udcff.npz\x1b[31m " + "x" * 10**6)


def babbler(layout: WorldLayout) -> Marcher:
    """Raises what no file and no terminal can hold."""
    policy = _Babbler()
    policy.card = replace(policy.card, id="babbler")
    return policy


def impostor(layout: WorldLayout) -> Marcher:
    """Carries another policy's id."""
    return _Named("marcher")


def malformed(layout: WorldLayout) -> Marcher:
    """Has a card that no report can be made of."""
    policy = _Named("malformed")
    policy.card = replace(policy.card, data=None)  # type: ignore[arg-type]
    return policy


class _Longsighted(Marcher):
    def step(self, slot: Slot, seen: Observation) -> ActionChunk:
        return ActionChunk(np.zeros((2, 1)), "lane/step", 2)


def longsighted(layout: WorldLayout) -> Marcher:
    """Executes more than its spec says."""
    policy = _Longsighted()
    policy.card = replace(policy.card, id="longsighted")
    return policy


def wanderer(layout: WorldLayout) -> Marcher:
    """Changes the working folder."""
    os.chdir("/")
    return _Named("wanderer")


def vandal(layout: WorldLayout) -> Marcher:
    """Writes to the standard streams by number, as native libraries do."""
    os.write(1, b"noise")
    os.write(2, b"")
    return _Named("vandal")

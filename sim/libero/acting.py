"""Where the hand acted in an episode, and where its targets were: what the following ratio is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.observation import Act
from .simulation import Simulation

Candidate = tuple[float, np.ndarray]
"""Metres from the hand to the target, and the hand's position (3,)."""


class Acts:
    """Follows one episode, for two roles.

    ``pick``: the hand (grip site) when the gripper was told to close (its action went from 0 or below to above 0);
    of several times the one nearest to the object. The target is the object to pick.
    ``goal``: the hand when the gripper was told to open again, or at the episode's end if it was closed then
    (LIBERO's published success fires while the object is still held); of several the one nearest to the region.
    The target is the goal region's site. For either, an episode without such a moment gives the hand's closest
    approach. A role that the task does not have is left out.

    Args:
        sim: the simulation, settled with the gripper open.
    """

    def __init__(self, sim: Simulation) -> None:
        self._closed = False
        self._tracks = {role: _Track(sim, place) for role, place in _targets(sim).items()}

    def step(self, action: np.ndarray) -> None:
        """Look at the state after a control step of ``action`` (7,)."""
        closed = bool(action[-1] > 0)
        if closed != self._closed and (track := self._tracks.get("pick" if closed else "goal")):
            track.command()
        self._closed = closed
        for track in self._tracks.values():
            track.look()

    def result(self) -> dict[str, Act]:
        """The acts of the episode that is over now, by role; metres, world frame."""
        return {role: track.act(held=role == "goal" and self._closed) for role, track in self._tracks.items()}


def _targets(sim: Simulation) -> dict[str, Callable[[], np.ndarray]]:
    """Role to where its target is now, (3,) metres; only the roles that the task has."""
    found: dict[str, Callable[[], np.ndarray]] = {}
    body = sim.movable.get(sim.pick) if sim.pick is not None else None
    if body is not None:
        found["pick"] = lambda: sim.data.xpos[body]
    if sim.region is not None:
        site = sim.region_site
        found["goal"] = lambda: sim.data.site_xpos[site]
    return found


class _Track:
    """The hand's way past one target."""

    def __init__(self, sim: Simulation, place: Callable[[], np.ndarray]) -> None:
        self._sim, self._place = sim, place
        self._target = place().copy()
        self._commanded: Candidate | None = None
        self._now = self._approach = self._measure()

    def _measure(self) -> Candidate:
        hand: Any = self._sim.data.site_xpos[self._sim.hand_site].copy()
        return float(np.linalg.norm(hand - self._place())), hand

    def look(self) -> None:
        """Take in the state as it is now."""
        self._now = self._measure()
        self._approach = min(self._approach, self._now, key=_distance)

    def command(self) -> None:
        """The gripper was told to act, when the hand was where the last look found it."""
        self._commanded = min(self._commanded or self._now, self._now, key=_distance)

    def act(self, held: bool) -> Act:
        """What counts; ``held``: the gripper is closed at the end, and that is a moment to act as well."""
        moments = [("command", self._commanded)] if self._commanded else []
        moments += [("end", self._now)] if held else []
        how, (_, hand) = min(moments or [("approach", self._approach)], key=lambda moment: moment[1][0])
        return Act(_point(hand), _point(self._target), how)


def _distance(candidate: Candidate) -> float:
    return candidate[0]


def _point(place: np.ndarray) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in place)
    return x, y, z

"""Replay: the plainest memoriser. Plays back, open loop, what the expert did at tau_0."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.errors import PolicyError
from ..core.layouts import WorldLayout
from ..core.observation import ActionChunk, Observation
from ..core.slots import Slot
from .contract import Demonstration, PolicyCard, PolicySpec, Support

_CHUNK = 10


class Replay:
    """For each task and start, the expert's tau_0 actions, recorded once; then it holds still.

    It looks at nothing but the step count, so it succeeds exactly as far as a memorised movement carries.

    Args:
        layout: the world's layout.
    """

    def __init__(self, layout: WorldLayout) -> None:
        self._layout = layout.action
        self._idle = (self._layout.low + self._layout.high) / 2
        self._tapes: dict[tuple[str, int], np.ndarray] = {}
        self.spec = PolicySpec(action=self._layout.name, chunk=_CHUNK, execute=_CHUNK, support=Support())
        self.card = PolicyCard(
            id="replay",
            summary="plays back the expert's tau_0 actions of the very same start, open loop",
            trained_levels=(0,),
            data="one expert demonstration at tau_0 of every start that is evaluated",
        )

    def adapt(self, demonstrations: Sequence[Demonstration]) -> None:
        """Keep one tape per start."""
        for shown in demonstrations:
            self._tapes[shown.scene.task, shown.rollout] = shown.actions

    def reset(self, slots: Sequence[Slot]) -> None:
        """Nothing to forget: the place on the tape is the observation's step."""

    def act(self, slots: Sequence[Slot], observations: Sequence[Observation], deadline: float) -> list[ActionChunk]:
        """The next stretch of each slot's tape.

        Raises:
            PolicyError: if there is no tape of an episode's start.
        """
        del deadline
        return [self._next(slot, seen.step) for slot, seen in zip(slots, observations, strict=True)]

    def _next(self, slot: Slot, step: int) -> ActionChunk:
        tape = self._tapes.get((slot.key.task, slot.key.rollout))
        if tape is None or not len(tape):
            raise PolicyError(
                "replay has no recording of this start",
                got=f"{slot.key.task}, rollout {slot.key.rollout}",
                hint="the expert ended in an error there",
            )
        stretch = tape[step : step + _CHUNK]
        rest = self._idle.copy()
        rest[-1] = tape[-1][-1]
        padding = np.repeat(rest[None], _CHUNK - len(stretch), axis=0)
        return ActionChunk(np.concatenate([stretch, padding]), self._layout.name, _CHUNK)

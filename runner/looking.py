"""One look: hand observations to the policy, check what it returns, and put faults where they belong."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from ..core.errors import PLUGIN_FAULTS, DeadlineError, EpisodeFault, PolicyError
from ..core.layouts import ActionLayout
from ..core.observation import ActionChunk, Observation
from ..core.slots import EpisodeKey, Slot
from ..core.text import describe
from ..policies.contract import Policy

ACT_S = 120.0
"""Seconds a policy may take for one look."""


@dataclass(frozen=True)
class Look:
    """What came of one slot's look: a valid chunk, or the fault to record; and the seconds it took."""

    answer: ActionChunk | EpisodeFault
    seconds: float


class Looker:
    """Asks a policy for chunks.

    Args:
        policy: the policy.
        layout: the action layout its chunks must be in.
    """

    def __init__(self, policy: Policy, layout: ActionLayout) -> None:
        self._policy = policy
        self._layout = layout
        self._alone: set[EpisodeKey] = set()

    def look(self, slots: Sequence[Slot], observations: Sequence[Observation]) -> list[Look]:
        """One look for each slot, in order.

        A fault in a batch ends every episode in it, since nobody knows how far the policy got with each. When
        they are tried again, each is asked alone, so that the fault finds the one it belongs to.
        """
        together = [index for index, slot in enumerate(slots) if slot.key not in self._alone]
        groups = [[index] for index, slot in enumerate(slots) if slot.key in self._alone]
        looks: dict[int, Look] = {}
        for group in [together, *groups] if together else groups:
            chosen = [slots[index] for index in group]
            looks.update(zip(group, self._look(chosen, [observations[index] for index in group]), strict=True))
        return [looks[index] for index in range(len(slots))]

    def _look(self, slots: Sequence[Slot], observations: Sequence[Observation]) -> list[Look]:
        began = time.monotonic()
        answers = self._ask(slots, observations)
        seconds = time.monotonic() - began
        if isinstance(answers, EpisodeFault):
            self._alone.update(slot.key for slot in slots)
            return [Look(answers, seconds)] * len(slots)
        return [Look(self._checked(answer), seconds) for answer in answers]

    def _ask(self, slots: Sequence[Slot], observations: Sequence[Observation]) -> Sequence[ActionChunk] | EpisodeFault:
        deadline = time.monotonic() + ACT_S
        try:
            fresh = [slot for slot in slots if slot.is_first]
            if fresh:
                self._policy.reset(fresh)
            answers = self._policy.act(slots, observations, deadline)
        except EpisodeFault as fault:
            return fault
        except PLUGIN_FAULTS as error:
            return PolicyError("the policy raised", got=describe(error))
        if time.monotonic() > deadline:
            return DeadlineError("the policy took too long for one look", expected=f"at most {ACT_S:g} s")
        if not isinstance(answers, Sequence) or len(answers) != len(slots):
            got = f"{len(answers)} chunks" if isinstance(answers, Sequence) else type(answers).__name__
            return PolicyError("act() must return one chunk per slot", got=got, expected=f"a sequence of {len(slots)}")
        return answers

    def _checked(self, answer: ActionChunk) -> ActionChunk | EpisodeFault:
        if not isinstance(answer, ActionChunk):
            return PolicyError("act() must return action chunks", got=type(answer).__name__, expected="ActionChunk")
        spec = self._policy.spec
        try:
            if len(answer.actions) > spec.chunk:
                return PolicyError("chunk is longer than the spec says", got=len(answer.actions), expected=spec.chunk)
            chunk = answer.check(self._layout)
        except EpisodeFault as fault:
            return fault
        except PLUGIN_FAULTS as error:
            return PolicyError("the action chunk cannot be read", got=describe(error))
        if chunk.execute > spec.execute:
            return PolicyError(
                "chunk executes more than the spec says", got=chunk.execute, expected=f"at most {spec.execute}"
            )
        return chunk

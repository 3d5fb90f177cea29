from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from indgen.core import ActionChunk, ActionField, ActionLayout, EpisodeKey, Observation, Slot
from indgen.core.errors import DeadlineError, PolicyError, SimulatorError
from indgen.policies import PolicyCard, PolicySpec
from indgen.runner import looking
from indgen.runner.looking import Looker

LAYOUT = ActionLayout("arm/delta", (ActionField("dx", -1, 1, "m"),))
Answer = Callable[[Sequence[Slot]], Any]


class Scripted:
    """Answers what it is told to, and remembers what it was asked."""

    spec = PolicySpec(action="arm/delta")
    card = PolicyCard("scripted", "for tests")

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.fresh: list[list[int]] = []
        self.asked: list[list[int]] = []

    def reset(self, slots: Sequence[Slot]) -> None:
        self.fresh.append([slot.id for slot in slots])

    def act(self, slots: Sequence[Slot], observations: Sequence[Observation], deadline: float) -> Any:
        self.asked.append([slot.id for slot in slots])
        return self.answer(slots)


def good(slot: Slot) -> ActionChunk:
    return ActionChunk(np.array([[slot.id / 10]]), "arm/delta", 1)


def look(answer: Answer, count: int = 3, first: Sequence[int] = ()) -> tuple[list[Any], Scripted]:
    policy = Scripted(answer)
    slots = [Slot(number, EpisodeKey("milk", number, 0), number in first, 0) for number in range(count)]
    looks = Looker(policy, LAYOUT).look(slots, [Observation({}, {}, "", 0)] * count)
    assert all(found.seconds >= 0 for found in looks)
    return [found.answer for found in looks], policy


def values(answers: list[Any]) -> list[float | str]:
    return [a.actions[0, 0] if isinstance(a, ActionChunk) else type(a).__name__ for a in answers]


def test_every_slot_gets_its_own_checked_chunk_from_one_call() -> None:
    answers, policy = look(lambda slots: [good(slot) for slot in slots])
    assert values(answers) == [0.0, 0.1, 0.2]
    assert policy.asked == [[0, 1, 2]]


def test_fresh_slots_alone_are_reset_first() -> None:
    assert look(lambda slots: [good(slot) for slot in slots], first=[1, 2])[1].fresh == [[1, 2]]
    assert look(lambda slots: [good(slot) for slot in slots])[1].fresh == []


BAD: list[Any] = [
    ActionChunk(np.array([[7.0]]), "arm/delta", 1),
    ActionChunk(np.array([[np.nan]]), "arm/delta", 1),
    ActionChunk(np.zeros((1, 2)), "arm/delta", 1),
    ActionChunk(np.zeros((1, 1)), "arm/abs", 1),
    ActionChunk(np.zeros((1, 1)), "arm/delta", 2),
    np.zeros((1, 1)),
    None,
]


@pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
def test_one_bad_chunk_faults_its_slot_alone_and_nobody_is_asked_again(bad: Any) -> None:
    answers, policy = look(lambda slots: [bad if slot.id == 1 else good(slot) for slot in slots])
    assert values(answers) == [0.0, "PolicyError", 0.2]
    assert len(policy.asked) == 1


@pytest.mark.parametrize("error", [ZeroDivisionError("by\nzero"), PolicyError("no tape"), SimulatorError("odd")])
def test_an_exception_in_a_batch_ends_it_and_finds_its_slot_when_tried_again(error: Exception) -> None:
    def act(slots: Sequence[Slot]) -> list[ActionChunk]:
        if 1 in [slot.id for slot in slots]:
            raise error
        return [good(slot) for slot in slots]

    policy = Scripted(act)
    looker = Looker(policy, LAYOUT)
    slots = [Slot(number, EpisodeKey("milk", number, 0), True, 0) for number in range(3)]
    observations = [Observation({}, {}, "", 0)] * 3
    expected = type(error).__name__ if isinstance(error, PolicyError | SimulatorError) else "PolicyError"
    assert values([found.answer for found in looker.look(slots, observations)]) == [expected] * 3
    assert values([found.answer for found in looker.look(slots, observations)]) == [0.0, expected, 0.2]
    assert policy.asked == policy.fresh == [[0, 1, 2], [0], [1], [2]]


def test_an_exception_is_told_in_one_line_with_its_type() -> None:
    def act(slots: Sequence[Slot]) -> list[ActionChunk]:
        raise ValueError("two\n  lines")

    [answer] = look(act, count=1)[0]
    assert str(answer) == "the policy raised; got ValueError: two lines"


@pytest.mark.parametrize(
    ("answer", "got"),
    [
        (lambda slots: [], "0 chunks"),
        (lambda slots: [good(slots[0])] * (len(slots) + 1), "4 chunks"),
        (lambda slots: None, "NoneType"),
        (lambda slots: good(slots[0]), "ActionChunk"),
        (lambda slots: (good(slot) for slot in slots), "generator"),
        (lambda slots: np.zeros((len(slots), 1)), "ndarray"),
    ],
)
def test_a_wrong_count_or_no_sequence_is_the_policy_s_error(answer: Answer, got: str) -> None:
    answers = look(answer)[0]
    assert values(answers) == ["PolicyError"] * 3
    assert str(answers[0]) == f"act() must return one chunk per slot; got {got}; expected a sequence of 3"


def test_a_late_answer_is_an_error_for_all_who_waited_and_nobody_is_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(looking, "ACT_S", 0.01)

    def act(slots: Sequence[Slot]) -> list[ActionChunk]:
        time.sleep(0.03)
        return [good(slot) for slot in slots]

    answers, policy = look(act)
    assert [type(answer) for answer in answers] == [DeadlineError] * 3
    assert str(answers[0]) == "the policy took too long for one look; expected at most 0.01 s"
    assert len(policy.asked) == 1


def test_an_interrupt_is_nobody_s_fault() -> None:
    def act(slots: Sequence[Slot]) -> list[ActionChunk]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        look(act)


@pytest.mark.parametrize(("actions", "execute"), [([[0.0], [0.0, 0.0]], 1), (np.zeros((1, 1)), "1")], ids=range(2))
def test_nonsense_inside_a_chunk_faults_its_slot_alone(actions: Any, execute: Any) -> None:
    bad = ActionChunk(actions, "arm/delta", execute)
    answers = look(lambda slots: [bad if slot.id == 1 else good(slot) for slot in slots])[0]
    assert values(answers) == [0.0, "PolicyError", 0.2]

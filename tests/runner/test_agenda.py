from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from indgen.core import EpisodeKey
from indgen.runner.agenda import Agenda, Compiled, group_of

KEYS = st.lists(
    st.builds(EpisodeKey, st.sampled_from("abcd"), st.integers(0, 3), st.integers(-2, 2)), unique=True, max_size=30
)


def always(key: EpisodeKey) -> bool:
    return True


def by_task(key: EpisodeKey) -> str:
    return key.task


def by_level(key: EpisodeKey) -> str:
    return f"{key.task}@{key.level}"


def ungrounded(key: EpisodeKey) -> None:
    return None


def on(task: str) -> Compiled:
    return Compiled(task, task)


def keys(task: str, count: int) -> list[EpisodeKey]:
    return [EpisodeKey(task, rollout, 0) for rollout in range(count)]


@given(KEYS, st.lists(st.integers(0, 3), max_size=60), st.sampled_from((by_task, by_level)))
def test_every_key_is_handed_out_exactly_once_and_a_place_keeps_its_task_and_model(
    wanted: list[EpisodeKey], turns: list[int], model: Callable[[EpisodeKey], str]
) -> None:
    agenda, left = Agenda(wanted), list(wanted)
    last: dict[int, Compiled] = {}
    for place in [*turns, *[0] * len(wanted)]:
        mine = last.get(place)
        key = agenda.take(mine, always, model)
        if key is None:
            assert not left
            continue
        if mine is not None:
            assert key.task == mine.task or mine.task not in {other.task for other in left}
            assert model(key) == mine.model or mine.model not in {model(other) for other in left}
        left.remove(key)
        last[place] = Compiled(key.task, model(key))
        assert len(agenda) == len(left)
    assert not left


def test_places_spread_over_tasks() -> None:
    agenda = Agenda([*keys("a", 5), *keys("b", 5), *keys("c", 5)])
    taken = [agenda.take(None, always, by_task) for _ in range(6)]
    assert Counter(key.task for key in taken if key) == {"a": 2, "b": 2, "c": 2}


def test_a_place_that_moves_on_joins_the_emptiest_task() -> None:
    agenda = Agenda([*keys("a", 1), *keys("b", 2), *keys("c", 2)])
    assert [agenda.take(None, always, by_task) for _ in range(2)] == [EpisodeKey("a", 0, 0), EpisodeKey("b", 0, 0)]
    assert agenda.take(on("a"), always, by_task) == EpisodeKey("c", 0, 0)


def test_the_plan_s_order_is_kept_within_a_model() -> None:
    order = [EpisodeKey("a", 0, level) for level in (0, -1, 1)]
    agenda = Agenda(order)
    assert [agenda.take(on("a") if number else None, always, by_task) for number in range(3)] == order


def test_without_its_model_a_place_prefers_a_start_that_is_still_to_be_grounded() -> None:
    grounded, fresh = EpisodeKey("a", 0, 1), EpisodeKey("a", 1, 0)
    agenda = Agenda([grounded, fresh])
    models = {grounded: "a@1", fresh: None}
    assert agenda.take(Compiled("a", "a@0"), always, models.__getitem__) == fresh
    assert agenda.take(Compiled("a", "a@0"), always, models.__getitem__) == grounded


def test_what_is_not_ready_is_passed_over_and_stays() -> None:
    agenda = Agenda([*keys("a", 2), *keys("b", 1)])
    assert agenda.take(None, lambda key: key.rollout == 1, by_task) == EpisodeKey("a", 1, 0)
    assert agenda.take(on("a"), lambda key: key.task == "b", by_task) == EpisodeKey("b", 0, 0)
    assert agenda.take(on("b"), lambda key: False, by_task) is None
    assert agenda.take(on("b"), always, by_task) == EpisodeKey("a", 0, 0)


def test_a_retry_comes_back_after_the_rest_of_its_task() -> None:
    agenda = Agenda(keys("a", 3))
    first = agenda.take(None, always, ungrounded)
    assert first is not None
    agenda.retry(first)
    assert len(agenda) == 3
    assert [agenda.take(on("a"), always, by_task) for _ in range(4)] == [*keys("a", 3)[1:], first, None]


def test_a_retry_comes_back_even_when_nothing_else_is_left() -> None:
    agenda = Agenda([])
    agenda.retry(EpisodeKey("z", 0, 0))
    assert agenda.take(None, always, ungrounded) == EpisodeKey("z", 0, 0)
    assert agenda.take(on("z"), always, ungrounded) is None


def test_a_group_is_a_start_whatever_the_level() -> None:
    assert {group_of(EpisodeKey("a", 3, level)) for level in (-1, 0, 1)} == {("a", 3)}

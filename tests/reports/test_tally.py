from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.core.errors import RunFolderError
from indgen.core.slots import EpisodeKey
from indgen.reports import LevelResult, Tally, interval, tally
from indgen.runner.episodes import Episode, Outcome
from indgen.runner.plan import Plan


def episode(key: EpisodeKey, outcome: str, cause: str | None = "why", steps: int = 100) -> Episode:
    return Episode(
        policy="replay",
        axis="libero/pick-v1",
        level=key.level,
        task=key.task,
        rollout=key.rollout,
        outcome=Outcome(outcome),
        cause=None if outcome == "success" else cause,
        steps=steps,
        seed=1,
        policy_seed=2,
        attempt=1,
        started="2025-01-01T00:00:00+00:00",
        wall_s=1.0,
        policy_s=0.1,
    )


def plan_of(tasks: int, levels: tuple[int, ...], rollouts: int) -> Plan:
    return Plan(
        world="libero",
        policy="replay",
        axis="libero/pick-v1",
        tasks=tuple(f"task_{number}" for number in range(tasks)),
        levels=levels,
        rollouts=rollouts,
        max_steps=280,
        success="in_basket",
        execute=1,
    )


@st.composite
def runs(draw: st.DrawFn) -> tuple[Plan, list[Episode]]:
    levels = tuple(sorted(draw(st.sets(st.integers(-3, 3), min_size=1, max_size=5))))
    plan = plan_of(draw(st.integers(1, 3)), levels, draw(st.integers(1, 4)))
    kinds = st.sampled_from(["success", "failure", "failure", "error", "invalid", "pending"])
    outcomes = draw(st.lists(kinds, min_size=plan.size, max_size=plan.size))
    found = zip(plan.episode_keys(), outcomes, strict=True)
    return plan, [episode(key, outcome, steps=key.rollout + 1) for key, outcome in found if outcome != "pending"]


def of(outcomes: dict[tuple[str, int, int], str], plan: Plan) -> Tally:
    return tally(plan, [episode(EpisodeKey(*key), outcome) for key, outcome in outcomes.items()], (0,))


@given(runs())
def test_counts_of_a_level_add_up_to_the_plan(run: tuple[Plan, list[Episode]]) -> None:
    plan, episodes = run
    for level in tally(plan, episodes).levels:
        outside = level.errors + level.invalid + level.dropped + level.pending
        assert level.successes + level.failures + outside == len(plan.tasks) * plan.rollouts
        assert level.n == level.successes + level.failures


@given(runs())
def test_tasks_add_up_to_levels(run: tuple[Plan, list[Episode]]) -> None:
    counted = tally(*run)
    for place, level in enumerate(counted.levels):
        cells = [task.levels[place] for task in counted.tasks]
        assert {cell.level for cell in cells} == {level.level}
        for name in ("successes", "failures", "n", "errors", "invalid", "dropped", "pending"):
            assert getattr(level, name) == sum(getattr(cell, name) for cell in cells)


@given(runs(), st.randoms(use_true_random=False))
def test_order_of_episodes_is_irrelevant(run: tuple[Plan, list[Episode]], chance: random.Random) -> None:
    plan, episodes = run
    shuffled = list(episodes)
    chance.shuffle(shuffled)
    assert tally(plan, shuffled) == tally(plan, episodes)


@given(runs())
def test_levels_compare_the_same_starts(run: tuple[Plan, list[Episode]]) -> None:
    plan, episodes = run
    broken = {(e.task, e.rollout) for e in episodes if e.outcome is Outcome.INVALID}
    counted = tally(plan, episodes)
    assert {(start.task, start.rollout) for start in counted.invalid_starts} == broken
    kept = Counter(
        e.level
        for e in episodes
        if (e.task, e.rollout) not in broken and e.outcome in (Outcome.SUCCESS, Outcome.FAILURE)
    )
    starts = len(plan.tasks) * plan.rollouts - len(broken)
    lost = Counter(k.level for k in list(plan.episode_keys()) if (k.task, k.rollout) not in broken) - kept
    for level in counted.levels:
        assert level.n == kept[level.level] == starts - lost[level.level]


def test_an_invalid_start_is_dropped_everywhere_and_an_error_only_where_it_is() -> None:
    plan = plan_of(1, (-1, 0, 1), 2)
    outcomes = {("task_0", rollout, level): "success" for rollout in (0, 1) for level in (-1, 0, 1)}
    outcomes["task_0", 0, -1] = "invalid"
    outcomes["task_0", 1, 1] = "error"
    low, middle, high = of(outcomes, plan).levels
    assert (low.n, low.invalid, low.dropped) == (1, 1, 0)
    assert (middle.n, middle.invalid, middle.dropped) == (1, 0, 1)
    assert (high.n, high.errors, high.dropped) == (0, 1, 1)
    assert (high.rate, high.ci, high.mean_steps) == (None, None, None)
    assert [level.in_distribution for level in (low, middle, high)] == [False, True, False]


def test_mean_steps_leave_out_dropped_episodes() -> None:
    plan = plan_of(1, (0, 1), 3)
    episodes = [
        episode(key, "failure", steps=10**key.rollout)
        for key in list(plan.episode_keys())
        if key != EpisodeKey("task_0", 2, 1)
    ]
    episodes.append(episode(EpisodeKey("task_0", 2, 1), "invalid"))
    assert tally(plan, episodes).levels[0].mean_steps == pytest.approx(5.5)


@pytest.mark.parametrize(("broken", "listed"), [(1, False), (2, True)])
def test_a_cell_is_invalid_above_ten_per_cent(broken: int, listed: bool) -> None:
    plan = plan_of(2, (0, 1), 10)
    outcomes = {("task_1", rollout, 1): "invalid" for rollout in range(broken)}
    cells = [(cell.task, cell.level, cell.invalid, cell.starts) for cell in of(outcomes, plan).invalid_cells]
    assert cells == ([("task_1", 1, broken, 10)] if listed else [])


def test_causes_and_levels_to_blame_are_kept() -> None:
    plan = plan_of(1, (-2, -1, 0), 1)
    key = EpisodeKey("task_0", 0, -2)
    near = episode(EpisodeKey("task_0", 0, -1), "invalid", "milk displaced 2 cm")
    (start,) = tally(plan, [near, episode(key, "invalid", "milk displaced 9 cm")]).invalid_starts
    assert start.levels == (-2, -1)
    assert start.cause == "milk displaced 9 cm; milk displaced 2 cm"


def test_error_causes_are_counted_most_frequent_first() -> None:
    plan = plan_of(1, (0,), 4)
    causes = ["a", "b", "b", None]
    episodes = [episode(key, "error", cause) for key, cause in zip(plan.episode_keys(), causes, strict=True)]
    assert list(tally(plan, episodes).error_causes.items()) == [("b", 2), ("a", 1), ("no cause recorded", 1)]


def test_unknown_training_levels_stay_unknown() -> None:
    assert tally(plan_of(1, (0, 1), 1), []).levels[0].in_distribution is None


def test_a_foreign_episode_is_refused_by_name() -> None:
    with pytest.raises(RunFolderError, match=r"task_0/0/\+2"):
        of({("task_0", 0, 2): "success"}, plan_of(1, (0, 1), 1))


def level_of(rows: list[tuple[str, int]], max_steps: int = 280, **fields: Any) -> tuple[Tally, LevelResult]:
    """A run of one level whose starts end as (outcome, steps)."""
    plan = plan_of(1, (0,), len(rows)).model_copy(update={"max_steps": max_steps})
    keys = list(plan.episode_keys())
    found = tally(plan, [episode(key, *row[:1], steps=row[1]) for key, row in zip(keys, rows, strict=True)], **fields)
    return found, found.levels[0]


def test_distinct_counts_pairs_of_outcome_and_steps_within_tasks() -> None:
    rows = [("success", 90), ("success", 90), ("success", 91), ("failure", 90), ("error", 3)]
    assert level_of(rows)[1].distinct == 3
    plan = plan_of(2, (0,), 2)
    both = tally(plan, [episode(key, "success") for key in list(plan.episode_keys())])
    assert both.levels[0].distinct == 2


@pytest.mark.parametrize(
    ("rows", "flagged"),
    [
        ([("success", 90)] * 10, True),
        ([("success", 90)] * 9, False),
        ([("success", 90 + i % 2) for i in range(10)], True),
        ([("success", 90 + i % 3) for i in range(10)], False),
        ([("failure", 280)] * 50, False),
        ([("failure", 120)] * 50, True),
        ([("success", 90 + i % 30) for i in range(500)], False),
    ],
    ids=["same", "few", "two", "three", "time-outs tell nothing", "crashes alike", "steps are few numbers"],
)
def test_near_replicates(rows: list[tuple[str, int]], flagged: bool) -> None:
    assert level_of(rows)[0].near_replicates == ((0,) if flagged else ())


def test_stages_are_counted_in_the_worlds_words() -> None:
    plan = plan_of(1, (0, 1), 4)
    stages = ["reached", "placed", "reached", None]
    episodes = [
        replace(episode(key, "failure"), stage=stages[key.rollout])
        for key in list(plan.episode_keys())
        if key.level == 0
    ]
    counted = tally(plan, [*episodes, episode(EpisodeKey("task_0", 0, 1), "invalid")])
    assert counted.levels[0].stages == {"placed": 1, "reached": 1}
    assert counted.levels[1].stages == {}


class TestSecondStage:
    PLAN = plan_of(1, (0, 1), 2).model_copy(update={"top_up": 5})

    def test_topped_levels_have_more_planned_and_a_first_look(self) -> None:
        keys = list(self.PLAN.episode_keys([1]))
        outcomes = ["success" if key.rollout in (0, 3, 4) else "failure" for key in keys]
        counted = tally(self.PLAN, [episode(*pair) for pair in zip(keys, outcomes, strict=True)], topped=[1])
        assert [(level.successes, level.n, level.pending) for level in counted.levels] == [(1, 2, 0), (3, 5, 0)]
        assert counted.first_looks == {1: (1, 2)}

    def test_what_is_not_topped_up_has_none_beyond_the_first_stage(self) -> None:
        with pytest.raises(RunFolderError, match="task_0/4/0"):
            tally(self.PLAN, [episode(EpisodeKey("task_0", 4, 0), "success")], topped=[1])

    def test_a_plan_with_one_stage_has_no_first_look(self) -> None:
        assert tally(plan_of(1, (0,), 1), []).first_looks is None
        assert tally(self.PLAN, []).first_looks == {}


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(0, 10, 0.0, 0.3085), (10, 10, 0.6915, 1.0), (5, 50, 0.0333, 0.2181), (1, 1, 0.025, 1.0)],
)
def test_clopper_pearson_against_published_values(successes: int, n: int, low: float, high: float) -> None:
    assert interval(successes, n) == pytest.approx((low, high), abs=5e-5)


def test_no_interval_without_episodes() -> None:
    assert interval(0, 0) is None

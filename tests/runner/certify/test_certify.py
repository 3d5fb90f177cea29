from __future__ import annotations

from dataclasses import replace

import pytest

from indgen.core.errors import SweepAborted
from indgen.runner.certify.certify import _verdicts
from indgen.runner.episodes import Episode, Outcome

from ..lane import lane_plan

PLAN = lane_plan(levels=(0, 1), rollouts=3)


def episode(level: int, rollout: int, outcome: str) -> Episode:
    return Episode(
        policy="marcher",
        axis="lane/flag-v1",
        level=level,
        task="red_flag",
        rollout=rollout,
        outcome=Outcome(outcome),
        cause=None if outcome == "success" else f"because {outcome}",
        steps=3,
        seed=1,
        policy_seed=2,
        attempt=1,
        started="2025-01-01T00:00:00.000+00:00",
        wall_s=1.0,
        policy_s=0.1,
    )


GIVEN = [
    episode(0, 0, "success"),
    episode(0, 1, "failure"),
    episode(0, 2, "invalid"),
    *(episode(1, rollout, "invalid") for rollout in range(3)),
]


def test_broken_starts_are_neither_success_nor_failure() -> None:
    found = _verdicts(PLAN, GIVEN)
    assert set(found) == {("red_flag", 0)}
    verdict = found["red_flag", 0]
    assert (verdict.successes, verdict.n, verdict.failed) == (1, 2, (1,))
    assert not verdict.holds


def test_an_error_of_the_expert_is_never_left_out_in_silence() -> None:
    with pytest.raises(
        SweepAborted, match=r"1 of marcher's episodes ended in an error, e.g. red_flag/1/0; got because"
    ):
        _verdicts(PLAN, [*GIVEN[:1], replace(GIVEN[1], outcome=Outcome.ERROR, cause="because error")])

"""The second stage: more rollouts at undecided levels, logged, resumed, never anywhere else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from indgen.core.errors import LedgerError, UsageError
from indgen.runner.episodes import Episode
from indgen.runner.folder import RunFolder
from indgen.runner.ledger import Event
from indgen.runner.parts import Parts
from indgen.runner.planning import make_plan
from indgen.runner.sweep import run_sweep
from indgen.runner.top_up import topped_levels

from .lane import FlagAxis, LaneWorld, Marcher, Watcher, lane_plan

PLAN = lane_plan(rollouts=3).model_copy(update={"top_up": 8})


def sweep(path: Path, answers: Sequence[Sequence[int]]) -> tuple[list[Episode], list[int]]:
    """Sweep with a frontier that gives these answers one after another; returns episodes and topped levels."""
    left = list(answers)
    folder = RunFolder(path, PLAN)
    try:
        episodes = run_sweep(
            PLAN, Parts(LaneWorld(), Marcher(), FlagAxis()), folder, 1, Watcher(), lambda _: left.pop(0) if left else []
        )
        return episodes, list(topped_levels(folder.ledger))
    finally:
        folder.close()


def rollouts(episodes: Sequence[Episode]) -> dict[int, int]:
    return dict(Counter(episode.level for episode in episodes))


def test_nothing_undecided_means_one_stage(tmp_path: Path) -> None:
    episodes, topped = sweep(tmp_path, [])
    assert rollouts(episodes) == dict.fromkeys(PLAN.levels, 6)
    assert topped == []


def test_undecided_levels_alone_are_topped_up_one_after_another(tmp_path: Path) -> None:
    episodes, topped = sweep(tmp_path, [[2], [2, 1], [1]])
    assert topped == [2, 1]
    assert rollouts(episodes) == {-1: 6, 0: 6, 1: 16, 2: 16, 3: 6}
    assert {e.rollout for e in episodes if e.level == 2} == set(range(8))


def test_a_resumed_run_knows_what_was_topped_up(tmp_path: Path) -> None:
    first, _ = sweep(tmp_path, [[2]])
    events = (tmp_path / "events.jsonl").read_bytes()
    again, topped = sweep(tmp_path, [])
    assert again == first
    assert topped == [2]
    assert (tmp_path / "events.jsonl").read_bytes() == events


def test_a_top_up_adds_rollouts() -> None:
    parts = Parts(LaneWorld(), Marcher(), FlagAxis())
    assert make_plan(parts, rollouts=3, top_up=4).top_up == 4
    with pytest.raises(UsageError, match="--top-up 3; expected more than --rollouts 3"):
        make_plan(parts, rollouts=3, top_up=3)


def test_without_new_starts_or_noise_a_top_up_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LaneWorld, "starts", lambda self, task: 5)
    parts = Parts(LaneWorld(), Marcher(), FlagAxis())
    with pytest.raises(UsageError, match=r"5 published starts.*--top-up 9.*draws no noise"):
        make_plan(parts, rollouts=5, top_up=9)


@pytest.mark.parametrize("data", [{}, {"levels": "abc"}, {"levels": [[1]]}, {"levels": [True]}])
def test_a_top_up_that_cannot_be_read_is_named(data: dict[str, object]) -> None:
    with pytest.raises(LedgerError, match="event 3 tops up nothing"):
        topped_levels([Event(3, "top-up", "", data)])

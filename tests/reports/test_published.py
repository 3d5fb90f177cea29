"""Uncertified cells: outside every number but the one that counts as the paper does."""

from __future__ import annotations

from pathlib import Path

import pytest

from indgen.core.errors import RunFolderError
from indgen.reports import build, render, words
from indgen.runner.ledger import Ledger
from indgen.runner.top_up import log_top_up

from .conftest import MakeEpisode, MakePlan, MakeRun

MILK, SOUP = "pick_the_milk_up", "pick_the_soup_up"


def outcome(task: str, level: int) -> str:
    """Soup's start is broken at +1, and milk fails there."""
    if level < 1:
        return "success"
    return "invalid" if task == SOUP else "failure"


@pytest.fixture
def run(new_plan: MakePlan, new_run: MakeRun, new_episode: MakeEpisode, tmp_path: Path) -> Path:
    plan = new_plan(uncertified=((SOUP, 1),), include_uncertified=True, certificate="ab")
    episodes = [
        new_episode(key.task, key.rollout, key.level, outcome(key.task, key.level)) for key in plan.episode_keys()
    ]
    return new_run(tmp_path / "run", plan, episodes)


def test_our_count_leaves_them_out_and_keeps_their_starts(run: Path) -> None:
    report = build(run)
    counts = {level.level: (level.successes, level.n, level.invalid, level.dropped) for level in report.levels}
    assert counts == {-1: (8, 8, 0, 0), 0: (8, 8, 0, 0), 1: (0, 4, 0, 0)}
    assert report.invalid_starts == ()
    assert report.complete
    assert [(cell.task, cell.level) for cell in report.uncertified] == [(SOUP, 1)]


def test_the_papers_count_takes_broken_starts_for_failures(run: Path) -> None:
    published = build(run).published
    assert published is not None
    assert {level.level: (level.successes, level.n) for level in published.levels} == {-1: (8, 8), 0: (8, 8), 1: (0, 8)}
    assert [(found.direction, found.level) for found in published.break_levels] == [("-", None), ("+", 1)]


def test_both_are_printed(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from rich.console import Console

    Console(width=80).print(*render(build(run)), sep="\n")
    said = capsys.readouterr().out
    assert "+1: without soup; 1 of 2 tasks are left" in said
    assert "As the paper counts" in said
    assert "successes: -1 8/8, 0 8/8, +1 0/8" in said


def test_a_run_that_left_them_out_has_one_estimate(
    new_plan: MakePlan, new_run: MakeRun, new_episode: MakeEpisode, tmp_path: Path
) -> None:
    plan = new_plan(uncertified=((SOUP, 1),))
    episodes = [new_episode(key.task, key.rollout, key.level) for key in plan.episode_keys()]
    report = build(new_run(tmp_path / "run", plan, episodes))
    assert report.published is None
    assert report.complete
    assert [level.n for level in report.levels] == [8, 8, 4]
    foreign = [*episodes, new_episode(SOUP, 0, 1)]
    with pytest.raises(RunFolderError, match="episodes that the plan does not"):
        build(new_run(tmp_path / "other", plan, foreign))


def test_starts_are_counted_from_the_plans_first(
    new_plan: MakePlan, new_run: MakeRun, new_episode: MakeEpisode, tmp_path: Path
) -> None:
    plan = new_plan(first=40)
    episodes = [new_episode(key.task, key.rollout, key.level) for key in plan.episode_keys()]
    assert {episode.rollout for episode in episodes} == {40, 41, 42, 43}
    broken = [new_episode(e.task, e.rollout, e.level, "invalid") if e.key == episodes[0].key else e for e in episodes]
    report = build(new_run(tmp_path / "run", plan, broken))
    assert [(start.task, start.rollout) for start in report.invalid_starts] == [(MILK, 40)]
    with pytest.raises(RunFolderError, match="episodes that the plan does not"):
        build(new_run(tmp_path / "other", plan, [*episodes, new_episode(MILK, 0, 0)]))


def test_two_stages_count_as_two(
    new_plan: MakePlan, new_run: MakeRun, new_episode: MakeEpisode, tmp_path: Path
) -> None:
    """Whether a level was topped up depended on its first stage: its set must pay for that here as well."""
    plan = new_plan(levels=(0, 1), rollouts=5, top_up=20, include_uncertified=True)
    won = {0: 20, 1: 3}
    episodes = [
        new_episode(key.task, key.rollout, key.level, "success" if key.rollout < won[key.level] else "failure")
        for key in plan.episode_keys(topped=(1,))
    ]
    path = new_run(tmp_path / "run", plan, episodes)
    with Ledger(path / "events.jsonl") as ledger:
        log_top_up(ledger, plan, [1])
    report = build(path)
    assert report.published is not None
    assert report.published.break_levels == report.break_levels


def test_what_is_still_to_run_is_counted_over_all_cells(
    new_plan: MakePlan, new_run: MakeRun, new_episode: MakeEpisode, tmp_path: Path
) -> None:
    plan = new_plan(uncertified=((SOUP, 1),), include_uncertified=True)
    done = [new_episode(k.task, k.rollout, k.level) for k in plan.episode_keys() if (k.task, k.level) != (SOUP, 1)]
    assert words.pending(build(new_run(tmp_path / "included", plan, done))) == (4, 24)
    left_out = new_plan(uncertified=((SOUP, 1),))
    assert words.pending(build(new_run(tmp_path / "left", left_out, done[:5]))) == (15, 20)

"""The following ratio of a run folder: pairing, what counts, words, page, figure, and folders without it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from indgen.reports import Report, build, render, write
from indgen.reports.following_words import following_line, meaning
from indgen.reports.stats import FollowingRatio

from .conftest import AXIS

PICK = replace(AXIS, follows="pick")
Hand = Callable[[int, int], float]
"""From level and rollout to where the hand acts, metres along y."""


def acts(level: int, hand: float, how: str = "command", turn: float = 0.0) -> dict[str, Any]:
    """The act of an episode whose target moves 2.5 cm a level; ``turn`` turns the world about z."""
    c, s = np.cos(turn), np.sin(turn)

    def place(along: float, height: float) -> list[float]:
        return [round(0.1 - s * along, 9), round(0.2 + c * along, 9), height]

    return {"pick": {"hand": place(hand, 0.1), "target": place(0.025 * level, 0.05), "how": how}}


@pytest.fixture
def run_of(tmp_path: Path, new_plan: Any, new_episode: Any, new_run: Any) -> Callable[..., Path]:
    def made(hand: Hand, *, levels: tuple[int, ...] = (-1, 0, 1, 2), axis: Any = PICK, **options: Any) -> Path:
        plan = new_plan(levels=levels)
        outcome = options.pop("outcome", lambda key: "success")
        episodes = [
            new_episode(
                key.task,
                key.rollout,
                key.level,
                outcome(key),
                acts=acts(key.level, hand(key.level, key.rollout), **options),
            )
            for key in list(plan.episode_keys())
        ]
        return new_run(tmp_path / f"run-{len(list(tmp_path.iterdir()))}", plan, episodes, axis=axis)

    return made


def pooled(run: Path) -> FollowingRatio:
    found = build(run).following
    assert found is not None
    return found.pooled


def follower(level: int, rollout: int) -> float:
    return 0.025 * level + 0.01 * rollout


def memoriser(level: int, rollout: int) -> float:
    return 0.01 * rollout


def halfway(level: int, rollout: int) -> float:
    return 0.5 * 0.025 * level + 0.01 * rollout + 0.001 * ((7 * level + 3 * rollout) % 5)


@pytest.mark.parametrize(("hand", "value", "said"), [(follower, 1, "it follows the object"), (memoriser, 0, "tau_0")])
def test_a_follower_is_1_and_a_memoriser_0(run_of: Any, hand: Hand, value: float, said: str) -> None:
    report = build(run_of(hand))
    assert report.following is not None
    assert report.following.pooled.value == pytest.approx(value, abs=1e-9)
    assert report.following.pooled.interval == pytest.approx((value, value), abs=1e-9)
    assert (report.following.pooled.n, report.following.pooled.starts) == (24, 8)
    assert [task.ratio.n for task in report.following.tasks] == [12, 12]
    assert said in following_line(report.following)


@pytest.mark.parametrize("turn", [0.5, np.pi / 2, 3.0])
def test_the_direction_in_which_the_target_moves_makes_no_difference(run_of: Any, turn: float) -> None:
    straight, turned = pooled(run_of(halfway)), pooled(run_of(halfway, turn=turn))
    assert straight.interval == pytest.approx(turned.interval, abs=1e-3)


def test_only_counted_episodes_with_a_counted_level_0_are_paired(run_of: Any) -> None:
    def outcome(key: Any) -> str:
        if key.rollout == 0 and key.level == 2:
            return "invalid"
        return "error" if (key.rollout, key.level) in {(1, 0), (2, 1)} else "failure"

    found = build(run_of(follower, outcome=outcome)).following
    # Start 0 is dropped, start 1 has no level 0, start 2 misses one of three levels: 2 + 3 in each of two tasks.
    assert found is not None
    assert (found.pooled.n, found.pooled.starts) == (10, 4)


def test_what_cannot_be_said_has_a_reason(run_of: Any) -> None:
    assert pooled(run_of(follower, levels=(1, 2))).reason == "level 0 is not part of this run"
    lonely = pooled(run_of(follower, outcome=lambda key: "error" if key.level == 0 else "success"))
    assert lonely.reason == "no start has counted episodes at level 0 and at another level"


@pytest.mark.parametrize("axis", [AXIS, replace(AXIS, follows="goal")])
def test_an_axis_that_moves_no_such_target_has_no_ratio(run_of: Any, axis: Any) -> None:
    run = run_of(follower, axis=axis)
    report = build(run)
    assert report.following is None
    page = write(run, report)
    assert "Does the hand follow?" not in page.read_text()
    assert not (page.parent / "following.png").exists()


def test_a_folder_from_before_has_no_ratio(run_of: Any, new_plan: Any, new_episode: Any, new_run: Any) -> None:
    """Neither its card nor its episodes know of it."""
    run = run_of(follower)
    manifest = json.loads((run / "manifest.json").read_text())
    del manifest["axis_card"]["follows"]
    (run / "manifest.json").write_text(json.dumps(manifest))
    assert build(run).following is None
    bare = [new_episode(key.task, key.rollout, key.level) for key in list(new_plan().episode_keys())]
    other = new_run(run.parent / "bare", new_plan(), bare, axis=PICK)
    assert build(other).following is None
    assert write(other, build(other)).is_file()


def test_the_report_is_made_again_to_the_byte(run_of: Any) -> None:
    run = run_of(halfway)
    names = ("report.json", "report.html", "following.png", "following.svg", "episodes.csv")
    report = write(run, build(run)).parent
    first = {name: (report / name).read_bytes() for name in names}
    write(run, build(run))
    assert first == {name: (report / name).read_bytes() for name in names}
    assert Report.model_validate_json(first["report.json"]) == build(run)


def test_the_page_has_a_row_per_task_and_no_id_twice(run_of: Any) -> None:
    run = run_of(halfway)
    text = write(run, build(run)).read_text()
    section = text[text.index("Does the hand follow?") : text.index("<h2>Invalid starts")]
    assert "it follows in part" in section
    assert section.count("<td>12</td><td>4</td>") == 2
    assert "<svg" in section and "#d55e00" not in section
    ids = [part.split('"')[0] for part in text.split(' id="')[1:]]
    ours = [name for name in ids if not name.startswith(("m", "p", "C"))]
    assert len(ours) == len(set(ours)) == 2


def test_the_terminal_says_it_in_a_line(run_of: Any) -> None:
    console = Console(width=80, record=True, file=StringIO())
    for part in render(build(run_of(follower))):
        console.print(part)
    assert "following ratio 1.00 [1.00, 1.00]: it follows the object" in console.export_text().splitlines()


def test_approaches_are_owned_up_to(run_of: Any) -> None:
    run = run_of(halfway, how="approach")
    found = build(run).following
    assert found is not None
    assert found.how == {"approach": 24}
    assert "In 24 of 24 the gripper never acted" in write(run, build(run)).read_text()


def test_csv_keeps_the_acts_as_json(run_of: Any) -> None:
    run = run_of(follower)
    lines = (write(run, build(run)).parent / "episodes.csv").read_text().splitlines()
    assert lines[0].endswith(",acts,counted")
    assert '""how"": ""command""' in lines[1]


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        ((0.95, 1.01), "it follows the goal"),
        ((-0.1, 0.1), "it acts where it does at tau_0"),
        ((0.3, 0.6), "it follows in part"),
        ((1.3, 1.5), "it goes farther than the goal"),
        ((-2.0, -1.0), "it goes the other way"),
        ((0.7, 1.1), "undetermined, from 'it follows in part' to 'it follows the goal'"),
    ],
)
def test_words_need_the_whole_interval(interval: tuple[float, float], words: str) -> None:
    assert meaning(FollowingRatio(sum(interval) / 2, interval, 9, 3), "goal") == words


def test_without_an_interval_nothing_is_claimed() -> None:
    alone = FollowingRatio(1.0, None, 3, 1, "one start gives no interval")
    assert meaning(alone, "pick") == "undetermined, one start gives no interval"

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from indgen.core.errors import LedgerError, RunFolderError, UsageError
from indgen.reports import Report, build, read_run, undecided_frontier, write
from indgen.runner.episodes import Episode
from indgen.runner.ledger import Ledger
from indgen.runner.plan import Plan
from indgen.runner.top_up import log_top_up

FILES = ["episodes.csv", "report.html", "report.json", "success.png", "success.svg"]


@pytest.fixture
def run(tmp_path: Path, new_plan: Any, new_episode: Any, new_run: Any) -> Path:
    plan = new_plan()
    episodes = [
        new_episode(key.task, key.rollout, key.level, "failure" if key.level else "success")
        for key in list(plan.episode_keys())
    ]
    episodes[0] = new_episode(episodes[0].task, episodes[0].rollout, episodes[0].level, "invalid")
    return new_run(tmp_path / "run", plan, episodes)


def test_report_json_round_trips(run: Path) -> None:
    report = build(run)
    page = write(run, report)
    assert page == run / "report" / "report.html"
    assert sorted(path.name for path in page.parent.iterdir()) == FILES
    assert Report.model_validate_json((run / "report" / "report.json").read_text()) == report


def test_report_json_has_the_promised_names(run: Path) -> None:
    write(run, build(run))
    data = json.loads((run / "report" / "report.json").read_text())
    assert data["policy"] == "replay"
    assert data["axis"] == "libero/pick-v1"
    assert data["schema_version"] == 1
    assert {"level", "successes", "n", "errors", "invalid", "ci"} <= data["levels"][0].keys()
    assert [(item["direction"], item["level"], item["set"]) for item in data["break_levels"]] == [
        ("-", -1, [-1, None]),
        ("+", 1, [1, None]),
    ]


def test_rebuilding_gives_the_same_bytes(run: Path) -> None:
    names = ("report.json", "episodes.csv", "success.svg", "report.html")
    first = {name: (write(run, build(run)).parent / name).read_bytes() for name in names}
    again = {name: (write(run, build(run)).parent / name).read_bytes() for name in names}
    assert first == again


def test_a_folder_read_once_gives_the_same(run: Path) -> None:
    folder = read_run(run)
    assert build(folder) == build(run)
    assert write(folder, build(folder)) == run / "report" / "report.html"


def test_the_ledger_order_does_not_show(run: Path, tmp_path: Path, new_plan: Any, new_run: Any) -> None:
    with (run / "events.jsonl").open() as lines:
        episodes = [Episode.from_data(json.loads(line)["data"]) for line in lines]
    other = new_run(tmp_path / "other", new_plan(), episodes[::-1])
    assert build(other) == build(run)


def test_csv_says_which_episodes_count(run: Path) -> None:
    report = build(run)
    write(run, report)
    with (run / "report" / "episodes.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 24
    for level in report.levels:
        assert sum(row["counted"] == "1" for row in rows if row["level"] == str(level.level)) == level.n
    assert rows == sorted(rows, key=lambda row: (row["task"], int(row["rollout"]), int(row["level"])))


def test_an_unknown_schema_version_is_refused(run: Path) -> None:
    data = {**build(run).model_dump(mode="json"), "schema_version": 2}
    with pytest.raises(ValidationError, match="schema_version"):
        Report.model_validate(data)


@pytest.mark.parametrize("option", [{"confidence": 1.0}, {"threshold": 0.0}, {"threshold": float("nan")}])
def test_impossible_probabilities_are_refused(run: Path, option: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="strictly between 0 and 1"):
        build(run, **option)


@pytest.mark.parametrize("outcome", ["error", "invalid"])
@pytest.mark.parametrize("levels", [(-1, 0, 1), (0,), (2,), (-3, 2)])
def test_nothing_but_errors_or_invalid_starts_decides_nothing(
    tmp_path: Path, new_plan: Any, new_episode: Any, new_run: Any, outcome: str, levels: tuple[int, ...]
) -> None:
    plan = new_plan(levels=levels)
    episodes = [new_episode(key.task, key.rollout, key.level, outcome) for key in list(plan.episode_keys())]
    folder = new_run(tmp_path / "run", plan, episodes)
    report = build(folder)
    assert report.complete
    assert report.decidable.undecided == levels
    for found in report.break_levels:
        own = [level for level in levels if (level < 0 if found.direction == "-" else level > 0) or level == 0]
        assert (found.level, found.furthest) == (None, None)
        assert found.set == (*sorted(own, key=abs), None)
    assert Report.model_validate_json(report.model_dump_json()) == report
    assert write(folder, report).is_file()


class TestSecondStage:
    def folder(self, path: Path, new_plan: Any, new_episode: Any, new_run: Any) -> Path:
        """Level 1 was undecided at 20 starts (6 successes) and got 40 (16 successes)."""
        plan = new_plan(tasks=("pick_the_milk_up",), levels=(0, 1, 2), rollouts=20, top_up=40)
        won = {0: range(20), 1: [*range(6), *range(20, 30)], 2: range(0)}
        episodes = [
            new_episode(key.task, key.rollout, key.level, "success" if key.rollout in won[key.level] else "failure")
            for key in list(plan.episode_keys([1]))
        ]
        run = new_run(path / "run", plan, episodes)
        with Ledger(run / "events.jsonl") as ledger:
            log_top_up(ledger, plan, [1])
        return run

    def test_the_report_knows_both_looks(self, tmp_path: Path, new_plan: Any, new_episode: Any, new_run: Any) -> None:
        report = build(self.folder(tmp_path, new_plan, new_episode, new_run))
        assert (report.complete, report.topped, report.top_up) == (True, (1,), 40)
        assert [level.n for level in report.levels] == [20, 40, 20]
        assert report.decidable.alpha == pytest.approx(0.0125)
        # 16 of 40 rejects "p <= 0.2" at 0.0125; 0 of 20 rejects "p >= 0.2" (0.0115).
        assert report.break_levels[0].set == (2,)

    def test_the_frontier_is_what_is_undecided_and_decides(self, new_plan: Any, new_episode: Any) -> None:
        plan = new_plan(tasks=("pick_the_milk_up",), levels=(-1, 0, 1, 2), rollouts=20, top_up=40)
        won = {-1: 20, 0: 20, 1: 6, 2: 0}
        episodes = [
            new_episode(key.task, key.rollout, key.level, "success" if key.rollout < won[key.level] else "failure")
            for key in list(plan.episode_keys())
        ]
        assert undecided_frontier(plan, episodes) == (1,)
        more = [new_episode(plan.tasks[0], rollout, 1, "failure") for rollout in range(20, 40)]
        assert undecided_frontier(plan, episodes + more) == ()
        assert undecided_frontier(plan, []) == (-1, 0, 2)


def test_an_empty_run_is_incomplete_and_writable(tmp_path: Path, new_plan: Any, new_run: Any) -> None:
    folder = new_run(tmp_path / "run", new_plan(), [])
    (folder / "events.jsonl").write_bytes(b"")
    report = build(folder)
    assert not report.complete
    assert all(level.pending == 8 and level.rate is None for level in report.levels)
    assert write(folder, report).is_file()


def test_a_lost_ledger_is_no_empty_run(run: Path) -> None:
    (run / "events.jsonl").unlink()
    with pytest.raises(RunFolderError, match=r"the ledger of .* is gone; got no events.jsonl"):
        build(run)


def test_another_version_of_the_plan_is_refused(run: Path) -> None:
    request = json.loads((run / "plan.json").read_text())
    plan = Plan.model_validate({**request["plan"], "version": 7})
    (run / "plan.json").write_text(json.dumps({"plan": plan.model_dump(mode="json"), "hash": plan.hash}))
    with pytest.raises(RunFolderError, match=r"plan.json is of another version; got 7; expected 1"):
        build(run)


@pytest.mark.parametrize("value", [0.0, 1.0, 1e-17, 5e-324, 1 - 1e-16, float("nan"), 1.5])
def test_a_probability_without_tails_is_refused(run: Path, value: float) -> None:
    for name in ("confidence", "threshold"):
        with pytest.raises(UsageError, match=f"{name} is a probability"):
            build(run, **{name: value})


def test_an_unfinished_level_decides_nothing(tmp_path: Path, new_plan: Any, new_episode: Any, new_run: Any) -> None:
    """Successes end first: what an interrupted level holds so far flatters the policy."""
    plan = new_plan(tasks=("milk",), levels=(0, 1, 2), rollouts=40)
    outcome = {0: "success", 1: "failure", 2: "failure"}
    episodes = [new_episode("milk", n, level, outcome[level]) for level in outcome for n in range(40)]
    (whole,) = build(new_run(tmp_path / "whole", plan, episodes)).break_levels
    assert whole.set == (1,)
    early = [e for e in episodes if e.level != 1 or e.rollout < 39]
    (partial,) = build(new_run(tmp_path / "partial", plan, early)).break_levels
    assert (partial.level, partial.set) == (1, (1, 2))


def test_a_torn_last_line_is_left_out(run: Path) -> None:
    events = run / "events.jsonl"
    events.write_bytes(events.read_bytes()[:-5])
    assert sum(level.pending for level in build(run).levels) == 1


def test_no_run_folder(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="no run folder; got no such folder"):
        build(tmp_path / "nowhere")
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(RunFolderError, match=r"exists: notes\.txt"):
        build(tmp_path)


@pytest.mark.parametrize("name", ["plan.json", "manifest.json"])
@pytest.mark.parametrize("content", ["{", "[]", "{}"])
def test_unreadable_records_name_their_file(run: Path, name: str, content: str) -> None:
    (run / name).write_text(content)
    with pytest.raises(RunFolderError, match=name):
        build(run)


def test_a_changed_plan_is_noticed(run: Path) -> None:
    data = json.loads((run / "plan.json").read_text())
    data["plan"]["max_steps"] = 1
    (run / "plan.json").write_text(json.dumps(data))
    with pytest.raises(RunFolderError, match="changed after the run started"):
        build(run)


def test_an_unreadable_episode_is_a_ledger_error(tmp_path: Path, new_plan: Any, new_run: Any) -> None:
    folder = new_run(tmp_path / "run", new_plan(), [])
    with Ledger(folder / "events.jsonl") as ledger:
        ledger.append("episode", {"task": "pick_the_milk_up"})
    with pytest.raises(LedgerError, match="policy"):
        build(folder)


def test_a_report_is_not_written_into_another_run(run: Path, tmp_path: Path, new_plan: Any, new_run: Any) -> None:
    other = new_run(tmp_path / "other", new_plan(seed=1), [])
    with pytest.raises(RunFolderError, match="another run"):
        write(other, build(run))
    assert not (other / "report").exists()


def test_a_blocked_report_folder_is_an_error_and_leaves_nothing_behind(run: Path) -> None:
    (run / "report").write_text("in the way")
    with pytest.raises(RunFolderError, match="cannot be written"):
        write(run, build(run))
    assert (run / "report").read_text() == "in the way"


def test_a_failed_replacement_keeps_the_old_file(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(run, build(run))
    before = (run / "report" / "report.json").read_bytes()

    def broken(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", broken)
    with pytest.raises(RunFolderError, match="No space left"):
        write(run, build(run))
    assert (run / "report" / "report.json").read_bytes() == before
    assert sorted(path.name for path in (run / "report").iterdir()) == FILES

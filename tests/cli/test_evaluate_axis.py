"""The main job from the command line, on the lane world."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .conftest import Command

GOOD = ("--world", "lane", "--policy", "marcher", "--axis", "flag", "--levels=-1..4", "--rollouts", "3")


def essence(run: Path) -> list[tuple[object, ...]]:
    """Episodes sorted by key and projected to key, outcome, steps, cause."""
    lines = map(json.loads, (run / "episodes.jsonl").read_text().splitlines())
    return sorted(tuple(e[name] for name in ("task", "rollout", "level", "outcome", "steps", "cause")) for e in lines)


def test_help_fits_a_screen_and_shows_an_example(command: Command) -> None:
    for words, program in ((("--help",), "evaluate-axis"), (("evaluate-axis", "--help"), "indgen")):
        text = command(*words, program=program).stdout
        assert len(text.splitlines()) <= 40
        assert max(map(len, text.splitlines())) <= 80
        assert "Example: evaluate-axis --policy expert --axis pick" in text


def test_lists_show_built_ins_and_plugins(command: Command) -> None:
    for words, names in (
        ("axes", ("libero/pick-v1", "lane/flag-v1", "indgen-lane")),
        ("policies", ("expert", "replay", "noop", "random", "marcher", "cannot be loaded")),
        ("worlds", ("libero", "lane", "red, blue")),
    ):
        done = command(words, program="indgen")
        assert done.returncode == 0
        for name in names:
            assert name in done.stdout


def test_a_dry_run_prints_the_plan_and_runs_nothing(command: Command, tmp_path: Path) -> None:
    done = command(*GOOD, "--dry-run")
    assert done.returncode == 0
    assert "12 cells of 2 tasks x 6 levels, 3 rollouts each = 36 episodes" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_sweep_ends_with_the_break_level_and_the_reports_path(command: Command, tmp_path: Path) -> None:
    done = command(*GOOD, "--label", "h only", "--out", "run")
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "breaks at +3" in done.stdout
    assert done.stdout.splitlines()[-1] == "Report: run/report/report.html"
    report = json.loads((tmp_path / "run" / "report" / "report.json").read_text())
    assert (report["policy"], report["axis"], report["label"]) == ("marcher", "lane/flag-v1", "h only")
    assert {(b["direction"], b["level"]) for b in report["break_levels"]} == {("+", 3), ("-", None)}
    for line in (tmp_path / "run" / "episodes.jsonl").read_text().splitlines():
        assert {"policy", "axis", "level", "task", "rollout", "outcome", "cause", "steps"} <= json.loads(line).keys()


def test_the_same_command_finds_its_own_folder_and_repeats_nothing(command: Command, tmp_path: Path) -> None:
    assert command(*GOOD).returncode == 0
    (run,) = (tmp_path / "runs").iterdir()
    events = (run / "events.jsonl").read_bytes()
    again = command(*GOOD)
    assert again.returncode == 0
    assert "36 of them done already" in again.stdout
    assert (run / "events.jsonl").read_bytes() == events
    rebuilt = command("report", str(run), program="indgen")
    assert rebuilt.stdout.splitlines()[-5:-1] == again.stdout.splitlines()[-5:-1]


def test_plain_lines_where_there_is_no_terminal(command: Command) -> None:
    done = command(*GOOD)
    assert "rollouts: 36/36 done (" in done.stdout
    assert "\x1b[" not in done.stdout


def start(environment: dict[str, str], cwd: Path, *words: str) -> subprocess.Popen[str]:
    program = str(Path(sys.executable).with_name("evaluate-axis"))
    return subprocess.Popen(
        [program, *words],
        cwd=cwd,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_with_130_and_keeps_what_finished(
    environment: dict[str, str], command: Command, tmp_path: Path, how: signal.Signals
) -> None:
    words = (*GOOD, "--policy", "plodder", "--out", "run")
    running = start(environment, tmp_path, *words)
    wait_for_an_episode(tmp_path / "run" / "events.jsonl")
    running.send_signal(how)
    _, errors = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "run the same command again" in errors
    assert "Traceback" not in errors
    there = essence(tmp_path / "run")
    assert command(*words).returncode == 0
    assert set(there) <= set(essence(tmp_path / "run"))


def test_an_interrupt_ends_even_a_policy_that_never_answers(environment: dict[str, str], tmp_path: Path) -> None:
    running = start(environment, tmp_path, *GOOD, "--policy", "stuck", "--out", "run")
    deadline = time.monotonic() + 30
    while not (tmp_path / "run" / "scenes").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=30)
    assert running.returncode == 130


def wait_for_an_episode(events: Path, patience_s: float = 30) -> None:
    deadline = time.monotonic() + patience_s
    while not (events.exists() and b'"episode"' in events.read_bytes()):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_kills_at_random_moments_lose_and_repeat_nothing(
    environment: dict[str, str], command: Command, tmp_path: Path
) -> None:
    words = (*GOOD, "--policy", "plodder")
    assert command(*words, "--out", "whole").returncode == 0
    dice = random.Random(5)
    for _ in range(6):
        running = start(environment, tmp_path, *words, "--out", "killed")
        time.sleep(dice.uniform(0.6, 1.6))
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
    assert command(*words, "--out", "killed").returncode == 0
    assert essence(tmp_path / "killed") == essence(tmp_path / "whole")
    events = map(json.loads, (tmp_path / "killed" / "events.jsonl").read_text().splitlines())
    keys = [(e["data"]["task"], e["data"]["rollout"], e["data"]["level"]) for e in events if e["kind"] == "episode"]
    assert len(keys) == len(set(keys)) == 36


def test_undecided_levels_are_topped_up_until_they_are_decided(command: Command, tmp_path: Path) -> None:
    words = ("--world", "lane", "--policy", "marcher", "--axis", "flag", "--levels", "0..4", "--rollouts", "3")
    plain = command(*words, "--out", "plain")
    topped = command(*words, "--top-up", "12", "--out", "topped")
    assert (plain.returncode, topped.returncode) == (0, 0), topped.stderr
    reports = {
        name: json.loads((tmp_path / name / "report" / "report.json").read_text()) for name in ("plain", "topped")
    }
    assert [found["level"] for name in reports for found in reports[name]["break_levels"]] == [3, 3]
    assert len(reports["plain"]["break_levels"][0]["set"]) > 1
    assert reports["topped"]["break_levels"][0]["set"] == [3]
    counted = {level["level"]: level["n"] for level in reports["topped"]["levels"]}
    assert set(counted.values()) == {6, 24}
    events = map(json.loads, (tmp_path / "topped" / "events.jsonl").read_text().splitlines())
    logged = [level for event in events if event["kind"] == "top-up" for level in event["data"]["levels"]]
    assert sorted(logged) == [level for level, n in counted.items() if n == 24] == reports["topped"]["topped"]
    again = command(*words, "--top-up", "12", "--out", "topped")
    assert again.returncode == 0
    assert json.loads((tmp_path / "topped" / "report" / "report.json").read_text()) == reports["topped"]


def test_a_sweep_file_runs_every_pair_and_flags_override_it(command: Command, tmp_path: Path) -> None:
    (tmp_path / "sweep.yaml").write_text(
        "policy: [marcher, plodder]\naxis: [flag, pits]\nworld: lane\nrollouts: 9\nout: runs/both\nlevels: 0..2\n"
    )
    done = command("--config", "sweep.yaml", "--rollouts", "1", "--tasks", "red")
    assert done.returncode == 0, done.stderr
    names = {path.name for path in (tmp_path / "runs" / "both").iterdir()}
    assert names == {f"{p}-lane_{a}-v1" for p in ("marcher", "plodder") for a in ("flag", "pits")}
    assert done.stdout.count("3 episodes") == 4
    (tmp_path / "sweep.yaml").write_text("policy: [marcher, mrcher]\naxis: flag\nworld: lane\n")
    wrong = command("--config", "sweep.yaml", "--rollouts", "1")
    assert wrong.returncode == 2
    assert "did you mean marcher" in wrong.stderr
    assert "episodes" not in wrong.stdout, "nothing may run before everything is planned"


def test_a_composed_axis_is_swept_resumed_and_reported_like_any_other(command: Command, tmp_path: Path) -> None:
    words = ("--world", "lane", "--policy", "marcher", "--axis", "flag+pits", "--rollouts", "2")
    shown = command(*words, "--dry-run")
    assert "lane/flag-v1+pits-v1" in shown.stdout
    assert "10 cells of 2 tasks x 5 levels, 2 rollouts each = 20 episodes" in shown.stdout
    done = command(*words)
    assert done.returncode == 0, done.stderr
    (run,) = (tmp_path / "runs").iterdir()
    assert run.name.startswith("marcher-lane_flag-v1_pits-v1-")
    again = command(*words[:5], "lane/flag-v1+pits-v1", *words[6:])
    assert "20 of them done already" in again.stdout
    report = json.loads((run / "report" / "report.json").read_text())
    assert (report["axis"], report["axis_card"]["step"]) == ("lane/flag-v1+pits-v1", 1.0)
    assert [level["level"] for level in report["levels"]] == [-1, 0, 1, 2, 3]
    assert "lane/flag-v1+pits-v1" in (run / "report" / "report.html").read_text()
    edits = {(e["level"], e["scene"]) for e in map(json.loads, (run / "episodes.jsonl").read_text().splitlines())}
    assert len(edits) == 20


def test_a_sweep_file_takes_compositions_beside_their_parts(command: Command, tmp_path: Path) -> None:
    (tmp_path / "sweep.yaml").write_text(
        "policy: marcher\naxis: [flag, pits, flag+pits, flag-v1+lane/pits]\nworld: lane\nrollouts: 2\nout: all\n"
        "levels: [0, 1, 2, 3]\n"
    )
    assert command("--config", "sweep.yaml").returncode == 0
    names = sorted(path.name for path in (tmp_path / "all").iterdir())
    assert names == ["marcher-lane_flag-v1", "marcher-lane_flag-v1_pits-v1", "marcher-lane_pits-v1"]
    done = command("compare", *(f"all/{name}" for name in names), "--out", "attributed", program="indgen")
    assert done.returncode == 0, done.stderr
    assert "Attribution of lane/flag-v1+pits-v1, marcher" in done.stdout
    (table,) = json.loads((tmp_path / "attributed" / "compare.json").read_text())["attributions"]
    assert (table["parts"], table["runs"]) == (["lane/flag-v1", "lane/pits-v1"], ["A", "C", "B"])
    reports = [json.loads((tmp_path / "all" / name / "report" / "report.json").read_text()) for name in names]
    wanted = [[level["successes"] for level in reports[number]["levels"]] for number in (0, 2, 1)]
    assert [[rate["successes"] for rate in row["rates"]] for row in table["levels"]] == list(
        map(list, zip(*wanted, strict=True))
    )
    assert [row["level"] for row in table["levels"]] == [0, 1, 2, 3]

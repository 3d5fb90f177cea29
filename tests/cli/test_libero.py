"""The main job on LIBERO's own physics, from the command line."""

from __future__ import annotations

import json
import os
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from .conftest import Command
from .test_evaluate_axis import essence, start, wait_for_an_episode

pytestmark = pytest.mark.libero
Lines = list[dict[str, Any]]


def episodes(run: Path) -> Lines:
    return [json.loads(line) for line in (run / "episodes.jsonl").read_text().splitlines()]


def test_the_expert_succeeds_on_every_valid_start(command: Command, tmp_path: Path) -> None:
    words = ("--policy", "expert", "--axis", "pick", "--tasks", "salad_dressing,milk", "--levels=-3,0,3")
    done = command(*words, "--rollouts", "1", "--protocol", "paper", "--out", "run")
    assert done.returncode == 0, done.stderr
    assert "Uncertified, run and counted apart: pick_up_the_salad_dressing" in done.stdout
    outcomes = {(e["task"].split("_the_")[1][:4], e["level"]): e["outcome"] for e in episodes(tmp_path / "run")}
    assert outcomes.pop(("sala", -3)) == "invalid"
    assert set(outcomes.values()) == {"success"}
    assert "-3: without salad_dressing; 1 of 2 tasks are left" in done.stdout
    report = json.loads((tmp_path / "run" / "report" / "report.json").read_text())
    assert [(level["successes"], level["n"]) for level in report["levels"]] == [(1, 1), (2, 2), (2, 2)]
    published = report["published"]["levels"]
    assert [(level["successes"], level["n"]) for level in published] == [(1, 2), (2, 2), (2, 2)]
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["world"]["packages"]["mujoco"] == "2.3.7"
    assert manifest["world"]["packages"]["robosuite"] == "1.4.0"


def test_cells_without_a_certificate_are_left_out(command: Command, tmp_path: Path) -> None:
    words = ("--policy", "noop", "--axis", "pick+distractors", "--tasks", "salad_dressing", "--levels=-3,-2")
    done = command(*words, "--rollouts", "1", "--max-steps", "2", "--out", "run")
    assert done.returncode == 0, done.stderr
    assert "Left out, not certified: pick_up_the_salad_dressing_and_place_it_in_the_basket at -3" in done.stdout
    assert {e["level"] for e in episodes(tmp_path / "run")} == {-2}


@pytest.mark.parametrize(
    ("axis", "levels"), [("goal", "-3,2"), ("scale", "-3,3"), ("distractors", "0,3"), ("pick+distractors", "-1,2")]
)
def test_every_axis_resumes_to_the_same_episodes_whatever_the_workers(
    environment: dict[str, str], command: Command, tmp_path: Path, axis: str, levels: str
) -> None:
    words = ("--policy", "expert", "--axis", axis, "--tasks", "bbq_sauce", f"--levels={levels}", "--rollouts", "2")
    running = start(environment, tmp_path, *words, "--workers", "1", "--out", "killed")
    wait_for_an_episode(tmp_path / "killed" / "events.jsonl", 120)
    for pid in (*workers_of(running.pid), running.pid):
        os.kill(pid, signal.SIGKILL)
    running.communicate()
    for workers, out in (("2", "killed"), ("1", "whole")):
        done = command(*words, "--workers", workers, "--out", out)
        assert done.returncode == 0, done.stderr
    assert essence(tmp_path / "killed") == essence(tmp_path / "whole")
    assert Counter(e["outcome"] for e in episodes(tmp_path / "killed")) == {"success": 4}


def test_invalid_starts_of_another_suite_are_dropped_by_name(command: Command, tmp_path: Path) -> None:
    words = ("--policy", "noop", "--axis", "goal", "--suite", "spatial", "--tasks", "between", "--levels=-3,0")
    done = command(*words, "--rollouts", "1", "--max-steps", "2", "--out", "run")
    assert done.returncode == 0, done.stderr
    assert {e["level"]: e["outcome"] for e in episodes(tmp_path / "run")} == {-3: "invalid", 0: "failure"}
    assert "1 of 1 starts dropped at every level, invalid at -3" in done.stdout


def test_a_memoriser_breaks_and_workers_change_nothing(command: Command, tmp_path: Path) -> None:
    words = ("--policy", "replay", "--axis", "pick", "--tasks", "milk,butter", "--levels=-2,0,2", "--rollouts", "2")
    for workers in ("1", "2"):
        done = command(*words, "--workers", workers, "--out", workers)
        assert done.returncode == 0, done.stderr
    assert essence(tmp_path / "1") == essence(tmp_path / "2")
    found = Counter((e["level"], e["outcome"]) for e in episodes(tmp_path / "1"))
    assert found == {(0, "success"): 4, (2, "failure"): 4, (-2, "failure"): 4}
    assert "DEMONSTRATIONS: shown by expert at level 0" in done.stdout
    assert abs(following(tmp_path / "1", "pick")["value"]) < 0.1


def following(run: Path, role: str) -> dict[str, Any]:
    """The pooled following ratio of a report."""
    found = json.loads((run / "report" / "report.json").read_text())["following"]
    assert found["role"] == role
    return found["pooled"]


@pytest.mark.parametrize(
    ("policy", "axis", "ratio"), [("expert", "pick", 1), ("expert", "goal", 1), ("replay", "goal", 0)]
)
def test_a_policy_that_looks_follows_and_a_memoriser_does_not(
    command: Command, tmp_path: Path, policy: str, axis: str, ratio: int
) -> None:
    # A flat object: a tall one that strikes the basket's rim is pushed aside, hand and all.
    words = ("--policy", policy, "--axis", axis, "--tasks", "butter", "--levels=-2,0,2", "--rollouts", "2")
    done = command(*words, "--out", "run")
    assert done.returncode == 0, done.stderr
    found = following(tmp_path / "run", axis)
    assert (found["n"], found["starts"]) == (4, 2)
    assert abs(found["value"] - ratio) < 0.1
    assert "following ratio " in done.stdout
    assert (tmp_path / "run" / "report" / "following.svg").is_file()


def test_a_crashed_worker_is_replaced_and_its_episode_retried(
    environment: dict[str, str], tmp_path: Path, libero_python: Path
) -> None:
    words = ("--policy", "expert", "--axis", "pick", "--tasks", "milk", "--levels", "0..1", "--rollouts", "5")
    running = start(environment, tmp_path, *words, "--workers", "1", "--out", "run")
    wait_for_an_episode(tmp_path / "run" / "events.jsonl", 90)
    for worker in workers_of(running.pid):
        os.kill(worker, signal.SIGSEGV)
    _, errors = running.communicate(timeout=200)
    assert running.returncode == 0, errors
    assert Counter(e["outcome"] for e in episodes(tmp_path / "run")) == {"success": 10}
    events = map(json.loads, (tmp_path / "run" / "events.jsonl").read_text().splitlines())
    causes = [e["data"]["cause"] for e in events if e["kind"] == "episode" and e["data"]["outcome"] == "error"]
    assert len(causes) == 1
    assert "worker died in" in causes[0]
    assert "signal 11" in causes[0]


def workers_of(pid: int) -> list[int]:
    """Process ids of a runner's workers."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in listed if b"sim/worker" in Path(f"/proc/{child}/cmdline").read_bytes()]


def test_a_kill_of_the_whole_tree_loses_and_repeats_nothing(
    environment: dict[str, str], command: Command, tmp_path: Path
) -> None:
    words = ("--policy", "expert", "--axis", "pick", "--tasks", "butter", "--levels", "0..1", "--rollouts", "3")
    running = start(environment, tmp_path, *words, "--out", "killed")
    wait_for_an_episode(tmp_path / "killed" / "events.jsonl", 90)
    tree = [*workers_of(running.pid), running.pid]
    for pid in tree:
        os.kill(pid, signal.SIGKILL)
    running.communicate()
    time.sleep(0.1)
    for out in ("killed", "whole"):
        assert command(*words, "--out", out).returncode == 0
    assert essence(tmp_path / "killed") == essence(tmp_path / "whole")
    events = map(json.loads, (tmp_path / "killed" / "events.jsonl").read_text().splitlines())
    keys = [(e["data"]["rollout"], e["data"]["level"]) for e in events if e["kind"] == "episode"]
    assert len(keys) == len(set(keys)) == 6


@pytest.mark.render
def test_video_and_pictures_where_rendering_is_available(command: Command, tmp_path: Path) -> None:
    words = ("--policy", "expert", "--axis", "pick", "--tasks", "milk", "--levels", "0,3", "--rollouts", "1", "--video")
    done = command(*words, "--out", "run")
    assert done.returncode == 0, done.stderr
    for episode in episodes(tmp_path / "run"):
        assert (tmp_path / "run" / episode["video"]).stat().st_size > 10_000
    assert {path.name for path in (tmp_path / "run" / "pictures").iterdir()} == {
        "caption.txt",
        "level_0.png",
        "level_3.png",
    }
    assert "data:image/png;base64," in (tmp_path / "run" / "report" / "report.html").read_text()

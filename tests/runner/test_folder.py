from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from indgen.core.errors import LedgerError, RunFolderError
from indgen.runner.episodes import Episode
from indgen.runner.folder import RunFolder, default_folder, read_plan
from indgen.runner.ledger import Ledger
from indgen.runner.plan import Plan

PLAN = Plan(
    world="libero",
    policy="expert",
    axis="libero/pick-v1",
    tasks=("milk",),
    levels=(0, 1),
    rollouts=2,
    max_steps=280,
    success="published",
    execute=1,
)
MANIFEST: dict[str, Any] = {
    "world": {"mujoco": "2.3.7", "assets": {"milk": "abc"}},
    "policy_card": {"id": "expert"},
    "policy_spec": {"chunk": 1},
    "axis_card": {"step": 0.025},
    "git": {"commit": "1"},
}


def record(rollout: int, level: int = 0, outcome: str = "success") -> dict[str, Any]:
    return {
        "policy": "expert",
        "axis": "libero/pick-v1",
        "level": level,
        "task": "milk",
        "rollout": rollout,
        "outcome": outcome,
        "cause": None,
        "steps": 9,
        "seed": 1,
        "policy_seed": 2,
        "attempt": 1,
        "started": "2025-01-01T00:00:00.000+00:00",
        "wall_s": 1.0,
        "policy_s": 0.1,
    }


def test_a_new_folder_is_claimed_with_its_plan(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "run"
    RunFolder(path, PLAN).close()
    assert read_plan(path) == PLAN
    assert json.loads((path / "plan.json").read_text())["hash"] == PLAN.hash


def test_the_same_plan_resumes_with_what_stands(tmp_path: Path) -> None:
    first = RunFolder(tmp_path, PLAN)
    first.ledger.append("episode", record(0))
    first.close()
    again = RunFolder(tmp_path, PLAN)
    assert again.episodes() == [Episode(**record(0))]
    again.close()


def test_episodes_are_a_fold_of_the_ledger_one_line_each_sorted(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path, PLAN)
    for data in (record(1), record(0, 1), record(0, 0, "error"), record(0, 0, "failure")):
        folder.ledger.append("episode", data)
    folder.write_episodes()
    folder.close()
    lines = [json.loads(line) for line in (tmp_path / "episodes.jsonl").read_text().splitlines()]
    assert [(line["rollout"], line["level"], line["outcome"]) for line in lines] == [
        (0, 0, "failure"),
        (0, 1, "success"),
        (1, 0, "success"),
    ]
    assert {"policy", "axis", "level", "task", "rollout", "outcome", "cause", "steps"} <= set(lines[0])


def test_a_foreign_folder_is_refused_and_left_alone(tmp_path: Path) -> None:
    for name in ("thesis.tex", "a", "b", "c"):
        (tmp_path / name).write_text("mine")
    with pytest.raises(RunFolderError, match=r"holds something else; got .* with a, b, c, \.\.\.; expected an empty"):
        RunFolder(tmp_path, PLAN)
    assert {entry.name for entry in tmp_path.iterdir()} == {"thesis.tex", "a", "b", "c"}


def test_a_claim_that_a_crash_cut_short_is_taken_up(tmp_path: Path) -> None:
    Ledger(tmp_path / "events.jsonl").close()
    RunFolder(tmp_path, PLAN).close()
    assert read_plan(tmp_path) == PLAN


def test_a_crash_in_the_middle_of_writing_the_plan_is_taken_up(tmp_path: Path) -> None:
    Ledger(tmp_path / "events.jsonl").close()
    (tmp_path / ".plan.json.4711").write_text('{"plan": ')
    RunFolder(tmp_path, PLAN).close()


def test_a_run_of_another_plan_is_refused_with_every_difference(tmp_path: Path) -> None:
    RunFolder(tmp_path, PLAN).close()
    other = PLAN.model_copy(update={"rollouts": 5, "seed": 3})
    with pytest.raises(
        RunFolderError,
        match="of another plan; got rollouts: 5 asked for, 2 in the folder; seed: 3 asked for, 0 in the folder;",
    ):
        RunFolder(tmp_path, other)
    assert read_plan(tmp_path) == PLAN


def test_a_folder_in_use_is_refused_until_it_is_let_go(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path, PLAN)
    with pytest.raises(RunFolderError, match="another run is writing to this folder"):
        RunFolder(tmp_path, PLAN)
    folder.close()
    RunFolder(tmp_path, PLAN).close()


@pytest.mark.parametrize("below", ["", "run", "deep/run"])
def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(RunFolderError, match=r"cannot write the run folder; got .*; choose another one with --out"):
        RunFolder(tmp_path / "file" / below, PLAN)


def test_a_broken_ledger_stops_everything(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path, PLAN)
    for rollout in (0, 1):
        folder.ledger.append("episode", record(rollout))
    folder.close()
    damaged = (tmp_path / "events.jsonl").read_text().replace('"rollout": 0', '"rollout": 7')
    (tmp_path / "events.jsonl").write_text(damaged)
    with pytest.raises(LedgerError, match="broken at line 1"):
        RunFolder(tmp_path, PLAN)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"plan": {}}', '{"plan": {"world": 3}}', "\0"])
def test_a_plan_that_cannot_be_read_is_refused_and_kept(tmp_path: Path, content: str) -> None:
    (tmp_path / "plan.json").write_text(content)
    with pytest.raises(RunFolderError, match=r"cannot read the plan of this run folder; got .*plan.json: .*"):
        RunFolder(tmp_path, PLAN)
    assert (tmp_path / "plan.json").read_text() == content


def test_a_plan_of_another_version_is_refused(tmp_path: Path) -> None:
    plan = {**PLAN.model_dump(mode="json"), "version": 99}
    (tmp_path / "plan.json").write_text(json.dumps({"plan": plan, "hash": ""}))
    with pytest.raises(RunFolderError):
        read_plan(tmp_path)


def test_a_folder_without_a_plan_has_none(tmp_path: Path) -> None:
    assert read_plan(tmp_path) is None
    assert read_plan(tmp_path / "missing") is None


def test_the_first_manifest_is_kept(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path, PLAN)
    folder.adopt_manifest(MANIFEST)
    folder.adopt_manifest({**MANIFEST, "git": {"commit": "2"}})
    folder.close()
    assert json.loads((tmp_path / "manifest.json").read_text()) == MANIFEST


@pytest.mark.parametrize(
    ("part", "value", "words"),
    [
        (
            "world",
            {"mujoco": "3.3", "assets": {"milk": "abd"}},
            'world: assets milk was "abc", is "abd", mujoco was "2.3.7", is "3.3"',
        ),
        ("policy_card", {"id": "expert", "checkpoint": "x"}, 'policy_card: checkpoint was null, is "x"'),
        ("policy_spec", {"chunk": 2}, "policy_spec: chunk was 1, is 2"),
        ("axis_card", None, 'axis_card: was {"step": 0.025}, is null'),
    ],
)
def test_a_changed_manifest_is_refused_with_what_changed(tmp_path: Path, part: str, value: Any, words: str) -> None:
    folder = RunFolder(tmp_path, PLAN)
    folder.adopt_manifest(MANIFEST)
    with pytest.raises(RunFolderError) as caught:
        folder.adopt_manifest({**MANIFEST, part: value})
    folder.close()
    assert f"has changed; got {words}; begin another run with --out" in str(caught.value)


def test_a_manifest_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path, PLAN)
    (tmp_path / "manifest.json").write_text("{")
    try:
        with pytest.raises(RunFolderError):
            folder.adopt_manifest(MANIFEST)
    finally:
        folder.close()


def test_the_default_folder_is_a_plan_s_own_and_a_plain_name() -> None:
    plans = [PLAN, PLAN.model_copy(update={"seed": 1}), PLAN.model_copy(update={"label": "../x y"})]
    names = [default_folder(plan).as_posix() for plan in plans]
    assert names[0] == f"runs/expert-libero_pick-v1-{PLAN.hash[:8]}"
    assert names[2].startswith("runs/expert-libero_pick-v1-.._x_y-")
    assert len(set(names)) == 3
    assert default_folder(PLAN) == default_folder(PLAN.model_copy())

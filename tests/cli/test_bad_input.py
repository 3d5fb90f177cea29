"""Bad input: one line that helps, the right exit code, no traceback, nothing lost."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from indgen.runner.folder import RunFolder

from ..runner.lane import lane_plan
from .conftest import Command

GOOD = ("--world", "lane", "--policy", "marcher", "--axis", "flag", "--rollouts", "2", "--out", "run")


def refused(done: subprocess.CompletedProcess[str], code: int, *said: str) -> None:
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    errors = [line for line in done.stderr.splitlines() if line.strip()]
    assert len(errors) == 1, errors
    for words in said:
        assert words in errors[0]


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (("--axis", "flgs"), ("unknown axis", "did you mean flag")),
        (("--axis", "libero/pick-v1"), ("libero", "lane")),
        (("--policy", "marchr"), ("unknown policy", "did you mean marcher")),
        (("--policy", "misfit"), ("3 mismatch", "arm/joints", "camera front", "state y")),
        (("--policy", "expert"), ("does not fit", "libero/osc-pose-delta")),
        (("--policy", "unimportable"), ("cannot load unimportable", "no_such_module", "indgen-lane 1.0")),
        (("--world", "lain"), ("unknown world", "did you mean lane")),
        (("--tasks", "red,bleu"), ("unknown task", "did you mean blue")),
        (("--tasks", ","), ("no task", "red")),
        (("--levels", "0..9"), ("no such level", "5, 6, 7, 8, 9")),
        (("--levels", "a..b"), ("cannot be read",)),
        (("--levels=3..-1",), ("runs upwards",)),
        (("--rollouts", "0"), ("--rollouts 0", "1 or more")),
        (("--rollouts", "-3"), ("--rollouts -3",)),
        (("--rollouts", "many"), ("--rollouts", "integer")),
        (("--workers", "0"), ("--workers 0",)),
        (("--max-steps", "0"), ("--max-steps 0",)),
        (("--success", "luck"), ("unknown success predicate", "arrived")),
        (("--polcy", "x"), ("--polcy",)),
    ],
)
def test_usage_errors_leave_with_2(
    command: Command, tmp_path: Path, extra: tuple[str, ...], said: tuple[str, ...]
) -> None:
    refused(command(*GOOD, *extra), 2, *said)
    assert not (tmp_path / "run").exists()


def test_an_unwritable_folder_is_refused(command: Command, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    refused(command(*GOOD, "--out", "file/run"), 2, "cannot write the run folder", "--out")


def test_a_foreign_folder_is_refused_untouched(command: Command, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("precious")
    refused(command(*GOOD, "--out", "thesis"), 2, "something else", "chapter.tex")
    assert [path.name for path in (tmp_path / "thesis").iterdir()] == ["chapter.tex"]


def test_another_plan_in_the_same_folder_is_refused(command: Command, tmp_path: Path) -> None:
    assert command(*GOOD).returncode == 0
    before = (tmp_path / "run" / "events.jsonl").read_bytes()
    refused(command(*GOOD, "--rollouts", "3"), 2, "another plan", "rollouts: 3 here, 2 there")
    assert (tmp_path / "run" / "events.jsonl").read_bytes() == before


def test_two_runs_cannot_write_one_folder(command: Command, tmp_path: Path) -> None:
    assert command(*GOOD).returncode == 0
    plan = lane_plan(levels=(-5, -1, 0, 1, 2, 3, 4), rollouts=2)
    holder = RunFolder(tmp_path / "run", plan)
    try:
        refused(command(*GOOD), 2, "another run is writing", "--out")
    finally:
        holder.close()
    assert command(*GOOD).returncode == 0


@pytest.mark.parametrize(
    ("policy", "said"),
    [("wrong_shape", "(1, 7)"), ("not_a_number", "NaN"), ("too_far", "3 in dx")],
)
def test_a_policy_that_breaks_its_contract_leaves_with_1(
    command: Command, tmp_path: Path, policy: str, said: str
) -> None:
    done = command(*GOOD, "--policy", policy)
    refused(done, 1, "attempts in a row ended in an error", said, "resume")
    lines = (tmp_path / "run" / "episodes.jsonl").read_text().splitlines()
    assert lines
    assert not any('"failure"' in line for line in lines)


def test_a_broken_ledger_is_never_overwritten(command: Command, tmp_path: Path) -> None:
    assert command(*GOOD).returncode == 0
    events = tmp_path / "run" / "events.jsonl"
    lines = events.read_bytes().splitlines(keepends=True)
    lines[3] = lines[3].replace(b"success", b"failure", 1).replace(b"lane", b"line", 1)
    events.write_bytes(b"".join(lines))
    refused(command(*GOOD), 1, "broken at line 4")
    assert events.read_bytes() == b"".join(lines)


def test_a_report_of_nothing_is_refused(command: Command, tmp_path: Path) -> None:
    refused(command("report", "nowhere", program="indgen"), 2, "nowhere")

"""Bad input: one line that helps, the right exit code, no traceback, nothing lost."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from indgen.runner.folder import RunFolder
from indgen.runner.ledger import read

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
        (("--axis", "flag+pist"), ("unknown axis", "'pist'", "did you mean pits")),
        (("--axis", "flag+"), ("lacks a part", "'flag+'")),
        (("--axis", "flag+flag-v1"), ("named twice", "lane/flag-v1")),
        (("--axis", "flag+libero/pick"), ("axis libero/pick-v1 is not of this world", "expected lane")),
        (("--axis", "libero/pick+scale"), ("axis libero/pick-v1 is not of this world", "expected lane")),
        (("--axis", "flag+pits", "--levels", "4"), ("lane/flag-v1+pits-v1 has no such level",)),
        (("--policy", "marchr"), ("unknown policy", "did you mean marcher")),
        (("--policy", "misfit"), ("3 mismatch", "arm/joints", "camera front", "state y")),
        (("--policy", "expert"), ("does not fit", "libero/osc-pose-delta")),
        (("--policy", "unimportable"), ("cannot load unimportable", "no_such_module", "indgen-lane 1.0")),
        (("--policy", "impostor"), ("impostor calls itself something else", "'marcher'", "indgen-lane 1.0")),
        (("--policy", "malformed"), ("PolicyCard of malformed is malformed", "data = None")),
        (("--label", "two\nlines"), ("a label is a line of plain text",)),
        (("--max-steps", "9" * 30), ("needs steps",)),
        (("--levels", "9" * 5000), ("levels cannot be read",)),
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
    refused(command(*GOOD, "--rollouts", "3"), 2, "another plan", "rollouts: 3 asked for, 2 in the folder")
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
    [
        ("wrong_shape", "(1, 7)"),
        ("not_a_number", "NaN"),
        ("too_far", "3 in dx"),
        ("quitter", "SystemExit: 0"),
        ("babbler", "cannot open \\udcff.npz [31m xxx"),
        ("longsighted", "executes more than the spec says"),
    ],
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
    number = next(index for index, line in enumerate(lines) if b'"success"' in line)
    lines[number] = lines[number].replace(b"success", b"failure", 1)
    events.write_bytes(b"".join(lines))
    refused(command(*GOOD), 1, f"broken at line {number + 1}")
    assert events.read_bytes() == b"".join(lines)


def test_a_report_of_nothing_is_refused(command: Command, tmp_path: Path) -> None:
    refused(command("report", "nowhere", program="indgen"), 2, "nowhere")


def test_a_policy_may_change_the_working_folder(command: Command, tmp_path: Path) -> None:
    done = command(*GOOD, "--policy", "wanderer")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "run" / "report" / "report.html").exists()
    assert done.stdout.splitlines()[-1] == "Report: run/report/report.html"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_never_reach_the_ledger(environment: dict[str, str], tmp_path: Path, closed: str) -> None:
    program = Path(sys.executable).with_name("evaluate-axis")
    line = shlex.join([str(program), *GOOD, "--policy", "vandal"])
    for _ in range(2):
        subprocess.run(["bash", "-c", f"{line} {closed}"], cwd=tmp_path, env=environment, check=True, timeout=120)
    assert len(list(read(tmp_path / "run" / "events.jsonl"))) > 28


def test_a_lost_ledger_is_not_begun_over(command: Command, tmp_path: Path) -> None:
    assert command(*GOOD).returncode == 0
    (tmp_path / "run" / "events.jsonl").write_bytes(b"")
    folded = (tmp_path / "run" / "episodes.jsonl").read_bytes()
    refused(command(*GOOD), 1, "the ledger of run is gone", "restore it")
    assert (tmp_path / "run" / "episodes.jsonl").read_bytes() == folded


def test_a_lost_manifest_comes_back_from_the_ledger(command: Command, tmp_path: Path) -> None:
    assert command(*GOOD).returncode == 0
    manifest = (tmp_path / "run" / "manifest.json").read_text()
    (tmp_path / "run" / "manifest.json").unlink()
    assert command(*GOOD, "--rollouts", "2").returncode == 0
    assert (tmp_path / "run" / "manifest.json").read_text() == manifest


def test_a_torn_ledger_is_mentioned(command: Command, tmp_path: Path) -> None:
    assert command(*GOOD).returncode == 0
    with (tmp_path / "run" / "events.jsonl").open("ab") as file:
        file.write(b'{"seq": 99')
    done = command(*GOOD)
    assert done.returncode == 0
    assert "torn by a crash; it is kept as events.jsonl.torn-" in done.stdout


def test_a_changed_start_is_grounded_again(command: Command, tmp_path: Path) -> None:
    assert command(*GOOD).returncode == 0
    whole = (tmp_path / "run" / "episodes.jsonl").read_text()
    scene = tmp_path / "run" / "scenes" / "red_flag-000.json"
    original = scene.read_text()
    scene.write_text(original.replace('"flag": 3', '"flag": 9'))
    events = tmp_path / "run" / "events.jsonl"
    kept = events.read_bytes().splitlines(keepends=True)[:16]
    events.write_bytes(b"".join(kept))
    assert command(*GOOD).returncode == 0
    assert scene.read_text() == original
    outcomes = [
        [json.loads(line)[name] for name in ("task", "level", "outcome", "steps", "scene")]
        for line in whole.splitlines()
    ]
    again = (tmp_path / "run" / "episodes.jsonl").read_text().splitlines()
    assert [
        [json.loads(line)[name] for name in ("task", "level", "outcome", "steps", "scene")] for line in again
    ] == outcomes


@pytest.mark.parametrize("program", ["indgen", "evaluate-axis"])
def test_an_interrupt_while_it_is_still_importing_is_one_line(
    environment: dict[str, str], tmp_path: Path, program: str
) -> None:
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt\n")
    path = str(Path(sys.executable).with_name(program))
    done = subprocess.run(
        [path, "--help"], env={**environment, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, timeout=60
    )
    refused(done, 130, "interrupted; nothing had begun")


def test_a_reader_that_leaves_is_told_of_in_one_line(environment: dict[str, str]) -> None:
    path = str(Path(sys.executable).with_name("indgen"))
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run([path, "axes"], env=environment, stdout=writing, stderr=subprocess.PIPE, text=True)
    finally:
        os.close(writing)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "error: nobody reads the output any more; run the same command again to go on where it stopped"
    ]

"""``indgen compare`` as a user runs it, on run folders spelled out start by start."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from ..reports.compare.conftest import spell
from .conftest import Command

WEAK = {0: "S" * 40, 1: "S" * 20 + "F" * 20, 2: "F" * 40}
STRONG = {0: "S" * 40, 1: "S" * 40, 2: "S" * 39 + "F"}


@pytest.fixture
def runs(tmp_path: Path) -> None:
    """Folders ``weak``, ``strong``, ``strict`` (of another predicate) and ``goal`` (of another axis)."""
    spell(tmp_path / "weak", WEAK, label="h-only")
    spell(tmp_path / "strong", STRONG, label="h+mg")
    spell(tmp_path / "strict", STRONG, success="strict", max_steps=300)
    spell(tmp_path / "goal", STRONG, axis="libero/goal-v1")


def refused(done: subprocess.CompletedProcess[str], *said: str) -> None:
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert not done.stdout
    (error,) = [line for line in done.stderr.splitlines() if line.strip()]
    for words in said:
        assert words in error


def test_help_fits_a_screen_and_shows_an_example(command: Command) -> None:
    text = command("compare", "--help", program="indgen").stdout
    assert len(text.splitlines()) <= 40
    assert max(map(len, text.splitlines())) <= 80
    assert "Example: indgen compare runs/h-only runs/h-mg --out comparison" in text


@pytest.mark.usefixtures("runs")
def test_two_runs_are_compared_and_nothing_is_written(command: Command, tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    done = command("compare", "weak", "strong", program="indgen")
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    text = " ".join(done.stdout.split())
    assert "exact McNemar test" in text
    assert "B breaks later than A; A in {+2}, B in {not reached}; error at most 5%" in text
    assert "B succeeds more than A; -49.2 points over 40 starts" in text
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.usefixtures("runs")
def test_out_gets_the_record_and_the_figures(command: Command, tmp_path: Path) -> None:
    done = command("compare", "weak", "strong", "--out", "here/it/is", "--confidence", "0.9", program="indgen")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "Comparison: here/it/is/compare.json"
    out = tmp_path / "here" / "it" / "is"
    record = json.loads((out / "compare.json").read_text())
    assert (record["schema_version"], record["confidence"], record["differences"]) == (1, 0.9, [])
    (axis,) = record["axes"]
    assert [level["only_b"] for level in axis["pairs"][0]["levels"]] == [0, 20, 39]
    assert (axis["pairs"][0]["breaks"][0]["later"], axis["pairs"][0]["breaks"][0]["alpha"]) == ("B", 0.1)
    assert (out / "success_compare.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (out / "success_compare.svg").read_text()


@pytest.mark.usefixtures("runs")
def test_what_differs_is_refused_in_one_line_and_recorded_when_forced(command: Command, tmp_path: Path) -> None:
    refused(
        command("compare", "weak", "strict", program="indgen"),
        "differ in what matters",
        "success: in_basket (A), strict (B)",
        "max_steps: 280 (A), 300 (B)",
        "--force",
    )
    done = command("compare", "weak", "strict", "--force", "--out", "out", program="indgen")
    assert done.returncode == 0, done.stderr
    assert "FORCED" in done.stdout
    record = json.loads((tmp_path / "out" / "compare.json").read_text())
    assert record["differences"] == ["success: in_basket (A), strict (B)", "max_steps: 280 (A), 300 (B)"]


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), ("Missing argument",)),
        (("weak",), ("got 1", "two run folders")),
        (("weak", "./weak"), ("given twice",)),
        (("weak", "nowhere"), ("nowhere is no run folder",)),
        (("weak", "."), ("is no run folder", "exists: goal, strict")),
        (("weak", "goal"), ("no two of these runs are of one axis", "libero/goal-v1")),
        (("weak", "strong", "--confidence", "95"), ("between 0 and 1", "95")),
        (("weak", "strong", "--by", "colour"), ("--by", "label")),
        (("weak", "strong", "strict", "--force", "--by", "label"), ("grouped by label", "C: no label")),
        (("weak", "strong", "--out", "weak/plan.json"), ("cannot be written", "--out")),
    ],
)
def test_usage_errors_leave_with_2(command: Command, words: tuple[str, ...], said: tuple[str, ...]) -> None:
    done = command("compare", *words, program="indgen")
    # A folder that cannot be written is found out after the tables, which are worth having.
    done.stdout = "" if "--out" in words else done.stdout
    refused(done, *said)


def test_no_shared_level(command: Command, tmp_path: Path) -> None:
    spell(tmp_path / "near", {0: "SS", 1: "SS"})
    spell(tmp_path / "far", {2: "SS", 3: "SS"})
    refused(command("compare", "near", "far", program="indgen"), "share no level", "A: 0, 1; B: 2, 3")


def test_an_unfinished_run_is_compared_with_a_warning(command: Command, tmp_path: Path) -> None:
    spell(tmp_path / "whole", WEAK)
    spell(tmp_path / "part", {0: "S" * 40, 1: "S" * 5})
    spell(tmp_path / "bare", {0: "." * 40, 1: "." * 40})
    done = command("compare", "whole", "part", "bare", program="indgen")
    assert done.returncode == 0, done.stderr
    text = " ".join(done.stdout.split())
    assert "B is INCOMPLETE: 35 planned episodes have not run" in text
    assert "C is INCOMPLETE: 80 planned episodes have not run" in text


def test_attribution_of_a_composed_axis(command: Command, tmp_path: Path) -> None:
    spell(tmp_path / "pick", STRONG)
    spell(tmp_path / "more", STRONG, axis="libero/distractors-v1")
    spell(tmp_path / "both", WEAK, axis="libero/pick+distractors")
    done = command("compare", "pick", "more", "both", program="indgen")
    assert done.returncode == 0, done.stderr
    assert "Attribution of libero/pick+distractors, replay" in done.stdout
    (row,) = [line.split() for line in done.stdout.splitlines() if line.split()[:1] == ["+2"]]
    assert row[:6] == ["+2", "98", "98", "0", "-98", "-100..-80"]


@pytest.mark.usefixtures("runs")
def test_a_foreign_folder_is_left_alone(command: Command, tmp_path: Path) -> None:
    names = ("weak", "strong")
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("precious")
    for out in ("thesis", names[0]):
        refused(command("compare", *names, "--out", out, program="indgen"), "holds something else", "--out")
    assert [path.name for path in (tmp_path / "thesis").iterdir()] == ["chapter.tex"]
    for _ in range(2):
        assert command("compare", *names, "--out", "fresh", program="indgen").returncode == 0

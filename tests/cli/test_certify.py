"""``indgen certify`` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from .conftest import Command
from .test_bad_input import refused

GOOD = ("certify", "pick", "--tasks", "milk", "--levels", "1")


def test_help_fits_a_screen_and_shows_an_example(command: Command) -> None:
    text = command("certify", "--help", program="indgen").stdout
    assert len(text.splitlines()) <= 40
    assert max(map(len, text.splitlines())) <= 80
    assert "Example: indgen certify pick --tasks milk,butter" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("certify",), ("axis",)),
        (("certify", "pikc"), ("unknown axis", "did you mean pick")),
        (("certify", "pick+"), ("a composed axis lacks a part",)),
        ((*GOOD, "--world", "lane"), ("axis", "pick")),
        (("certify", "flag", "--world", "lane", "--expert", "marcher"), ("lane cannot be certified",)),
        (("certify", "flag", "--world", "lane"), ("no built-in expert fits lane", "--expert")),
        ((*GOOD, "--tasks", "mlk"), ("unknown task", "did you mean milk")),
        ((*GOOD, "--tasks", "on_stove"), ("of another suite",)),
        ((*GOOD, "--levels", "9"), ("no such level",)),
        ((*GOOD, "--starts", "51"), ("50 published starts", "--starts 51")),
        ((*GOOD, "--starts", "0"), ("--starts",)),
        ((*GOOD, "--expert", "exprt"), ("unknown policy", "did you mean expert")),
        ((*GOOD, "--expert-starts", "1,3"), ("starts cannot be read", "a range a..b")),
        ((*GOOD, "--expert-starts", "x"), ("starts cannot be read",)),
        ((*GOOD, "--expert-starts=-2..1"), ("starts cannot be read",)),
        ((*GOOD, "--expert-starts", "45..55"), ("50 published starts", "--first-start 45")),
        ((*GOOD, "--workers", "0"), ("--workers 0",)),
        ((*GOOD, "--out", "notes.txt"), ("cannot be written", "notes.txt", "--out")),
        ((*GOOD, "--out", "."), ("holds something else", "notes.txt", "--out")),
    ],
)
def test_usage_errors_leave_with_2(
    command: Command, tmp_path: Path, words: tuple[str, ...], said: tuple[str, ...]
) -> None:
    (tmp_path / "notes.txt").write_text("precious")
    refused(command(*words, program="indgen"), 2, *said)
    assert (tmp_path / "notes.txt").read_text() == "precious"


@pytest.mark.libero
def test_a_certificate_is_made_once_and_can_be_swept_by(command: Command, tmp_path: Path) -> None:
    words = (*GOOD, "--starts", "2", "--expert-starts", "10..11", "--workers", "1", "--out", "made")
    done = command(*words, program="indgen")
    assert done.returncode == 0, done.stderr
    assert "libero/pick-v1: 1 of 1 cells certified." in done.stdout
    path = tmp_path / "made" / "certificate.json"
    first = path.read_bytes()
    (cell,) = json.loads(first)["cells"]
    assert (cell["geometry"]["starts"], cell["geometry"]["reasons"]) == (2, [])
    assert cell["expert"] == {"successes": 2, "n": 2, "failed": []}
    again = command(*words, program="indgen")
    assert again.returncode == 0, again.stderr
    assert "starts instantiated: " not in again.stdout
    assert path.read_bytes() == first
    shown = command("--policy", "noop", "--axis", "pick", "--certificate", str(path), "--dry-run")
    assert shown.returncode == 0, shown.stderr
    assert "70 cells" in shown.stdout


def test_a_batch_world_is_certified_in_this_process_and_what_the_expert_fails_is_shown(
    command: Command, tmp_path: Path
) -> None:
    words = ("certify", "depth", "--world", "blockenv", "--levels", "0..2", "--starts", "3", "--expert-starts", "0..4")
    done = command(*words, "--out", "good", program="indgen")
    assert done.returncode == 0, done.stderr
    assert "3 of 3 cells certified" in done.stdout
    assert not (tmp_path / "good" / "pictures").exists()
    bad = command(*words, "--expert", "random", "--out", "bad", program="indgen")
    assert bad.returncode == 0, bad.stderr
    assert "remove_goal at +2: the expert did 0 of 5 sound starts" in bad.stdout
    with Image.open(tmp_path / "bad" / "pictures" / "remove_goal_2.png") as picture:
        assert picture.size == (256, 256)
        assert len(picture.convert("RGB").getcolors() or ()) >= 3
    path = str(tmp_path / "bad" / "certificate.json")
    swept = command(
        "--world", "blockenv", "--axis", "depth", "--policy", "oracle", "--certificate", path, "--levels", "1..2"
    )
    assert swept.returncode == 2
    assert "none of these cells of blockenv/depth-v1 is certified" in swept.stderr

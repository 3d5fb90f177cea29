"""``indgen preview`` as a user runs it."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from .conftest import Command
from .test_bad_input import refused

GOOD = ("preview", "pick", "--task", "milk", "--levels=0,2", "--size", "48")


def test_help_fits_a_screen_and_shows_an_example(command: Command) -> None:
    text = command("preview", "--help", program="indgen").stdout
    assert len(text.splitlines()) <= 40
    assert max(map(len, text.splitlines())) <= 80
    assert "Example: indgen preview pick --task milk" in text


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (("--task", "mlk"), ("unknown task of libero", "did you mean milk")),
        (("--task", "milk,butter"), ("a preview is of one task", "milk,butter")),
        (("--task", ","), ("no task given",)),
        (("--task", "on_stove"), ("of another suite", "--suite libero_spatial")),
        (("--suite", "objct"), ("unknown suite", "did you mean libero_object")),
        (("--levels", "4"), ("libero/pick-v1 has no such level", "got 4")),
        (("--levels", "x"), ("levels cannot be read",)),
        (("--start", "50"), ("no such start", "got 50", "0 to 49")),
        (("--start=-1",), ("no such start", "0 to 49")),
        (("--size", "0"), ("got 0 pixels", "1 to 512")),
        (("--size", "513"), ("got 513 pixels",)),
        (("--world", "lain"), ("unknown world", "did you mean lane")),
        (("--world", "lane"), ("axis", "pick")),
        (("--out", "notes.txt"), ("this is something else", "--out")),
        (("--out", "."), ("this is something else", "--out")),
        (("--out", "notes.txt/sheet.png"), ("cannot be written", "--out")),
        (("--out", "x" * 300), ("cannot be written", "--out")),
        (("--colour", "red"), ("--colour",)),
    ],
)
def test_usage_errors_leave_with_2(
    command: Command, tmp_path: Path, extra: tuple[str, ...], said: tuple[str, ...]
) -> None:
    (tmp_path / "notes.txt").write_text("precious")
    done = command(*GOOD, *extra, program="indgen")
    refused(done, 2, *said)
    assert not done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    assert (tmp_path / "notes.txt").read_text() == "precious"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Missing argument"),
        (("pick",), "Missing option"),
        (("pikc", "--task", "milk"), "did you mean pick"),
        (("pick+pick", "--task", "milk"), "named twice"),
        (("flag", "--task", "red", "--world", "lane"), "world lane has no camera"),
    ],
)
def test_what_cannot_be_shown_is_refused(command: Command, words: tuple[str, ...], said: str) -> None:
    refused(command("preview", *words, program="indgen"), 2, said)


@pytest.mark.libero
def test_without_opengl_the_packages_are_named(command: Command, environment: dict[str, str], tmp_path: Path) -> None:
    # Libraries that are none hide those of the machine.
    libraries = tmp_path / "lib"
    libraries.mkdir()
    for name in ("libEGL.so.1", "libOSMesa.so.8", "libOSMesa.so.6", "libOSMesa.so"):
        (libraries / name).write_bytes(b"no library " * 100)
    environment["LD_LIBRARY_PATH"] = str(libraries)
    try:
        refused(command(*GOOD, program="indgen"), 2, "no OpenGL that renders off screen", "apt-get install libegl1")
    finally:
        del environment["LD_LIBRARY_PATH"]
    assert not list(tmp_path.glob("*.png"))


@pytest.mark.libero
@pytest.mark.render
def test_a_sheet_is_made_and_made_again(command: Command, tmp_path: Path) -> None:
    words = ("preview", "pick+goal", "--task", "cream_cheese", "--levels=-3,0", "--size", "48")
    done = command(*words, program="indgen")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "Preview: pick-v1+goal-v1-cream_cheese.png\n"
    first, second = done.stderr.splitlines()
    assert first.startswith("level -3: invalid: cream_cheese_1 and tomato_sauce_1 overlap")
    assert second == "level 0: valid"
    path = tmp_path / "pick-v1+goal-v1-cream_cheese.png"
    before = path.read_bytes()
    with Image.open(path) as image:
        assert image.width > 2 * 48
        assert image.height > 2 * 48
    assert command(*words, program="indgen").returncode == 0
    assert path.read_bytes() == before


@pytest.mark.libero
@pytest.mark.render
def test_an_interrupt_leaves_with_130_and_no_file(environment: dict[str, str], tmp_path: Path) -> None:
    program = str(Path(sys.executable).with_name("indgen"))
    running = subprocess.Popen(
        [program, "preview", "pick", "--task", "milk", "--size", "48"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert running.stderr is not None
    assert running.stderr.readline() == "level -3: valid\n"
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "interrupted" in errors
    assert "Traceback" not in errors
    assert not list(tmp_path.iterdir())

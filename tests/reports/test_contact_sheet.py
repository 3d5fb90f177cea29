"""The drawn sheet: every pixel of every picture, tau_0 and broken starts marked, the same bytes each time."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageColor

from indgen.core.errors import UsageError
from indgen.core.world import Task
from indgen.reports.contact_sheet import check_file, contact_sheet
from indgen.reports.style import PALETTE
from indgen.runner.preview import Shot

from .conftest import AXIS

MILK = Task("pick_up_the_milk", "milk", "pick up the milk")
SIZES = {"front": (64, 80), "wrist": (64, 80)}
WHY = "milk_1 and tomato_sauce_1 overlap by 5.1 mm at the start of pick_up_the_milk"


def noise(seed: int, size: tuple[int, int]) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (*size, 3), dtype=np.uint8)


def shot(level: int, sizes: dict[str, tuple[int, int]] | None = None, invalid: str | None = None) -> Shot:
    sizes = SIZES if sizes is None else sizes
    return Shot(
        level, {role: noise(10 * level + 99 + n, size) for n, (role, size) in enumerate(sizes.items())}, invalid
    )


def draw(shots: list[Shot], sizes: dict[str, tuple[int, int]] | None = None, **changes: Any) -> np.ndarray:
    data = contact_sheet(replace(AXIS, **changes), shots, SIZES if sizes is None else sizes, MILK, 0)
    return np.asarray(Image.open(BytesIO(data)).convert("RGB"))


def places(sheet: np.ndarray, picture: np.ndarray) -> list[tuple[int, int]]:
    """Upper left corners at which a picture stands whole."""
    height, width, _ = picture.shape
    corners = np.argwhere((sheet == picture[0, 0]).all(axis=2))
    return [(y, x) for y, x in corners if np.array_equal(sheet[y : y + height, x : x + width], picture)]


def count(sheet: np.ndarray, role: str) -> int:
    return int((sheet == ImageColor.getrgb(PALETTE[role])).all(axis=2).sum())


@settings(max_examples=20, deadline=None)
@given(st.sets(st.integers(-9, 9), min_size=1, max_size=5), st.integers(8, 40), st.integers(8, 40), st.booleans())
def test_every_picture_stands_whole_in_the_grid(levels: set[int], height: int, width: int, invalid: bool) -> None:
    sizes = {"front": (height, width), "wrist": (height, width // 2)}
    shots = [shot(level, sizes, WHY if invalid and level else None) for level in sorted(levels)]
    sheet = draw(shots, sizes)
    found = [[places(sheet, one.images[role]) for one in shots] for role in sizes]
    assert all(len(corners) == 1 for row in found for corners in row)
    for row in found:
        (ys, xs) = zip(*(corners[0] for corners in row), strict=True)
        assert len(set(ys)) == 1
        steps = np.diff(xs)
        assert len(set(steps)) <= 1
        assert (steps > width).all()
    assert found[1][0][0][0] > found[0][0][0][0] + height


def test_the_same_pictures_give_the_same_bytes_in_every_process() -> None:
    code = (
        "import hashlib, sys; sys.path.insert(0, '.');"
        "from tests.reports.test_contact_sheet import *;"
        "print(hashlib.sha256(contact_sheet(AXIS, [shot(-1, None, WHY), shot(0)], SIZES, MILK, 0)).hexdigest())"
    )
    root = Path(__file__).parents[2]
    runs = [
        subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True, timeout=60)
        for _ in range(2)
    ]
    assert len({run.stdout for run in runs}) == 1
    assert len(runs[0].stdout) == 65


def test_labels_differ_where_what_they_say_differs() -> None:
    shots = [shot(0), shot(1)]
    sheets = [
        contact_sheet(AXIS, shots, SIZES, MILK, 0),
        contact_sheet(AXIS, shots, SIZES, MILK, 1),
        contact_sheet(AXIS, shots, SIZES, replace(MILK, short="silk"), 0),
        contact_sheet(replace(AXIS, id="libero/pick-v2"), shots, SIZES, MILK, 0),
        contact_sheet(replace(AXIS, step=0.05), shots, SIZES, MILK, 0),
        contact_sheet(AXIS, [shot(0), replace(shot(1), level=2)], SIZES, MILK, 0),
    ]
    assert len(set(sheets)) == len(sheets)


def test_tau_0_alone_is_framed() -> None:
    assert count(draw([shot(-1), shot(1)]), "accent") == 0
    # Two sides of both pictures at least.
    assert count(draw([shot(-1), shot(0), shot(1)]), "accent") > 4 * 64


def test_a_broken_start_is_framed_and_says_why() -> None:
    sound, broken = draw([shot(0), shot(1)]), draw([shot(0), shot(1, None, WHY)])
    assert count(sound, "alarm") == 0
    assert count(broken, "alarm") > 4 * 64
    assert broken.shape[0] > sound.shape[0]
    assert broken.shape[1] == sound.shape[1]


@pytest.mark.parametrize(
    "why", ["", "x" * 5000, "x " * 5000, "two\nlines", "Ω\u200b\udcff".encode("utf-8", "replace").decode()]
)
def test_no_reason_makes_the_sheet_larger_than_a_few_lines(why: str) -> None:
    plain, broken = draw([shot(0)]), draw([shot(0, None, why)])
    assert plain.shape[1] == broken.shape[1]
    assert broken.shape[0] <= plain.shape[0] + 64


def test_a_camera_that_saw_nothing_is_left_blank() -> None:
    blank = Shot(1, {"front": noise(1, (64, 80))}, WHY)
    assert count(draw([shot(0), blank]), "shade") > 64 * 80 / 2
    assert len(places(draw([shot(0), blank]), blank.images["front"])) == 1


def test_a_narrow_sheet_grows_with_its_heading() -> None:
    narrow = draw([shot(0)])
    wide = draw([shot(0)], changes="the position of the object to pick; " * 8)
    assert wide.shape[0] == narrow.shape[0]
    assert wide.shape[1] > 2 * narrow.shape[1]


def test_only_an_earlier_sheet_is_replaced(tmp_path: Path) -> None:
    sheet, photo, notes = tmp_path / "sheet.png", tmp_path / "photo.png", tmp_path / "notes.txt"
    sheet.write_bytes(contact_sheet(AXIS, [shot(0)], SIZES, MILK, 0))
    Image.fromarray(noise(0, (64, 64))).save(photo)
    notes.write_text("indgen preview")
    for free in (sheet, tmp_path / "new.png", tmp_path / "new" / "folder" / "sheet.png"):
        check_file(free)
    for taken in (photo, notes, tmp_path):
        with pytest.raises(UsageError, match=r"this is something else; .*expected a new file, or a preview's; .*--out"):
            check_file(taken)
    for nowhere in (notes / "sheet.png", tmp_path / ("x" * 300)):
        with pytest.raises(UsageError, match="the preview cannot be written"):
            check_file(nowhere)
    assert not (tmp_path / "new").exists()

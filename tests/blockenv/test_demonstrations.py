from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.blockenv.demonstrations import FORMAT, demonstrate, read_demonstrations, write_demonstrations
from indgen.blockenv.rules import GOAL, legality
from indgen.core.errors import UsageError


@given(st.integers(0, 7), st.integers(0, 2**63 - 1))
def test_every_demonstration_ends_with_the_goal_after_legal_grasps(level: int, seed: int) -> None:
    shown = demonstrate(level, 5, grid=8, seed=seed)
    assert shown.grids.shape == (5, level + 1, 8, 8)
    assert shown.grasps.shape == (5, level + 1, 3)
    for grids, grasps in zip(shown.grids, shown.grasps, strict=True):
        for number, (r, c, theta) in enumerate(grasps):
            assert legality(grids[number : number + 1])[0, r, c, theta]
            assert (grids[number, r, c] == GOAL) == (number == level)
            if number < level:
                after = grids[number].copy()
                after[r, c] = 0
                assert np.array_equal(after, grids[number + 1])


def test_both_arms_and_all_placements_are_shown() -> None:
    shown = demonstrate(1, 2000, seed=5)
    starts, counts = np.unique(shown.grids[:, 0].reshape(2000, -1), axis=0, return_counts=True)
    assert len(starts) == 81
    assert counts.max() < 50
    assert 900 < (shown.grasps[:, 0, 2] == 0).sum() < 1100


def test_the_seed_alone_decides_and_fewer_are_the_first_of_more() -> None:
    some, more, other = demonstrate(2, 20, seed=1), demonstrate(2, 50, seed=1), demonstrate(2, 20, seed=2)
    assert np.array_equal(some.grids, more.grids[:20])
    assert np.array_equal(some.grasps, more.grasps[:20])
    assert not np.array_equal(some.grids, other.grids)


def test_what_is_written_is_read_back_and_the_same_bytes_come_of_the_same_seed(tmp_path: Path) -> None:
    made = [demonstrate(level, 7, seed=3) for level in (2, 0, 1)]
    write_demonstrations(tmp_path / "a.h5", made)
    write_demonstrations(tmp_path / "b.h5", [demonstrate(level, 7, seed=3) for level in (2, 0, 1)])
    assert (tmp_path / "a.h5").read_bytes() == (tmp_path / "b.h5").read_bytes()
    read = read_demonstrations(tmp_path / "a.h5")
    assert list(read) == [0, 1, 2]
    for each in made:
        back = read[each.level]
        assert (back.level, back.seed, back.grid, len(back)) == (each.level, 3, 10, 7)
        assert (back.grids.dtype, back.grasps.dtype) == (np.int8, np.int64)
        assert np.array_equal(back.grids, each.grids)
        assert np.array_equal(back.grasps, each.grasps)


def test_what_cannot_be_made_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="level 10 does not fit a grid of 10 x 10; expected a grid of 11 at least"):
        demonstrate(10, 3)
    with pytest.raises(UsageError, match="got -1; expected 0 or more"):
        demonstrate(0, -1)
    with pytest.raises(UsageError, match="cannot be written"):
        write_demonstrations(tmp_path / "no" / "a.h5", [])
    with pytest.raises(UsageError, match="cannot be written"):
        write_demonstrations(tmp_path / "a.h5", [demonstrate(0, 1), demonstrate(0, 1)])


def test_what_is_no_such_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.h5").write_text("hello")
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file.attrs["format"] = "else"
    with h5py.File(tmp_path / "short.h5", "w") as file:
        file.attrs["format"] = FORMAT
        group = file.create_group("level_1")
        group.attrs.update({"level": 1, "seed": "0"})
        group["grids"], group["grasps"] = np.zeros((2, 1, 3, 3), np.int8), np.zeros((2, 1, 3))
    for name, said in (("none", "cannot be read"), ("text", "cannot be read"), ("short", "level 1 has grids")):
        with pytest.raises(UsageError, match=said):
            read_demonstrations(tmp_path / f"{name}.h5")
    with pytest.raises(UsageError, match="no BlockEnv demonstrations"):
        read_demonstrations(tmp_path / "other.h5")


def test_a_file_that_stands_survives_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    write_demonstrations(path, [demonstrate(2, 50)])
    good = path.read_bytes()
    with pytest.raises(UsageError, match="cannot be written"):
        write_demonstrations(path, [demonstrate(0, 1), demonstrate(0, 1)])
    assert path.read_bytes() == good
    assert [file.name for file in tmp_path.iterdir()] == ["a.h5"]


def _cell(group: Any) -> None:
    empty = np.argwhere(group["grids"][0, 0] == 0)[0]
    group["grids"][0, 0, empty[0], empty[1]] = 1


def _grasp(group: Any) -> None:
    group["grasps"][3, 1, 2] = 1 - group["grasps"][3, 1, 2]


def _seed(group: Any) -> None:
    group.attrs["seed"] = "1"


@pytest.mark.parametrize("change", [_cell, _grasp, _seed])
def test_what_was_changed_to_something_else_that_could_be_is_noticed(
    tmp_path: Path, change: Callable[[Any], None]
) -> None:
    path = tmp_path / "a.h5"
    write_demonstrations(path, [demonstrate(2, 50)])
    with h5py.File(path, "a") as file:
        change(file["level_2"])
    with pytest.raises(UsageError, match="level 2 is not what was written"):
        read_demonstrations(path)


@pytest.mark.parametrize(
    ("grids", "grasps", "said"),
    [
        (np.zeros((2, 2, 3, 3)), np.zeros((2, 2, 3), np.int64), "float64"),
        (np.zeros((2, 2, 3, 4), np.int8), np.zeros((2, 2, 3), np.int64), "3, 4"),
        (np.full((2, 2, 3, 3), 7, np.int8), np.zeros((2, 2, 3), np.int64), "cells or grasps that are none"),
        (np.zeros((2, 2, 3, 3), np.int8), np.full((2, 2, 3), 3, np.int64), "cells or grasps that are none"),
    ],
)
def test_foreign_content_is_refused(tmp_path: Path, grids: np.ndarray, grasps: np.ndarray, said: str) -> None:
    path = tmp_path / "a.h5"
    with h5py.File(path, "w") as file:
        file.attrs["format"] = FORMAT
        group = file.create_group("level_1")
        group.attrs.update({"level": 1, "seed": "0"})
        group["grids"], group["grasps"] = grids, grasps
    with pytest.raises(UsageError, match=said):
        read_demonstrations(path)
    with h5py.File(path, "w") as file:
        file.attrs["format"] = FORMAT
    with pytest.raises(UsageError, match="no level"):
        read_demonstrations(path)

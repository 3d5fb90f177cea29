from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from indgen.core import EpisodeKey, Scene
from indgen.runner.demonstrations import DemonstrationStore

KEY = EpisodeKey("milk", 3, 0)
SCENE = Scene("libero", "milk", "pick up the milk", (), 7, {})
ACTIONS = np.random.default_rng(0).uniform(-1, 1, (6, 7))


def stored(folder: Path) -> tuple[DemonstrationStore, Path]:
    store = DemonstrationStore(folder)
    store.put(KEY, ACTIONS, "libero/osc-pose-delta", True)
    return store, store.path(KEY)


@pytest.mark.parametrize("success", [True, False])
def test_a_demonstration_is_read_back_exactly(tmp_path: Path, success: bool) -> None:
    store = DemonstrationStore(tmp_path / "demonstrations")
    store.put(KEY, ACTIONS, "libero/osc-pose-delta", success)
    found = DemonstrationStore(tmp_path / "demonstrations").get(KEY, SCENE)
    assert found is not None
    assert np.array_equal(found.actions, ACTIONS)
    assert (found.scene, found.level, found.rollout) == (SCENE, 0, 3)
    assert (found.layout, found.success) == ("libero/osc-pose-delta", success)


def test_keys_are_apart(tmp_path: Path) -> None:
    store = DemonstrationStore(tmp_path)
    keys = [EpisodeKey(t, r, k) for t in ("milk", "soup") for r in (0, 10) for k in (-1, 0, 1)]
    assert len({store.path(key) for key in keys}) == len(keys)


def test_what_was_never_recorded_is_missing(tmp_path: Path) -> None:
    assert DemonstrationStore(tmp_path / "none").get(KEY, SCENE) is None


@pytest.mark.parametrize("content", [b"", b"garbage", b"PK\x03\x04", b"\x80\x04K\x01.", b"\0" * 500])
def test_a_garbled_file_counts_as_missing_and_can_be_put_again(tmp_path: Path, content: bytes) -> None:
    store, path = stored(tmp_path)
    path.write_bytes(content)
    assert store.get(KEY, SCENE) is None
    store.put(KEY, ACTIONS, "libero/osc-pose-delta", True)
    assert store.get(KEY, SCENE) is not None


def test_a_file_cut_anywhere_counts_as_missing(tmp_path: Path) -> None:
    store, path = stored(tmp_path)
    whole = path.read_bytes()
    for cut in range(0, len(whole), 7):
        path.write_bytes(whole[:cut])
        assert store.get(KEY, SCENE) is None


def test_no_pickle_is_ever_opened(tmp_path: Path) -> None:
    store, path = stored(tmp_path)
    evil = np.array([object()])
    np.savez(path, actions=evil, layout=np.array("x"), success=np.array(True))
    assert store.get(KEY, SCENE) is None


def test_an_archive_of_something_else_counts_as_missing(tmp_path: Path) -> None:
    store, path = stored(tmp_path)
    np.savez(path, other=ACTIONS)
    assert store.get(KEY, SCENE) is None


def flipped(folder: Path) -> tuple[set[str], set[int]]:
    """Exceptions that escape, and flips that go unnoticed, over one flipped bit in every byte."""
    store, path = stored(folder)
    whole, escaped, unnoticed = path.read_bytes(), set(), set()
    for index in range(len(whole)):
        damaged = bytearray(whole)
        damaged[index] ^= 1 << index % 8
        path.write_bytes(bytes(damaged))
        try:
            found = store.get(KEY, SCENE)
        except Exception as error:
            escaped.add(f"{type(error).__module__}.{type(error).__name__}")
            continue
        if found is not None and not np.array_equal(found.actions, ACTIONS):
            unnoticed.add(index)
    return escaped, unnoticed


def test_a_flipped_bit_never_changes_a_demonstration_unnoticed(tmp_path: Path) -> None:
    assert flipped(tmp_path)[1] == set()


def test_a_flipped_bit_counts_as_missing(tmp_path: Path) -> None:
    assert flipped(tmp_path)[0] == set()


def test_a_garbled_file_is_closed_again(tmp_path: Path) -> None:
    store, path = stored(tmp_path)
    path.write_bytes(b"PK\x03\x04")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert store.get(KEY, SCENE) is None
    assert [str(warning.message) for warning in caught] == []

from __future__ import annotations

from pathlib import Path

import pytest

from indgen.core import Scene, Translate
from indgen.core.errors import SceneError, SimulatorError
from indgen.runner.scenes import SceneStore

SCENE = Scene("libero", "milk", "pick up the milk", (0.1, 1e-300), 7, {"rest": {"milk_1": [0.1, 0.2]}})


def test_what_was_put_is_read_back_exactly_by_another_run(tmp_path: Path) -> None:
    SceneStore(tmp_path / "scenes").put(("milk", 3), SCENE)
    again = SceneStore(tmp_path / "scenes", {("milk", 3): SCENE.digest})
    assert again.has(("milk", 3))
    assert again.get(("milk", 3)) == SCENE


def test_starts_are_apart_by_task_and_rollout(tmp_path: Path) -> None:
    store = SceneStore(tmp_path)
    groups = [(task, rollout) for task in ("milk", "soup") for rollout in (0, 1, 1000)]
    for seed, (task, rollout) in enumerate(groups):
        store.put((task, rollout), Scene("w", task, "", (), seed, {}))
    digests = {group: store.get(group).digest for group in groups}
    assert [SceneStore(tmp_path, digests).get(group).seed for group in groups] == list(range(6))


def test_a_start_that_was_never_grounded_is_missing(tmp_path: Path) -> None:
    store = SceneStore(tmp_path / "scenes")
    assert not store.has(("milk", 0))
    assert not (tmp_path / "scenes").exists()
    with pytest.raises(SceneError, match="has not been grounded; got milk, rollout 0"):
        store.get(("milk", 0))


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\0\xff", b"[]", b"null", b"7", b'"text"', b"{}", b'{"world": "w"}', b'{"surprise": 1}'],
)
def test_a_garbled_file_counts_as_missing_and_can_be_put_again(tmp_path: Path, content: bytes) -> None:
    store = SceneStore(tmp_path)
    store.put(("milk", 0), SCENE)
    [file] = tmp_path.iterdir()
    file.write_bytes(content)
    digests = {("milk", 0): SCENE.digest}
    again = SceneStore(tmp_path, digests)
    assert not again.has(("milk", 0))
    again.put(("milk", 0), SCENE)
    assert SceneStore(tmp_path, digests).get(("milk", 0)) == SCENE


def test_a_file_cut_anywhere_counts_as_missing(tmp_path: Path) -> None:
    moved = SCENE.edit(Translate("milk_1", "y", 1, 0.025))
    SceneStore(tmp_path).put(("milk", 0), moved)
    [file] = tmp_path.iterdir()
    whole = file.read_bytes()
    for cut in range(len(whole)):
        file.write_bytes(whole[:cut])
        assert not SceneStore(tmp_path, {("milk", 0): moved.digest}).has(("milk", 0))


def test_an_unknown_edit_counts_as_missing(tmp_path: Path) -> None:
    moved = SCENE.edit(Translate("milk_1", "y", 1, 0.025))
    SceneStore(tmp_path).put(("milk", 0), moved)
    [file] = tmp_path.iterdir()
    file.write_text(file.read_text().replace("translate", "teleport"))
    assert not SceneStore(tmp_path).has(("milk", 0))


def test_a_start_that_was_changed_since_counts_as_missing(tmp_path: Path) -> None:
    SceneStore(tmp_path).put(("milk", 0), SCENE)
    [file] = tmp_path.iterdir()
    file.write_text(file.read_text().replace("0.2", "0.3"))
    assert not SceneStore(tmp_path, {("milk", 0): SCENE.digest}).has(("milk", 0))
    assert not SceneStore(tmp_path).has(("milk", 0)), "a file that no ledger vouches for is no start"


def test_a_start_that_comes_out_otherwise_the_second_time_is_the_worlds_error(tmp_path: Path) -> None:
    store = SceneStore(tmp_path, {("milk", 0): "0" * 64})
    with pytest.raises(SimulatorError, match="again gave another scene"):
        store.put(("milk", 0), SCENE)


def test_each_start_is_told_of_when_it_is_grounded(tmp_path: Path) -> None:
    told: list[tuple[tuple[str, int], str]] = []
    SceneStore(tmp_path, on_ground=lambda group, digest: told.append((group, digest))).put(("milk", 2), SCENE)
    assert told == [(("milk", 2), SCENE.digest)]

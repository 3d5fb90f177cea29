from __future__ import annotations

import json
from pathlib import Path

import pytest

from indgen.core.errors import UnknownName, UsageError
from indgen.sim.installs import locations
from indgen.sim.installs.locations import Record

from .conftest import Tiny


def test_home_is_the_variable_and_else_the_user_s_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDGEN_HOME", "~/somewhere")
    assert locations.home() == Path.home() / "somewhere"
    monkeypatch.setenv("INDGEN_HOME", "relative")
    assert locations.home() == Path.cwd() / "relative"
    monkeypatch.setenv("INDGEN_HOME", "")
    assert locations.home().name == "indgen"
    assert locations.home().is_absolute()


def test_a_folder_is_named_after_its_lock(tiny: Tiny) -> None:
    first = locations.folder("tiny")
    assert first.name == f"tiny-{locations.lock_sha256('tiny')[:12]}"
    tiny.world("2.0")
    assert locations.folder("tiny") != first
    assert locations.names() == ["tiny"]


def test_stale_folders_are_other_locks_of_the_same_world(tiny: Tiny) -> None:
    worlds = locations.make_home()
    names = (
        locations.folder("tiny").name,
        "tiny-0123456789ab",
        "tiny-own",
        "tiny-big-0123456789ab",
        "other-0123456789ab",
    )
    for name in names:
        (worlds / name).mkdir()
    assert [path.name for path in locations.stale_folders("tiny")] == ["tiny-0123456789ab"]


def test_an_unknown_world_names_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"unknown world; got 'libro'.*exists: libero.*did you mean libero"):
        locations.lock_file("libro")


def test_records_survive_a_round_trip(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.touch()
    record = Record("tiny", str(python), "3.11.0", "2026-01-01T00:00:00+00:00", "ab", {"numpy": "1"})
    locations.write_record(tmp_path, record)
    assert locations.read_record(tmp_path) == record
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["python", "world.json"]
    python.unlink()
    assert locations.read_record(tmp_path) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"name": "tiny"}', json.dumps({"surprise": 1})])
def test_a_broken_record_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "world.json").write_text(text)
    assert locations.read_record(tmp_path) is None


def test_a_home_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("INDGEN_HOME", str(tmp_path / "file"))
    with pytest.raises(UsageError, match=r"got .*file/worlds.*set INDGEN_HOME"):
        locations.make_home()

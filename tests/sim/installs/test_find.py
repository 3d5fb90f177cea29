from __future__ import annotations

import sys
from pathlib import Path

import pytest

from indgen.core.errors import WorldMissing
from indgen.sim.installs import find, interpreter, locations, status
from indgen.sim.installs.locations import Record

from .conftest import Tiny


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INDGEN_HOME", str(tmp_path))
    monkeypatch.setattr(find, "_HERE", {})
    return tmp_path


def test_a_missing_world_says_how_to_install_it(empty: Path) -> None:
    with pytest.raises(WorldMissing) as caught:
        interpreter("libero")
    assert str(caught.value) == (
        f"the world libero is not installed; got nothing at {locations.folder('libero')}; "
        "run `indgen world install libero`"
    )
    assert caught.value.exit_code == 2
    assert not status("libero").installed
    assert not list(empty.iterdir())


def _record(where: Path, python: Path) -> None:
    where.mkdir(parents=True, exist_ok=True)
    python.touch()
    locations.write_record(
        where, Record("libero", str(python), "3.11.9", "", None, {"mujoco": "2.3.7", "msgpack": "1"})
    )


def test_the_user_s_own_interpreter_comes_first(empty: Path) -> None:
    _record(locations.folder("libero"), empty / "made")
    assert interpreter("libero") == empty / "made"
    _record(locations.own_folder("libero"), empty / "own")
    found = status("libero")
    assert (found.kind, found.interpreter, found.versions) == ("own", empty / "own", {"mujoco": "2.3.7"})
    (empty / "own").unlink()
    assert interpreter("libero") == empty / "made"


@pytest.mark.parametrize(
    ("robosuite", "mujoco", "kind"),
    [("1.4.0", "2.3.7", "core"), ("1.4.1", "2.3.7", "core"), ("1.5.1", "2.3.7", None), ("1.4.0", "3.1.6", None)],
)
def test_a_world_in_the_core_s_own_interpreter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, robosuite: str, mujoco: str, kind: str | None
) -> None:
    monkeypatch.setenv("INDGEN_HOME", str(tmp_path))
    installed = {"robosuite": robosuite, "mujoco": mujoco, "numpy": "1.26.4"}
    monkeypatch.setattr(find, "version", installed.__getitem__)
    monkeypatch.setattr(find.importlib.util, "find_spec", lambda name: name)
    found = status("libero")
    assert found.kind == kind
    assert found.interpreter == (Path(sys.executable) if kind else None)


def test_a_world_without_a_rule_is_never_the_core_s(tiny: Tiny) -> None:
    assert status("tiny").kind is None

from __future__ import annotations

import fcntl
import shutil
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from indgen.core.errors import UnknownName, UsageError
from indgen.sim.installs import install, locations, status
from indgen.sim.installs.children import child

from .conftest import Tiny

# The package's function of the same name hides the module.
module: Any = sys.modules["indgen.sim.installs.install"]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment, made once as an install makes it."""
    where = tmp_path_factory.mktemp("template") / "venv"
    module._make_venv(Path(sys.executable), where, held=2)
    return where


@pytest.fixture(autouse=True)
def any_python(monkeypatch: pytest.MonkeyPatch, template: Path) -> None:
    """Worlds want Python 3.11; the tiny one takes a copy of whatever runs the tests."""
    monkeypatch.setattr(module, "find_python", lambda report: Path(sys.executable))
    monkeypatch.setattr(module, "_make_venv", lambda base, where, held: shutil.copytree(template, where, symlinks=True))


def quiet(line: str) -> None:
    """Report nothing."""


def test_installs_once(tiny: Tiny) -> None:
    said: list[str] = []
    python = install("tiny", report=said.append)
    where = locations.folder("tiny")
    assert python == where / "bin" / "python"
    assert any("tinyworld" in line and line.startswith("[1/1]") for line in said)
    found = status("tiny")
    assert (found.kind, found.interpreter, found.versions) == ("installed", python, {"numpy": "1.0"})
    assert found.size is not None
    assert found.size > 10_000
    made = (where / "world.json").stat().st_mtime_ns
    assert install("tiny", report=said.append) == python
    assert (where / "world.json").stat().st_mtime_ns == made
    assert said[-1] == f"tiny is installed already: {where}"


def test_an_interrupted_install_is_redone(tiny: Tiny) -> None:
    where = locations.folder("tiny")
    where.mkdir(parents=True)
    (where / "half").touch()
    assert not status("tiny").installed
    said: list[str] = []
    install("tiny", report=said.append)
    assert said[0] == f"Removing an interrupted install at {where}"
    assert not (where / "half").exists()
    assert status("tiny").installed


def _interrupt_at(start: str) -> Callable[[str], None]:
    def report(line: str) -> None:
        if line.startswith(start):
            raise KeyboardInterrupt

    return report


@pytest.mark.parametrize("moment", ["Making", "[1/1]", "Checking"])
def test_ctrl_c_leaves_nothing(tiny: Tiny, moment: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        install("tiny", report=_interrupt_at(moment))
    assert not locations.folder("tiny").exists()
    assert not status("tiny").installed


def test_a_wrong_hash_is_refused_in_one_line(tiny: Tiny) -> None:
    lock = tiny.recipes / "tiny.lock"
    lock.write_text(lock.read_text().split("sha256:")[0] + "sha256:" + "0" * 64 + "\n")
    with pytest.raises(UsageError, match="pip could not install the world; got ERROR:") as caught:
        install("tiny", report=quiet)
    assert "\n" not in str(caught.value)
    assert not locations.folder("tiny").exists()


def test_a_world_that_fails_its_check_is_not_kept(tiny: Tiny) -> None:
    tiny.world("1.1", problems='["it is broken", "twice"]')
    with pytest.raises(UsageError, match=r"this Python cannot run tiny; got .*: it is broken; twice"):
        install("tiny", report=quiet)
    assert not locations.folder("tiny").exists()


def test_installs_wait_for_each_other(tiny: Tiny) -> None:
    busy = locations.make_home() / ".tiny.busy"
    waiting = threading.Event()
    done: list[Path] = []

    def report(line: str) -> None:
        if line.startswith("Waiting for another install"):
            waiting.set()

    with busy.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        other = threading.Thread(target=lambda: done.append(install("tiny", report=report)), daemon=True)
        other.start()
        assert waiting.wait(10)
        assert not done
    other.join(60)
    assert done == [locations.folder("tiny") / "bin" / "python"]


def test_a_new_lock_names_what_the_old_one_left(tiny: Tiny) -> None:
    install("tiny", report=quiet)
    old = locations.folder("tiny")
    tiny.world("2.0")
    assert not status("tiny").installed
    said: list[str] = []
    install("tiny", report=said.append)
    assert said[-1].startswith(f"An older tiny is left at {old}")
    assert old.exists()


def test_the_user_s_own_interpreter(tiny: Tiny) -> None:
    made = install("tiny", report=quiet)
    assert install("tiny", python=made, report=quiet) == made
    assert status("tiny").kind == "own"
    assert status("tiny").size is None
    install("tiny", report=quiet)
    assert status("tiny").kind == "installed"


def test_the_user_s_own_interpreter_must_pass_the_check(tiny: Tiny, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no such interpreter; got .*nowhere"):
        install("tiny", python=tmp_path / "nowhere", report=quiet)
    with pytest.raises(UsageError, match=r"this Python did not answer; got .*No module named 'tinyworld'"):
        install("tiny", python=Path(sys.executable), report=quiet)
    assert status("tiny").kind is None


def test_an_unknown_world() -> None:
    with pytest.raises(UnknownName, match="did you mean libero"):
        install("liberoo", report=quiet)


def test_an_interrupted_child_takes_its_children_along(tmp_path: Path) -> None:
    grandchild = f"sleep 1; touch {tmp_path / 'late'}"
    with pytest.raises(KeyboardInterrupt), child(["sh", "-c", f"({grandchild}) & echo started; wait"], 2) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        raise KeyboardInterrupt
    time.sleep(1.3)
    assert not (tmp_path / "late").exists()

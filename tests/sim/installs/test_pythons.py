from __future__ import annotations

import sys
from pathlib import Path

import pytest

from indgen.core.errors import UsageError
from indgen.sim.installs import pythons


def _python(path: Path, version: str, code: int = 0) -> Path:
    return _fake(path, f"{version} {path}", code)


def _fake(path: Path, prints: str, code: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho {prints}\nexit {code}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with no Python but one that is too new."""
    monkeypatch.setattr(sys, "executable", str(_python(tmp_path / "new" / "python", "3.13")))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path


def quiet(line: str) -> None:
    """Report nothing."""


def test_none_at_all_says_what_to_do(bare: Path) -> None:
    with pytest.raises(UsageError, match=r"no Python 3\.11.*apt-get install python3\.11-venv.*pip install uv"):
        pythons.find_python(quiet)


def test_the_running_one_comes_first(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _python(bare / "bin" / "python3.11", "3.11")
    running = _python(bare / "running", "3.11")
    monkeypatch.setattr(sys, "executable", str(running))
    assert pythons.find_python(quiet) == running


def test_one_that_does_not_run_is_passed_over(bare: Path) -> None:
    _python(bare / "bin" / "python3.11", "3.11", code=127)
    pyenv = _python(bare / ".pyenv" / "versions" / "3.11.9" / "bin" / "python", "3.11")
    assert pythons.find_python(quiet) == pyenv


def test_uv_is_the_last_resort(bare: Path) -> None:
    fetched = _python(bare / "uv-python", "3.11")
    _fake(bare / "bin" / "uv", str(fetched))
    said: list[str] = []
    assert pythons.find_python(said.append) == fetched
    assert said == ["Fetching Python 3.11 with uv"]


def test_a_shim_is_looked_through(bare: Path) -> None:
    real = bare / "real" / "python3.11"
    _fake(bare / "bin" / "python3.11", f"3.11 {real}")
    assert pythons.find_python(quiet) == real

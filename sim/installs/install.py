"""Make the environment of a world, whole or not at all."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...core.errors import UsageError
from . import locations
from .children import child
from .locations import Record
from .pip import digest, pip_install
from .pythons import find_python

Report = Callable[[str], None]

_BACKEND = "_build.lock"
_CHECK_S = 300


def install(name: str, *, python: Path | None = None, report: Report) -> Path:
    """Install a world, or record an interpreter that has it; does nothing where that is done already.

    Args:
        name: the world's, e.g. ``libero``.
        python: the user's own interpreter with that world in it; no environment is made then.
        report: told what is going on, a line at a time.

    Returns:
        The interpreter that will run the world.

    Raises:
        UnknownName: if there is no such world.
        UsageError: if there is no Python to make it with, pip fails, or the result fails its check.
    """
    locations.lock_file(name)
    if python is not None:
        return _adopt(name, python.expanduser().absolute(), report)
    locations.make_home()
    with _alone(name, report) as held:
        where = locations.folder(name)
        record = locations.read_record(where)
        if record is not None:
            report(f"{name} is installed already: {where}")
        else:
            record = _make(name, where, report, held)
        shutil.rmtree(locations.own_folder(name), ignore_errors=True)
    for old in locations.stale_folders(name):
        report(f"An older {name} is left at {old}: delete it when nothing uses it any more")
    return Path(record.interpreter)


def _adopt(name: str, python: Path, report: Report) -> Path:
    if not python.is_file():
        raise UsageError("no such interpreter", got=python, expected="the path of a python executable")
    report(f"Checking {python}")
    record = _checked(name, python)
    locations.make_home()
    where = locations.own_folder(name)
    where.mkdir(exist_ok=True)
    locations.write_record(where, record)
    report(f"{name} will run with {python}")
    return python


def _make(name: str, where: Path, report: Report, held: int) -> Record:
    if where.exists():
        report(f"Removing an interrupted install at {where}")
        shutil.rmtree(where)
    base = find_python(report)
    try:
        report(f"Making an environment with {base} at {where}")
        _make_venv(base, where, held)
        python = where / "bin" / "python"
        pip_install(python, locations.RECIPES / _BACKEND, lambda _: None, held)
        pip_install(python, locations.lock_file(name), report, held)
        report("Checking it")
        record = _checked(name, python, locations.lock_sha256(name))
        locations.write_record(where, record)
    except BaseException:
        # Ctrl-C included: a later install starts from nothing, and nobody uses half of one.
        shutil.rmtree(where, ignore_errors=True)
        raise
    report(f"{name} is installed: {where}")
    return record


def _make_venv(base: Path, where: Path, held: int) -> None:
    with child([base, "-I", "-m", "venv", where], held) as venv:
        said = list(venv.stdout or ())
    if venv.returncode:
        raise UsageError("cannot make a virtual environment", got=digest(said), expected=f"{base} to have venv")


def _checked(name: str, python: Path, lock_sha256: str | None = None) -> Record:
    """The record of an interpreter that has passed its world's check."""
    answer = _ask(python, (locations.RECIPES / f"{name}_check.py").read_text(encoding="utf-8"))
    if answer["problems"]:
        raise UsageError(f"this Python cannot run {name}", got=f"{python}: {'; '.join(answer['problems'])}")
    made = datetime.now(UTC).isoformat(timespec="seconds")
    return Record(name, str(python), answer["python"], made, lock_sha256, answer["versions"])


def _ask(python: Path, check: str) -> dict[str, Any]:
    try:
        done = subprocess.run(
            [python, "-c", check],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_CHECK_S,
            cwd=python.parent,
        )
    except (OSError, subprocess.TimeoutExpired) as cause:
        raise UsageError("cannot run this Python", got=f"{python}: {cause}") from cause
    answers = [line for line in done.stdout.splitlines() if line.startswith('{"python"')]
    if not answers:
        said = digest((done.stdout + done.stderr).splitlines())
        raise UsageError("this Python did not answer", got=f"{python}: {said}", expected="Python 3.11 or newer")
    return json.loads(answers[-1])


@contextmanager
def _alone(name: str, report: Report) -> Iterator[int]:
    """Keep other installs of the same world out; yields the descriptor that holds the lock.

    ``flock`` belongs to the open file, so a pip that inherited the descriptor holds the lock on even if this
    process is killed, and the next install does not delete files under its hands.
    """
    descriptor = os.open(locations.make_home() / f".{name}.busy", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            report(f"Waiting for another install of {name} to end")
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)

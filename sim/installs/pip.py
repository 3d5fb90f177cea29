"""Run pip in a world's environment and boil its complaints down to one line."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path

from ...core.errors import UsageError
from .children import child

_KEPT = 40
_SAID = 3
_PIN = "=="
_OPTIONS = ("--require-hashes", "--no-deps", "--progress-bar=off", "--no-input", "--disable-pip-version-check")
# The pinned backend builds the source packages, not whichever is newest on the day; use-pep517 makes the pip of
# Debian 12 do so without the wheel package.
_OPTIONS += ("--no-build-isolation", "--use-pep517")
_COMES_TO = ("Collecting ", "Processing ")


def count_pins(lock: Path) -> int:
    """How many packages a lock file pins."""
    return sum(_PIN in line for line in lock.read_text(encoding="utf-8").splitlines() if line[:1].isalnum())


def pip_install(python: Path, lock: Path, report: Callable[[str], None], held: int) -> None:
    """Install exactly what a hashed lock file names.

    Args:
        python: the environment's interpreter; it holds the build backend that source packages need.
        lock: every package pinned and hashed, none left out: dependencies are not followed.
        report: told each package as pip comes to it.
        held: descriptor of the install's lock, inherited so that an orphaned pip keeps the lock.

    Raises:
        UsageError: if pip fails, with what it said last.
    """
    command = [python, "-I", "-m", "pip", "install", "-r", lock, *_OPTIONS]
    total, seen = count_pins(lock), 0
    said: deque[str] = deque(maxlen=_KEPT)
    with child(command, held) as pip:
        for line in pip.stdout or ():
            said.append(line.strip())
            if line.startswith(_COMES_TO):
                seen += 1
                report(f"[{seen}/{total}] {Path(line.split()[1]).name}")
            elif line.startswith("Installing collected"):
                report(f"Unpacking {total} packages")
    if pip.returncode:
        raise UsageError("pip could not install the world", got=digest(said), hint=_hint(said))


def digest(said: deque[str] | list[str]) -> str:
    """What pip calls errors, in one line, or the last lines it printed where it named none."""
    lines = [line.strip() for line in said if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")] or lines
    return " | ".join(errors[-_SAID:]) or "nothing printed"


def _hint(said: deque[str]) -> str:
    text = " ".join(said)
    if "No space left" in text:
        return "free some space, or set INDGEN_HOME to a folder on another disk"
    if "HASHES" in text or "hashes" in text:
        return "the package index serves another file than the one that was locked"
    return "check the network and the package index, then run the same command again"

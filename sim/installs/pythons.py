"""Find a Python for worlds: 3.11, the last one that MuJoCo 2.3.7 has wheels for."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from ...core.errors import UsageError

VERSION = "3.11"
_PROBE_S = 30
# ensurepip: Debian splits it off into python3.11-venv, and `python -m venv` fails without it.
_PROBE = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2], sys.executable)"


def find_python(report: Callable[[str], None]) -> Path:
    """A Python 3.11 that can make virtual environments.

    Args:
        report: told before something is downloaded.

    Raises:
        UsageError: if there is none, saying how to get one.
    """
    for candidate in _candidates(report):
        python = _itself(candidate)
        if python is not None:
            return python
    raise UsageError(
        f"no Python {VERSION} with venv and ensurepip found",
        got=f"Python {sys.version_info[0]}.{sys.version_info[1]} at {sys.executable}",
        expected=f"Python {VERSION} as python{VERSION} on PATH, from pyenv, or from uv",
        hint=f"install one (Debian 12: apt-get install python{VERSION}-venv; anywhere: pip install uv) and try again",
    )


def _candidates(report: Callable[[str], None]) -> Iterator[Path]:
    if sys.executable:
        yield Path(sys.executable)
    on_path = shutil.which(f"python{VERSION}")
    if on_path:
        yield Path(on_path)
    yield from sorted(Path.home().glob(f".pyenv/versions/{VERSION}*/bin/python"), reverse=True)
    uv = shutil.which("uv")
    if uv:
        report(f"Fetching Python {VERSION} with uv")
        _output(uv, "python", "install", VERSION)
        found = _output(uv, "python", "find", "--no-project", VERSION)
        if found:
            yield Path(found)


def _itself(candidate: Path) -> Path | None:
    """What stands behind a candidate (a shim, for one) if it is of the right version; else None."""
    answer = _output(str(candidate), "-I", "-c", _PROBE, seconds=_PROBE_S) or ""
    version, _, executable = answer.partition(" ")
    return Path(executable) if version == VERSION and executable else None


def _output(*command: str, seconds: float | None = None) -> str | None:
    """What a command prints; None if it fails (a pyenv shim for a version that is switched off, for one)."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()

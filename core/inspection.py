"""Inspection: what a start is, measured on the compiled model; what certificates are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol, runtime_checkable

from .scene import Scene


@dataclass(frozen=True)
class Inspection:
    """One start of one level, as instantiated.

    Attributes:
        problem: why the start is broken (see ``Env.reset``); None where it is sound.
        model: name of each part of the compiled model to a digest of all that is compiled into it (shapes, masses,
            inertias, contacts, joints), in the model's order.
        state: name of each movable thing to its position, before anything settles; metres and radians.
        masses: name of each movable thing to its mass, kilograms.
        meaning: what the policy is told and what counts as done, in the world's words.
        reach: metres that the arm could reach farther than the task's farthest place; negative where it falls short.
            None where nothing has to be reached.
        seen: camera role to the share (0 to 1) of the task's objects, by their corners, inside the picture;
            empty where the task has none.
    """

    problem: str | None
    model: Mapping[str, str]
    state: Mapping[str, tuple[float, ...]]
    masses: Mapping[str, float]
    meaning: str
    reach: float | None
    seen: Mapping[str, float]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for the wire."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Inspection:
        """The inverse of :meth:`to_dict`."""
        fields = dict(data)
        fields["state"] = {name: tuple(map(float, place)) for name, place in fields["state"].items()}
        return cls(**fields)


@runtime_checkable
class Inspectable(Protocol):
    """An environment that can show what a start is; certificates need one."""

    def inspect(self, scene: Scene) -> Inspection:
        """Start the scene and measure it, sound or not.

        Raises:
            SceneError: as ``Env.reset``.
        """
        ...

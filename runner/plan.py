"""Plan: the frozen request. Its hash is the run's identity: the same plan resumes, another is refused."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from ..core.slots import EpisodeKey

PLAN_VERSION = 1
MOST_ROLLOUTS = 10**6
"""Per task and level; more is a slip of the finger."""


class Plan(BaseModel):
    """Everything that was asked for and decides what runs; how many workers run it does not."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int = PLAN_VERSION
    world: str
    policy: str
    """Registered id."""
    axis: str
    """Registered id."""
    label: str | None = None
    """Free text that groups runs."""
    tasks: tuple[str, ...]
    """Full names, in the benchmark's order."""
    levels: tuple[int, ...]
    """Ascending."""
    rollouts: int = Field(ge=1, le=MOST_ROLLOUTS)
    """Per task and level."""
    first: int = Field(default=0, ge=0, le=MOST_ROLLOUTS)
    """The first rollout; starts are ``first`` to ``first + rollouts - 1`` of each task."""
    top_up: int | None = Field(default=None, le=MOST_ROLLOUTS)
    """Rollouts per task at a level that the first ``rollouts`` leave undecided; None for no second stage."""
    seed: int = 0
    max_steps: int = Field(ge=1)
    """Control steps the policy gets."""
    success: str
    """Name of the success predicate that ends an episode."""
    execute: int = Field(ge=1)
    """Control steps between two looks (the replan horizon)."""
    video: bool = False
    uncertified: tuple[tuple[str, int], ...] = ()
    """Cells (task, level) that the axis' certificate does not vouch for."""
    include_uncertified: bool = False
    """Whether those are run all the same."""
    certificate: str | None = None
    """SHA-256 of the certificate; None where the axis has none."""

    @field_validator("tasks", "levels")
    @classmethod
    def _distinct(cls, values: tuple[Any, ...]) -> tuple[Any, ...]:
        if not values or len(set(values)) < len(values):
            raise ValueError("must be distinct, and at least one")
        return values

    @property
    def hash(self) -> str:
        """SHA-256 of the canonical JSON."""
        text = json.dumps(self.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def size(self) -> int:
        """Number of episodes of the first stage."""
        return self.cells * self.rollouts

    @property
    def cells(self) -> int:
        """Number of cells (task, level) that are run."""
        return len(self.tasks) * len(self.levels) - len(self.excluded)

    @property
    def excluded(self) -> frozenset[tuple[str, int]]:
        """Cells that are left out."""
        return frozenset() if self.include_uncertified else frozenset(self.uncertified)

    @property
    def largest(self) -> int:
        """Number of episodes if every level is topped up."""
        return self.cells * (self.top_up or self.rollouts)

    def episode_keys(self, topped: Collection[int] = ()) -> Iterator[EpisodeKey]:
        """Every episode: task by task, start by start, its levels together.

        Args:
            topped: levels that were topped up to ``top_up`` rollouts.
        """
        excluded = self.excluded
        outward = sorted(self.levels, key=lambda k: (abs(k), k))
        for task in self.tasks:
            for number in range(self.top_up if topped and self.top_up else self.rollouts):
                for level in outward:
                    if (number < self.rollouts or level in topped) and (task, level) not in excluded:
                        yield EpisodeKey(task, self.first + number, level)

    def differences(self, other: Plan) -> list[str]:
        """What differs, one line each: ``name: ours, theirs``."""
        ours, theirs = self.model_dump(mode="json"), other.model_dump(mode="json")
        return [
            f"{name}: {_short(ours[name])} asked for, {_short(theirs[name])} in the folder"
            for name in ours
            if ours[name] != theirs[name]
        ]


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."

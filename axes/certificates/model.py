"""The typed record of a certificate; its JSON is this, field by field."""

from __future__ import annotations

import hashlib
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

CERTIFICATE_VERSION = 1
INVALID_SHARE = 0.10
"""A cell is left out when a larger share than this of its starts is broken."""
EXPERT_SHARE = 0.90
"""A cell is left out when the expert does a smaller share than this of its sound starts."""
SEEN_SHARE = 0.5
"""A cell is left out when less than this of the task's objects is inside the picture in some sound start."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Broken(_Record):
    """A start that is broken at a level."""

    start: int
    """Rollout number, from 0."""
    cause: str
    """Why, in the world's words."""


class Geometry(_Record):
    """What was measured on instantiated starts, and the verdict."""

    starts: int
    """Starts that were instantiated at this level and at tau_0, and compared."""
    broken: tuple[Broken, ...]
    """Those of them in which bodies overlap, or lie elsewhere than they were put once settled."""
    changed: tuple[str, ...]
    """Everything of model and state that differs from tau_0 in some start."""
    distance: float | None
    """How far the nearest of these starts lies from all of tau_0's, in the unit of ``step``; None at level 0."""
    reach: float | None
    """Metres that the arm could still reach beyond the task's farthest place; the least of all sound starts."""
    seen: dict[str, float]
    """Camera role to the share of the task's objects inside the picture; the least of all sound starts."""
    reasons: tuple[str, ...]
    """Why the cell is not what the axis claims; empty where it is."""

    @property
    def holds(self) -> bool:
        """Whether the cell is what the axis claims."""
        return not self.reasons


class ExpertVerdict(_Record):
    """What a privileged expert made of starts it was not tuned on."""

    successes: int
    """Successes."""
    n: int
    """Sound starts among those judged."""
    failed: tuple[int, ...]
    """Rollout numbers of the failures, ascending."""

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if not 0 <= self.successes <= self.n:
            raise ValueError(f"{self.successes} successes of {self.n} starts")
        return self

    @property
    def holds(self) -> bool:
        """Whether the cell can be done."""
        return self.n > 0 and self.successes >= EXPERT_SHARE * self.n


class Cell(_Record):
    """One task at one level; the two verdicts stand apart."""

    task: str
    """Full task name."""
    level: int
    """Level of the axis."""
    geometry: Geometry
    """What was measured."""
    expert: ExpertVerdict | None
    """What the expert did; None where no start is sound."""

    @property
    def certified(self) -> bool:
        """Whether both verdicts hold."""
        return self.geometry.holds and self.expert is not None and self.expert.holds

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is not certified; empty where it is."""
        if self.expert is None:
            return self.geometry.reasons or ("none of the expert's starts is sound",)
        if self.expert.holds:
            return self.geometry.reasons
        return (*self.geometry.reasons, f"the expert did {self.expert.successes} of {self.expert.n} sound starts")


class Certificate(_Record):
    """An axis' cells and what they were judged with."""

    version: Literal[1] = CERTIFICATE_VERSION
    """Of this format; a reader refuses any other."""
    axis: str
    """Registered id."""
    world: str
    """World id."""
    step: float
    """Size of a step, from the axis' card."""
    unit: str
    """Unit of ``step``."""
    expert: str
    """Registered id of the policy that judged feasibility."""
    expert_starts: tuple[int, int]
    """First and last rollout it was judged on."""
    manifest: dict[str, Any]
    """Versions and asset digests of the world it was made with."""
    cells: tuple[Cell, ...]
    """Task by task in the benchmark's order, levels ascending."""

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        places = [(cell.task, cell.level) for cell in self.cells]
        if len(set(places)) < len(places):
            raise ValueError("a cell is judged twice")
        return self

    @property
    def digest(self) -> str:
        """SHA-256 of its JSON."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()

    def cell(self, task: str, level: int) -> Cell | None:
        """One cell, if it was judged."""
        return next((cell for cell in self.cells if (cell.task, cell.level) == (task, level)), None)

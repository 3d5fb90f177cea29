"""Report: the typed, versioned record of everything computed from a run's episodes."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from ..axes.contract import AxisCard
from ..policies.contract import PolicyCard, Support

SCHEMA_VERSION = 1


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Counts(_Record):
    """Episodes of one level, of all tasks or of one.

    ``successes + failures + errors + invalid + dropped + pending`` is the number of episodes planned there.
    """

    level: int
    """Level k of the axis; 0 is tau_0."""
    successes: int
    """Successes among the kept starts."""
    failures: int
    """Failures among the kept starts."""
    n: int
    """``successes + failures``: what every rate and interval rests on."""
    errors: int
    """Episodes ended by something other than the policy's skill; outside n."""
    invalid: int
    """Episodes whose start is itself broken at this level; outside n."""
    dropped: int
    """Episodes that would count here, but whose start is invalid at another level; outside n."""
    pending: int
    """Planned episodes without a record yet."""
    rate: float | None
    """``successes / n``; None where n is 0."""


class LevelResult(Counts):
    """One level over all tasks."""

    ci: tuple[float, float] | None
    """Clopper-Pearson interval of the rate at the report's ``confidence``; None where n is 0."""
    mean_steps: float | None
    """Mean control steps of the n counted episodes; None where n is 0."""
    in_distribution: bool | None
    """Whether the policy was trained on this level; None where its training levels are unknown."""


class TaskResult(_Record):
    """One task, level by level."""

    task: str
    """Full task name."""
    levels: tuple[Counts, ...]
    """Ascending, one per level of the plan."""


class BreakLevel(_Record):
    """Where the policy breaks in one direction."""

    direction: Literal["-", "+"]
    """Towards negative or towards positive levels."""
    level: int | None
    """First level from 0 outward whose rate is below the threshold; None when not reached."""
    set: tuple[int | None, ...] | None = None
    """Confidence set of break levels, None in it meaning "not reached"; None where it was not computed."""
    undecided: tuple[int, ...] = ()
    """Levels passed on the way that have no counted episode."""
    furthest: int | None
    """Outermost level of this direction with counted episodes; None where no level has any."""


class InvalidStart(_Record):
    """A start that is broken at some level, and therefore dropped at every level."""

    task: str
    """Full task name."""
    rollout: int
    """Which start of the task, from 0."""
    levels: tuple[int, ...]
    """Levels at which it is invalid, ascending."""
    cause: str
    """Why, in the world's words."""


class InvalidCell(_Record):
    """A task at a level at which more than 10 % of the planned starts are invalid."""

    task: str
    """Full task name."""
    level: int
    """Level of the axis."""
    invalid: int
    """Invalid starts."""
    starts: int
    """Planned starts."""


class Report(_Record):
    """Everything computed from episodes alone; ``report.json`` is this, field by field."""

    schema_version: Literal[1] = SCHEMA_VERSION
    """Version of this format; a reader refuses any other."""
    policy: str
    """Registered id of the policy."""
    axis: str
    """Registered id of the axis."""
    world: str
    """World id."""
    label: str | None
    """Free text that groups runs."""
    plan_hash: str
    """SHA-256 of the plan; the run's identity."""
    complete: bool
    """Whether every planned episode has a record (of whatever outcome)."""
    threshold: float
    """A level breaks the policy when its rate is below this, 0 to 1."""
    confidence: float
    """Confidence of each interval, 0 to 1."""
    break_levels: tuple[BreakLevel, ...]
    """One per direction that the plan has levels in."""
    levels: tuple[LevelResult, ...]
    """Ascending."""
    tasks: tuple[TaskResult, ...]
    """In the plan's order."""
    invalid_starts: tuple[InvalidStart, ...]
    """Starts dropped at every level, in the plan's order."""
    invalid_cells: tuple[InvalidCell, ...]
    """Task-level cells that are not what the axis claims, in the plan's order."""
    error_causes: dict[str, int]
    """Number of errors by cause, the most frequent first."""
    privileged: tuple[str, ...]
    """Simulator truth the policy saw; anything at all makes its numbers incomparable with vision policies."""
    support: Support | None
    """Demonstrations the policy was given before it was evaluated."""
    rollouts: int
    """Planned starts per task."""
    seed: int
    """Root seed."""
    success: str
    """Name of the success predicate."""
    max_steps: int
    """Control steps the policy gets."""
    execute: int
    """Control steps between two looks."""
    axis_card: AxisCard
    """What the axis changes, by how much a step, in which unit."""
    policy_card: PolicyCard
    """Where the policy's numbers come from."""
    manifest: dict[str, Any]
    """Everything else that changes results, as the run recorded it."""

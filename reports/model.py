"""Report: the typed, versioned record of everything computed from a run's episodes."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from ..axes.contract import AxisCard
from ..policies.contract import PolicyCard, Support
from .stats import Area, Capability, FollowingRatio, MonotoneTest, SymmetryTest, ThresholdFit

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
    """Clopper-Pearson interval of the rate at the report's ``confidence``, for claims; None where n is 0."""
    wilson: tuple[float, float] | None
    """Wilson interval at the same confidence, for display; None where n is 0."""
    mean_steps: float | None
    """Mean control steps of the n counted episodes; None where n is 0."""
    in_distribution: bool | None
    """Whether the policy was trained on this level; None where its training levels are unknown."""
    stages: dict[str, int]
    """How many of the n episodes got how far, in the world's words, by name; empty where it knows no stages."""
    distinct: int
    """Distinct pairs (outcome, steps) among the n episodes, counted within each task and added up: an upper
    bound of how many different things happened is n, and a small number here says that few did."""


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
    set: tuple[int | None, ...]
    """Contains the true break level at the report's ``confidence``: consecutive levels outward; None, always
    last, means "not reached". Fixed-sequence exact tests from both ends, for a claim about this direction."""
    joint_set: tuple[int | None, ...] | None = None
    """The same for a claim about both directions at once; None where the axis has one direction."""
    base_certified: bool
    """Whether the innermost level is certified to hold. If not, the set contains it: whether the policy can do
    tau_0 itself is not settled, and a break further out may not be one."""
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


class UncertifiedCell(_Record):
    """A task at a level that the axis' certificate does not vouch for; in no number but ``Published``."""

    task: str
    """Full task name."""
    level: int
    """Level of the axis."""


class Published(_Record):
    """The same run counted as the paper counts: every cell, certified or not, and a broken start as a failure."""

    levels: tuple[Counts, ...]
    """Ascending; ``failures`` holds the invalid starts, and no start is dropped."""
    break_levels: tuple[BreakLevel, ...]
    """One per direction that the plan has levels in."""


class Decidable(_Record):
    """What the counted episodes can decide, and what they have left open."""

    alpha: float
    """One-sided level of each exact test of one level: ``(1 - confidence) / 2``, split over the plan's stages."""
    counts: tuple[Capability, ...]
    """Deciding counts for each n that occurs, ascending."""
    fewest_below: int
    """The fewest episodes that can certify "below" (no success among them)."""
    fewest_above: int
    """The fewest episodes that can certify "above" (all of them successes)."""
    undecided: tuple[int, ...]
    """Levels whose counts certify neither, ascending."""


class DirectionView(_Record):
    """Secondary views of one direction: each rests on assumptions that the confidence set does without."""

    direction: Literal["-", "+"]
    """Towards negative or towards positive levels."""
    levels: tuple[int, ...]
    """Levels with counted episodes, outward; what ``isotonic`` is aligned with."""
    isotonic: tuple[float, ...]
    """The non-increasing fit (PAVA) of the success rates."""
    monotone: MonotoneTest | None
    """Test of "success never rises outward"; None with fewer than two counted levels."""
    posterior: tuple[tuple[int | None, float], ...]
    """P(break level = level), outward, last None for "not reached"; order-constrained Jeffreys posterior."""
    threshold: ThresholdFit
    """Distance at which a logit fit crosses the threshold, in the axis card's unit."""
    area: Area | None
    """Normalised area under success over distance; None with fewer than two counted levels."""


class Secondary(_Record):
    """Everything computed that is not the guarantee."""

    seed: int
    """Of every bootstrap and draw below."""
    directions: tuple[DirectionView, ...]
    """As ``break_levels``."""
    symmetry: tuple[SymmetryTest, ...]
    """+k against -k on shared starts, by distance; empty for an axis with one direction."""


class TaskFollowing(_Record):
    """The following ratio of one task."""

    task: str
    """Full task name."""
    ratio: FollowingRatio
    """Over the task's starts."""


class Following(_Record):
    """How far the hand follows what the axis moves; counted episodes, each against its start's at level 0."""

    role: str
    """What the axis moves and the hand acts on: ``pick`` or ``goal``."""
    pooled: FollowingRatio
    """Over all tasks' starts."""
    tasks: tuple[TaskFollowing, ...]
    """In the plan's order."""
    how: dict[str, int]
    """By what counted as acting (``command``, ``end``, ``approach``), how many of the ``pooled`` episodes."""


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
    """Confidence of each interval, and of the break level's set in each direction, 0 to 1."""
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
    uncertified: tuple[UncertifiedCell, ...]
    """Task-level cells that the axis' certificate does not vouch for, in the plan's order."""
    certificate: str | None
    """SHA-256 of the certificate, of all parts of a composed axis; None where the axis has none."""
    published: Published | None
    """The estimate with the uncertified cells; None where those were not run."""
    decidable: Decidable
    """What this n can and cannot decide."""
    near_replicates: tuple[int, ...]
    """Levels at which a deterministic policy gave nearly the same episode again and again, ascending."""
    secondary: Secondary
    """Views that rest on more assumptions; never the claim."""
    following: Following | None = None
    """How far the hand follows its target; None where the axis moves none, or no episode tells where it acted."""
    error_causes: dict[str, int]
    """Number of errors by cause, the most frequent first."""
    privileged: tuple[str, ...]
    """Simulator truth the policy saw; anything at all makes its numbers incomparable with vision policies."""
    support: Support | None
    """Demonstrations the policy was given before it was evaluated."""
    rollouts: int
    """Planned starts per task."""
    top_up: int | None
    """Planned starts per task at a level that was topped up; None for a plan with one stage."""
    topped: tuple[int, ...]
    """Levels that were topped up, ascending."""
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

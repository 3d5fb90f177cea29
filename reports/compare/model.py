"""Comparison: the typed, versioned record of ``compare.json``."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

SCHEMA_VERSION = 1


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Rate(_Record):
    """One run at one level: all starts that its own report counts."""

    level: int
    """Level k of the axis."""
    successes: int
    """Among ``n``."""
    n: int
    """Counted episodes."""
    rate: float | None
    """``successes / n``; None where n is 0."""
    ci: tuple[float, float] | None
    """Clopper-Pearson interval at the comparison's confidence; None where n is 0."""


class ArmRecord(_Record):
    """One run of the comparison."""

    symbol: str
    """``A``, ``B``, ... in the order the runs were given."""
    name: str
    """The run's label, else its policy, made unique within an axis."""
    group: str
    """What the run is grouped under for the whole curve: its label, or its symbol when runs stand alone."""
    path: str
    """The run folder, as given."""
    policy: str
    """Registered id."""
    axis: str
    """Registered id."""
    label: str | None
    """The plan's label."""
    plan_hash: str
    """SHA-256 of the plan."""
    complete: bool
    """Whether every planned episode has a record."""


class LevelComparison(_Record):
    """Two runs at one level. Differences are first minus second: positive where the first succeeds more."""

    level: int
    """Level of the first run; the second run's is the same, but see :class:`AttributionLevel`."""
    test: Literal["mcnemar", "barnard", "score"]
    """Exact McNemar on shared starts; Barnard, or a score test for large n, where starts are not shared."""
    n_a: int
    """Starts of the first run that entered the test; equal to ``n_b`` where starts are shared."""
    n_b: int
    """Starts of the second run that entered the test."""
    successes_a: int
    """Among ``n_a``."""
    successes_b: int
    """Among ``n_b``."""
    only_a: int | None
    """Shared starts on which only the first run succeeded; None where starts are not shared."""
    only_b: int | None
    """Shared starts on which only the second run succeeded; None where starts are not shared."""
    difference: float | None
    """Difference of the two rates, -1 to 1; None where a run has no start here."""
    ci: tuple[float, float] | None
    """Tango's interval where starts are shared, else Newcombe's, at the comparison's confidence."""
    p: float | None
    """Two-sided; None where a run has no start here."""
    p_holm: float | None = None
    """Holm-adjusted over all levels, pairs of runs and axes of the comparison (of an attribution: over its table)."""


class BreakComparison(_Record):
    """Which of two runs breaks later in one direction, by their confidence sets."""

    direction: Literal["-", "+"]
    """Towards negative or towards positive levels."""
    set_a: tuple[int | None, ...] | None
    """The first run's set on the levels both have; None in it means "not reached"."""
    set_b: tuple[int | None, ...] | None
    """The second run's set, likewise."""
    later: str | None
    """Symbol of the run that breaks later; None where that cannot be said."""
    not_computed: str | None
    """Why there is no decision at all; None where there is one, be it "not distinguished"."""
    alpha: float
    """Bound on the probability that "X breaks later than Y" is said wrongly."""


class PairComparison(_Record):
    """Two runs of one axis."""

    a: str
    """Symbol of the first run."""
    b: str
    """Symbol of the second run."""
    paired: bool
    """Whether the runs are compared start by start."""
    shared_starts: int
    """Starts that both runs have a record of: same task, rollout, seed and tau_0 scene."""
    starts_a: int
    """All starts of the first run."""
    starts_b: int
    """All starts of the second run."""
    levels: tuple[LevelComparison, ...]
    """Ascending."""
    breaks: tuple[BreakComparison, ...]
    """One per direction that both runs have levels in."""


class CurveComparison(_Record):
    """Two groups of runs over all shared levels together."""

    a: str
    """Name of the first group."""
    b: str
    """Name of the second group."""
    test: Literal["sign-flip", "shuffle"]
    """Sign flips over shared starts, all accounted for; else seeded shuffles of starts within tasks."""
    starts: int
    """Shared starts that entered the test; of both groups together where starts are not shared."""
    difference: float | None
    """Mean difference of success over starts and levels, first minus second; None where nothing can be compared."""
    p: float | None
    """Two-sided; None where nothing can be compared."""
    p_holm: float | None = None
    """Holm-adjusted over all pairs of groups and axes."""


class GroupLetters(_Record):
    """One group in the compact letter display of an axis."""

    group: str
    """Name of the group."""
    runs: tuple[str, ...]
    """Symbols of its runs."""
    rate: float | None
    """Mean over runs of the mean rate over shared levels; None where nothing is counted."""
    letters: str | None
    """Groups that share a letter are not distinguished; None for fewer than three groups."""


class AxisComparison(_Record):
    """Everything about the runs of one axis."""

    axis: str
    """Registered id (of the first run, where forced)."""
    levels: tuple[int, ...]
    """Levels that all its runs have, ascending."""
    threshold: float
    """Success rate below which a level breaks a policy."""
    rates: dict[str, tuple[Rate, ...]]
    """Symbol to the run's curve on ``levels``."""
    pairs: tuple[PairComparison, ...]
    """Every pair of runs, in order."""
    curves: tuple[CurveComparison, ...]
    """Every pair of groups, in order."""
    groups: tuple[GroupLetters, ...]
    """The best first."""


class AttributionLevel(_Record):
    """One level of a composed axis beside its parts."""

    level: int
    """Level of the composition and of the first part; further parts are at its absolute value."""
    rates: tuple[Rate, ...]
    """One per part, in order, then the composition."""
    differences: tuple[LevelComparison, ...]
    """Composition minus part, one per part."""


class Attribution(_Record):
    """What each part of a composed axis does to one policy (paper, Figure 3, fourth panel)."""

    policy: str
    """Registered id."""
    label: str | None
    """Label of all its runs."""
    axis: str
    """Id of the composition."""
    parts: tuple[str, ...]
    """Ids of the parts, in order."""
    threshold: float
    """Success rate below which a level breaks a policy."""
    runs: tuple[str, ...]
    """Symbols: one per part, then the composition."""
    levels: tuple[AttributionLevel, ...]
    """Ascending."""


class Comparison(_Record):
    """Everything ``indgen compare`` says; ``compare.json`` is this, field by field."""

    schema_version: Literal[1] = SCHEMA_VERSION
    """Version of this format; a reader refuses any other."""
    confidence: float
    """Confidence of the intervals; decisions are made at one minus it."""
    by: Literal["run", "label"]
    """What the whole curve and the letters compare."""
    differences: tuple[str, ...]
    """What differs between the runs and matters; only a forced comparison has any."""
    notes: tuple[str, ...]
    """What a reader should know besides."""
    runs: tuple[ArmRecord, ...]
    """In the order they were given."""
    axes: tuple[AxisComparison, ...]
    """Axes with two runs or more."""
    attributions: tuple[Attribution, ...]
    """Composed axes whose parts were run as well."""

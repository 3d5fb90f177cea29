"""The estimate as the paper counts: every cell, and a broken start as the failure it would have been there."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from ..runner.episodes import Episode
from ..runner.plan import Plan
from .breaks import break_levels
from .model import Counts, LevelResult, Published
from .outcomes import ERROR, FAILURE, INVALID, PENDING, SUCCESS, collect
from .stats import interval, wilson


def as_published(
    plan: Plan, episodes: Iterable[Episode], topped: Collection[int], threshold: float, confidence: float
) -> Published | None:
    """Counts and break levels over all cells of a run that was to include uncertified ones; None for any other run.

    The published evaluation checked no start (paper, section 5.2): one in which bodies overlap or fly apart was run,
    and lost. Ours refuses to run it, and counts it here as the failure.
    """
    if not plan.include_uncertified:
        return None
    found = collect(plan, episodes, topped)
    counts = [_counts(level, found.code[:, :, number]) for number, level in enumerate(found.levels)]
    levels = [_result(each, confidence) for each in counts]
    looks = None
    if plan.top_up is not None:
        first = [_counts(level, found.code[:, : plan.rollouts, number]) for number, level in enumerate(found.levels)]
        looks = {look.level: (look.successes, look.n) for look in first if look.level in topped}
    return Published(levels=tuple(counts), break_levels=break_levels(levels, threshold, confidence, first_looks=looks))


def _counts(level: int, code: np.ndarray) -> Counts:
    successes, failures, errors, invalid, pending = (
        int(np.count_nonzero(code == kind)) for kind in (SUCCESS, FAILURE, ERROR, INVALID, PENDING)
    )
    n = successes + failures + invalid
    return Counts(
        level=level,
        successes=successes,
        failures=failures + invalid,
        n=n,
        errors=errors,
        invalid=0,
        dropped=0,
        pending=pending,
        rate=successes / n if n else None,
    )


def _result(counts: Counts, confidence: float) -> LevelResult:
    return LevelResult(
        **counts.model_dump(),
        ci=interval(counts.successes, counts.n, confidence),
        wilson=wilson(counts.successes, counts.n, confidence),
        mean_steps=None,
        in_distribution=None,
        stages={},
        distinct=counts.n,
    )

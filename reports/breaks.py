"""Break levels: the first level, from tau_0 outward, at which the policy fails, and its confidence set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from .model import BreakLevel, Decidable, LevelResult
from .stats import (
    CONFIDENCE,
    THRESHOLD,
    LevelCounts,
    capability,
    certified,
    confidence_set,
    fewest_above,
    fewest_below,
)

Direction = Literal["-", "+"]
Look = tuple[int, int]
"""Successes and n."""


def break_levels(
    levels: Sequence[LevelResult],
    threshold: float = THRESHOLD,
    confidence: float = CONFIDENCE,
    *,
    first_looks: Mapping[int, Look] | None = None,
) -> tuple[BreakLevel, ...]:
    """The break level of each direction that has levels beyond 0, negative direction first.

    A direction starts at level 0 where the plan has it, and at its innermost level where not. A level
    without counted episodes is passed over and named as undecided; it certifies nothing.

    Args:
        levels: results in any order, one per level.
        threshold: success rate strictly between 0 and 1; a rate equal to it does not break.
        confidence: of each direction's set, strictly between 0 and 1.
        first_looks: for a plan with a second stage, the first stage's counts at the levels that had the second,
            by level; None for a plan with one stage.

    Raises:
        ValueError: if threshold or confidence is out of range.
    """
    counted = level_counts(levels, first_looks)
    stages = 1 if first_looks is None else 2
    found = []
    paths = outward(levels)
    for direction, path in paths.items():
        chain = [counted[result.level] for result in path]
        alpha = 1 - confidence
        own = confidence_set(chain, threshold, alpha, stages)
        joint = confidence_set(chain, threshold, alpha / 2, stages) if len(paths) == 2 else None
        found.append(_break_level(direction, path, threshold, own, joint))
    return tuple(found)


def outward(levels: Sequence[LevelResult]) -> dict[Direction, list[LevelResult]]:
    """The levels of each direction that has levels beyond 0, innermost first, negative direction first."""
    paths: dict[Direction, list[LevelResult]] = {}
    if any(result.level < 0 for result in levels):
        paths["-"] = [result for result in levels if result.level <= 0]
    if any(result.level > 0 for result in levels):
        paths["+"] = [result for result in levels if result.level >= 0]
    return {direction: sorted(path, key=lambda result: abs(result.level)) for direction, path in paths.items()}


def level_counts(
    levels: Sequence[LevelResult], first_looks: Mapping[int, Look] | None = None
) -> dict[int, LevelCounts]:
    """The counts of each level, as the tests take them; ``first_looks`` as in :func:`break_levels`.

    Only looks that are over count: successes end sooner than failures, so what an unfinished look holds flatters
    the policy, and its n was not fixed beforehand. A level of which no look is over decides nothing.
    """
    looks = first_looks or {}
    return {result.level: _counts(result, looks.get(result.level)) for result in levels}


def _counts(result: LevelResult, first: Look | None) -> LevelCounts:
    if not result.pending:
        return LevelCounts(result.level, result.successes, result.n, earlier=() if first is None else (first,))
    return LevelCounts(result.level, *(first or (0, 0)))


def decidable(
    levels: Sequence[LevelResult],
    threshold: float = THRESHOLD,
    confidence: float = CONFIDENCE,
    *,
    first_looks: Mapping[int, Look] | None = None,
) -> Decidable:
    """What the levels' n can decide; arguments and errors are those of :func:`break_levels`."""
    alpha = (1 - confidence) / 2 / (1 if first_looks is None else 2)
    return Decidable(
        alpha=alpha,
        counts=tuple(capability(n, threshold, alpha) for n in sorted({result.n for result in levels})),
        fewest_below=fewest_below(threshold, alpha),
        fewest_above=fewest_above(threshold, alpha),
        undecided=tuple(
            level
            for level, counts in sorted(level_counts(levels, first_looks).items())
            if certified(counts, threshold, alpha) == "undecided"
        ),
    )


def _break_level(
    direction: Direction,
    path: Sequence[LevelResult],
    threshold: float,
    own: tuple[int | None, ...],
    joint: tuple[int | None, ...] | None,
) -> BreakLevel:
    undecided: list[int] = []
    broken: int | None = None
    for result in path:
        if result.rate is None:
            undecided.append(result.level)
        elif result.rate < threshold:
            broken = result.level
            break
    return BreakLevel(
        direction=direction,
        level=broken,
        set=own,
        joint_set=joint,
        base_certified=path[0].level not in own,
        undecided=tuple(undecided),
        furthest=max((result.level for result in path if result.n), key=abs, default=None),
    )

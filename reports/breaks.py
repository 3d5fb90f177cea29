"""Break levels: the first level, from tau_0 outward, at which the policy fails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from .model import BreakLevel, LevelResult

THRESHOLD = 0.20
"""A level breaks the policy when its success rate is below this (DESIGN section 1)."""


def break_levels(levels: Sequence[LevelResult], threshold: float = THRESHOLD) -> tuple[BreakLevel, ...]:
    """The break level of each direction that has levels beyond 0, negative direction first.

    A direction starts at level 0 where the plan has it, and at its innermost level where not. A level
    without counted episodes is passed over and named as undecided.

    Args:
        levels: results in any order, one per level.
        threshold: success rate in [0, 1]; a rate equal to it does not break.
    """
    found = []
    if any(result.level < 0 for result in levels):
        found.append(_outward("-", [result for result in levels if result.level <= 0], threshold))
    if any(result.level > 0 for result in levels):
        found.append(_outward("+", [result for result in levels if result.level >= 0], threshold))
    return tuple(found)


def _outward(direction: Literal["-", "+"], levels: Sequence[LevelResult], threshold: float) -> BreakLevel:
    path = sorted(levels, key=lambda result: abs(result.level))
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
        undecided=tuple(undecided),
        furthest=max((result.level for result in path if result.n), key=abs, default=None),
    )

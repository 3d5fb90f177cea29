"""Which run breaks later: said only where the confidence sets of two break levels have nothing in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..model import BreakLevel, Report
from .arms import Arm
from .model import BreakComparison

Set = tuple[int | None, ...]


def compare_breaks(a: Arm, b: Arm) -> tuple[BreakComparison, ...]:
    """Every direction in which both runs have a break level to compare.

    A set misses its break level on either side with probability at most ``alpha / 2``. "A breaks later than B" is
    wrong only if A's set lies too far out or B's too far in, hence with probability at most ``alpha`` (union
    bound); to guard all such sentences of a comparison together, divide ``alpha`` by their number.
    """
    directions: tuple[Literal["-", "+"], ...] = ("-", "+")
    return tuple(
        _compare(direction, a, b, _found(a.report, direction), _found(b.report, direction))
        for direction in directions
        if _found(a.report, direction) and _found(b.report, direction)
    )


def _found(report: Report, direction: str) -> BreakLevel | None:
    return next((found for found in report.break_levels if found.direction == direction), None)


def _compare(
    direction: Literal["-", "+"], a: Arm, b: Arm, ours: BreakLevel | None, theirs: BreakLevel | None
) -> BreakComparison:
    path = _common(outward(a.report, direction), outward(b.report, direction))
    set_a = _within(ours.set if ours else None, path)
    set_b = _within(theirs.set if theirs else None, path)
    reason = _hindrance(a, b, path, set_a, set_b)
    return BreakComparison(
        direction=direction,
        set_a=set_a,
        set_b=set_b,
        later=None if reason else _later(a, b, set_a or (), set_b or (), path or ()),
        not_computed=reason,
        alpha=round(1 - min(a.report.confidence, b.report.confidence), 12),
    )


def outward(report: Report, direction: str) -> tuple[int, ...]:
    """Levels of one direction from tau_0 outward, level 0 among them."""
    sign = -1 if direction == "-" else 1
    return tuple(sorted((found.level for found in report.levels if found.level * sign >= 0), key=abs))


def _common(ours: Sequence[int], theirs: Sequence[int]) -> tuple[int, ...] | None:
    """The shorter path, where the longer one begins with it."""
    short, long = sorted((tuple(ours), tuple(theirs)), key=len)
    return short if long[: len(short)] == short else None


def _within(found: Set | None, path: Sequence[int] | None) -> Set | None:
    """A set on a shorter path: whatever lies beyond it is "not reached" there, which keeps the coverage."""
    if found is None or path is None:
        return found
    inside = tuple(level for level in found if level in path)
    return inside if len(inside) == len(found) else (*inside, None)


def _hindrance(a: Arm, b: Arm, path: Sequence[int] | None, ours: Set | None, theirs: Set | None) -> str | None:
    without = [arm.symbol for arm, found in ((a, ours), (b, theirs)) if not found]
    if without:
        return f"no confidence set of {' and '.join(without)}"
    if path is None:
        return "the runs skip different levels"
    if a.report.threshold != b.report.threshold:
        return "the thresholds differ"
    if set(a.folder.plan.tasks) != set(b.folder.plan.tasks):
        return "the tasks differ"
    return None


def _later(a: Arm, b: Arm, ours: Set, theirs: Set, path: Sequence[int]) -> str | None:
    places = [[len(path) if level is None else path.index(level) for level in found] for found in (ours, theirs)]
    if min(places[0]) > max(places[1]):
        return a.symbol
    return b.symbol if min(places[1]) > max(places[0]) else None

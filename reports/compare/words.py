"""The sentences of a comparison."""

from __future__ import annotations

from collections.abc import Sequence

from ..words import signed
from .build import told_apart
from .model import (
    Attribution,
    AxisComparison,
    BreakComparison,
    Comparison,
    CurveComparison,
    LevelComparison,
    PairComparison,
)


def p_value(p: float | None) -> str:
    """Three decimals; ``<.001`` below, ``-`` where there is none."""
    if p is None:
        return "-"
    return "<.001" if p < 0.0005 else f"{p:.3f}"


def percent(rate: float | None) -> str:
    """Whole per cent; ``-`` where there is none."""
    return "-" if rate is None else f"{100 * rate:.0f}"


def points(difference: float | None) -> str:
    """Signed whole percentage points; ``-`` where there is none."""
    return "-" if difference is None else f"{100 * difference:+.0f}".replace("-0", "0").replace("+0", "0")


def interval(ci: tuple[float, float] | None) -> str:
    """``+3..+40``; ``-`` where there is none."""
    return "-" if ci is None else f"{points(ci[0])}..{points(ci[1])}"


def how(pair: PairComparison) -> str:
    """Which test a pair's levels were put to, and why."""
    shared = f"{pair.shared_starts} shared of {pair.starts_a} and {pair.starts_b}"
    if pair.paired:
        return f"Starts are shared ({shared}): exact McNemar test, Tango's interval."
    large = any(found.test == "score" for found in pair.levels)
    test = "score test (n is large)" if large else "Barnard's exact test"
    return f"Starts are NOT shared ({shared}): {test}, Newcombe's interval."


def curve(found: CurveComparison, confidence: float) -> str:
    """Two groups over all levels."""
    who = f"whole curve, {found.a} - {found.b}"
    if found.p is None:
        return f"{who}: not computed, nothing to compare"
    test = "exact sign flips" if found.test == "sign-flip" else "shuffles (starts not shared)"
    verdict = "not distinguished"
    if told_apart(found, 1 - confidence) and found.difference:
        better, worse = (found.a, found.b) if found.difference > 0 else (found.b, found.a)
        verdict = f"{better} succeeds more than {worse}"
    numbers = f"{100 * (found.difference or 0):+.1f} points over {found.starts} starts"
    return f"{who}: {verdict}; {numbers}, {test}, p {p_value(found.p)}, Holm {p_value(found.p_holm)}"


def breaks(pair: PairComparison, found: BreakComparison) -> str:
    """Which of two runs breaks later in one direction."""
    who = f"break level, direction {found.direction}"
    if found.not_computed:
        return f"{who}: not computed, {found.not_computed}"
    sets = f"{pair.a} in {_set(found.set_a)}, {pair.b} in {_set(found.set_b)}"
    if found.later is None:
        return f"{who}: not distinguished; {sets}"
    earlier = pair.b if found.later == pair.a else pair.a
    return f"{who}: {found.later} breaks later than {earlier}; {sets}; error at most {100 * found.alpha:.3g}%"


def _set(levels: Sequence[int | None] | None) -> str:
    return "{" + ", ".join("not reached" if level is None else signed(level) for level in levels or ()) + "}"


def groups(axis: AxisComparison) -> list[str]:
    """Compact letters, one group a line, the best first."""
    return [
        f"{found.letters:<4} {found.group} ({percent(found.rate)}%"
        + (f", runs {', '.join(found.runs)})" if found.runs != (found.group,) else ")")
        for found in axis.groups
        if found.letters is not None
    ]


def composition(found: Attribution) -> str:
    """How the differences of an attribution came about, and on how many starts."""
    compared = [each for row in found.levels for each in row.differences]
    how = "exact McNemar on shared starts" if all(each.test == "mcnemar" for each in compared) else "NOT shared starts"
    low, high = min(each.n_a for each in compared), max(each.n_a for each in compared)
    n = f"{low}" if low == high else f"{low} to {high}"
    return f"Differences: composition minus part, {how}, n = {n} a level; Holm over this table."


def reading_notes(comparison: Comparison) -> list[str]:
    """How to read the numbers."""
    alpha = f"{100 * (1 - comparison.confidence):.3g}%"
    notes = [
        f"Differences are first minus second, in percentage points, with {100 * comparison.confidence:.4g}% intervals; "
        "each interval is for one level alone.",
        f"Holm: p adjusted over all levels, pairs of runs and axes; * where it is at most {alpha}.",
    ]
    if any(found.later for axis in comparison.axes for pair in axis.pairs for found in pair.breaks):
        notes.append("Errors of break-level sentences are bounded for each sentence, not for all together.")
    if any(group.letters for axis in comparison.axes for group in axis.groups):
        notes.append(f"Groups that share a letter are not distinguished (whole curve, Holm, {alpha}).")
    return notes


def star(found: LevelComparison, confidence: float) -> str:
    """Marks what holds after Holm."""
    return "*" if found.p_holm is not None and found.p_holm <= 1 - confidence else " "

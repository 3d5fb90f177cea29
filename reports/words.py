"""The sentences of a report, shared by the terminal table, the figure and the page."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from ..axes.contract import AxisCard
from .model import BreakLevel, Counts, Report

_DISPLAY = {"m": ("cm", 100.0), "ratio": ("%", 100.0)}
"""Unit of a card to the unit people read, and the factor between them."""


def signed(level: int) -> str:
    """``+2``, ``0`` or ``-3``."""
    return f"{level:+d}" if level else "0"


def shift(card: AxisCard, level: int) -> str:
    """How far ``level`` is from tau_0, signed and with its unit: ``+5.0 cm``; ``0`` at level 0."""
    return f"{'-' if level < 0 else '+'}{distance(card, level)}" if level else "0"


def distance(card: AxisCard, level: int) -> str:
    """How far ``level`` is from tau_0, unsigned and with its unit: ``5.0 cm``."""
    unit, factor = _DISPLAY.get(card.unit, (card.unit, 1.0))
    step = card.step * factor
    digits = next((d for d in range(3) if math.isclose(round(step, d), step, rel_tol=1e-9)), 3)
    return f"{abs(level) * step:.{digits}f} {unit}".rstrip()


def length(card: AxisCard, value: float) -> str:
    """A distance in the axis' unit as people read it: ``4.86 cm``."""
    unit, factor = _DISPLAY.get(card.unit, (card.unit, 1.0))
    return f"{value * factor:.3g} {unit}".rstrip()


def display_unit(unit: str) -> tuple[float, str]:
    """The factor from a unit to the one people read, and that one."""
    name, factor = _DISPLAY.get(unit, (unit, 1.0))
    return factor, name


def percent(share: float) -> str:
    """``95%``, ``99.5%``."""
    return f"{100 * share:.6g}%"


def levels_option(levels: Iterable[int]) -> str:
    """Levels as ``--levels=`` takes them: ``-2..3`` where they are contiguous, else ``-2,0,1``."""
    ordered = sorted(levels)
    if len(ordered) > 2 and ordered[-1] - ordered[0] == len(ordered) - 1:
        return f"{ordered[0]}..{ordered[-1]}"
    return ",".join(str(level) for level in ordered)


def short_names(tasks: Sequence[str]) -> dict[str, str]:
    """Task names without the words that all of them begin or end with; names stay distinct."""
    split = {task: task.split("_") for task in tasks}
    head = _shared(list(split.values()))
    tail = _shared([words[::-1] for words in split.values()])
    short = {task: "_".join(words[head : len(words) - tail]) for task, words in split.items()}
    usable = len(tasks) > 1 and all(short.values()) and len(set(short.values())) == len(split)
    return short if usable else {task: task for task in tasks}


def _shared(words: Sequence[Sequence[str]]) -> int:
    """How many leading words are the same in all."""
    count = 0
    for column in zip(*words, strict=False):
        if len(set(column)) > 1:
            break
        count += 1
    return count


def verdict(report: Report, found: BreakLevel) -> str:
    """One direction's break level in words: ``breaks at +2 (5.0 cm)``."""
    if found.furthest is None:
        return "undecided: no counted episodes"
    if found.level is None:
        text = f"not reached up to {signed(found.furthest)}{_in_units(report, found.furthest)}"
    elif found.level == 0:
        text = "breaks at 0 (tau_0 itself)"
    else:
        text = f"breaks at {signed(found.level)}{_in_units(report, found.level)}"
    if found.undecided:
        text += f"; undecided at {join(signed(level) for level in found.undecided)} (no counted episodes)"
    return text


def _in_units(report: Report, level: int) -> str:
    return f" ({distance(report.axis_card, level)})"


def evidence(report: Report, found: BreakLevel) -> str:
    """The counts a verdict rests on: those of the break level, or of the furthest level that held."""
    at = found.furthest if found.level is None else found.level
    result = next((result for result in report.levels if result.level == at), None)
    if result is None or result.rate is None or result.ci is None:
        return ""
    low, high = result.ci
    counts = f"{result.successes} of {result.n} ({result.rate:.0%}) at {signed(result.level)}"
    return f"{counts}, {percent(report.confidence)} interval {low:.0%} to {high:.0%}"


def pending(report: Report) -> tuple[int, int]:
    """How many episodes have not run, and how many are to run in all; uncertified cells too, where they are to."""
    levels: Sequence[Counts] = report.published.levels if report.published else report.levels
    missing = sum(level.pending for level in levels)
    return missing, missing + sum(level.n + level.errors + level.invalid + level.dropped for level in levels)


def stamps(report: Report) -> list[str]:
    """What a reader must know before any number: incomplete runs, simulator truth, demonstrations."""
    found = []
    if not report.complete:
        missing, planned = pending(report)
        found.append(f"INCOMPLETE: {missing} of {planned} episodes have not run; the same command resumes")
    if report.privileged:
        found.append(f"PRIVILEGED: the policy saw simulator truth ({', '.join(report.privileged)})")
    if report.support is not None:
        where = join(signed(level) for level in report.support.levels)
        each = "one of every evaluated start" if report.support.per_start else "from other starts"
        found.append(f"DEMONSTRATIONS: shown by {report.support.demonstrator} at level {where}, {each}")
    return found


def invalid_lines(report: Report) -> list[str]:
    """Invalid starts by task, with the levels to blame, then how to keep them."""
    short = short_names([result.task for result in report.tasks])
    lines = []
    for result in report.tasks:
        starts = [start for start in report.invalid_starts if start.task == result.task]
        if starts:
            blame = Counter(level for start in starts for level in start.levels)
            at = ", ".join(f"{signed(level)} ({blame[level]})" for level in sorted(blame))
            planned = (report.top_up or report.rollouts) if report.topped else report.rollouts
            count = f"{len(starts)} of {planned} starts"
            lines.append(f"{short[result.task]}: {count} dropped at every level, invalid at {at}")
    return [*lines, *_hints(report)]


def _hints(report: Report) -> list[str]:
    """Which levels to leave out: the one that costs most starts alone, then all that cost any."""
    starts = [frozenset(start.levels) for start in report.invalid_starts]
    blame = Counter(level for levels in starts for level in levels)
    if not blame or 0 in blame:
        return []
    worst = max(sorted(blame), key=lambda level: blame[level])
    hints = []
    for out in dict.fromkeys([frozenset([worst]), frozenset(blame)]):
        kept = sum(levels <= out for levels in starts)
        left = {result.level for result in report.levels} - out
        if kept and left:
            what = f"level{'s' if len(out) > 1 else ''} {join(signed(level) for level in sorted(out))}"
            whom = "all" if kept == len(starts) else f"{kept} of {len(starts)}"
            hints.append(f"hint: leave {what} out with --levels={levels_option(left)} to keep {whom}")
    return hints


def uncertified_lines(report: Report) -> list[str]:
    """Which tasks each level does without because the axis' certificate does not vouch for the cell."""
    short = short_names([result.task for result in report.tasks])
    lines = []
    for level in sorted({cell.level for cell in report.uncertified}):
        names = [short[cell.task] for cell in report.uncertified if cell.level == level]
        left = len(short) - len(names)
        lines.append(f"{signed(level)}: without {join(names)}; {left} of {len(short)} tasks are left")
    if lines and report.published is None:
        lines.append("`indgen axes " + report.axis + "` says why; --include-uncertified runs them as well")
    return lines


def error_lines(report: Report) -> list[str]:
    """How many errors there are, where, and what caused most of them."""
    total = sum(report.error_causes.values())
    if not total:
        return []
    where = ", ".join(f"{signed(level.level)} ({level.errors})" for level in report.levels if level.errors)
    cause, count = next(iter(report.error_causes.items()))
    often = f"most often ({count}x)" if len(report.error_causes) > 1 else "cause"
    return [f"{total} error{'s' if total > 1 else ''}, never counted as failures, at {where}; {often}: {cause}"]


def reading_notes(report: Report) -> list[str]:
    """How to read the numbers."""
    sure, threshold = percent(report.confidence), percent(report.threshold)
    notes = [
        f"Intervals: {sure} Clopper-Pearson. Break level: the first level, from 0 outward, whose success rate is below "
        f"{threshold}, as counted. Its set holds the true one with {sure} confidence, per direction."
    ]
    if report.top_up is not None:
        levels = join(signed(level) for level in report.topped) if report.topped else "no level"
        notes.append(
            f"Two stages, alpha split between them: {report.rollouts} starts per task, then {report.top_up} at "
            f"undecided levels that decide a set; topped up: {levels}."
        )
    trained = report.policy_card.trained_levels
    if trained is None:
        notes.append("What the policy was trained on is unknown; no level is marked as in-distribution.")
    elif not any(level.in_distribution for level in report.levels):
        notes.append("The policy was trained on none of these levels.")
    elif set(trained) == {0}:
        notes.append("Failing after training on level 0 alone refutes nothing by itself (paper, section 4).")
    return notes


def join(words: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last

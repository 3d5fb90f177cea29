"""The terminal tables of a comparison: fit 80 columns."""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..words import signed
from . import words
from .model import Attribution, AttributionLevel, AxisComparison, Comparison, PairComparison


def render(comparison: Comparison) -> list[RenderableType]:
    """What a terminal shows: the runs, every pair level by level, curves, break levels, letters, attribution.

    Returns:
        Renderables to print one after another; text from the runs is never read as markup.
    """
    parts: list[RenderableType] = [_runs(comparison)]
    if comparison.differences:
        parts += [Text(), Text("FORCED: these runs differ in what matters", style="bold yellow")]
        parts += _lines(comparison.differences)
    if comparison.notes:
        parts += [Text(), Text("Notes", style="bold"), *_lines(comparison.notes)]
    for axis in comparison.axes:
        parts += _axis(axis, comparison.confidence)
    for table in comparison.attributions:
        parts += _attribution(table, comparison.confidence)
    return [*parts, Text(), *(Text(note, style="dim") for note in words.reading_notes(comparison))]


def _lines(lines: Iterable[str]) -> list[RenderableType]:
    return [Padding(Text(line), (0, 0, 0, 2)) for line in lines]


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1))
    for column in columns:
        table.add_column(Text(column), justify="right", no_wrap=True)
    return table


def _runs(comparison: Comparison) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1))
    table.add_column("", no_wrap=True, style="bold")
    for column in ("run", "policy", "axis", "folder"):
        table.add_column(column, overflow="fold")
    for run in comparison.runs:
        table.add_row(run.symbol, *map(Text, (run.name, run.policy, run.axis, run.path)))
    return table


def _axis(axis: AxisComparison, confidence: float) -> list[RenderableType]:
    parts: list[RenderableType] = []
    for pair in axis.pairs:
        title = Text.assemble((f"{pair.a} against {pair.b}", "bold"), f" on {axis.axis}")
        parts += [Text(), title, Text(), _levels(pair, confidence), Text(), Text(words.how(pair))]
        parts += [Text(words.breaks(pair, found), style="bold") for found in pair.breaks]
        # A pair of runs is a pair of groups too, unless runs are grouped.
        parts += [_curve(axis, index, confidence) for index in _curves_of(axis, pair)]
    grouped = [index for index in range(len(axis.curves)) if not any(index in _curves_of(axis, p) for p in axis.pairs)]
    if grouped:
        parts += [Text(), Text.assemble(("Groups", "bold"), f" on {axis.axis}")]
        parts += [_curve(axis, index, confidence) for index in grouped]
    letters = words.groups(axis)
    if letters:
        parts += [Text(), Text.assemble(("Letters", "bold"), f" on {axis.axis}"), *_lines(letters)]
    return parts


def _curves_of(axis: AxisComparison, pair: PairComparison) -> list[int]:
    runs = {group.group: group.runs for group in axis.groups}
    return [
        index
        for index, curve in enumerate(axis.curves)
        if (curve.a, curve.b) == (pair.a, pair.b) and runs[curve.a] == (pair.a,) and runs[curve.b] == (pair.b,)
    ]


def _curve(axis: AxisComparison, index: int, confidence: float) -> Text:
    return Text(words.curve(axis.curves[index], confidence), style="bold")


def _levels(pair: PairComparison, confidence: float) -> Table:
    a, b = pair.a, pair.b
    only = (f"only {a}", f"only {b}") if pair.paired else ()
    table = _table("level", "n", f"{a} %", f"{b} %", f"{a}-{b}", "interval", *only, "p", "Holm ")
    for found in pair.levels:
        n = f"{found.n_a}" if pair.paired else f"{found.n_a}, {found.n_b}"
        mark = words.star(found, confidence)
        table.add_row(
            signed(found.level),
            n,
            words.percent(found.successes_a / found.n_a if found.n_a else None),
            words.percent(found.successes_b / found.n_b if found.n_b else None),
            words.points(found.difference),
            words.interval(found.ci),
            *((str(found.only_a), str(found.only_b)) if pair.paired else ()),
            words.p_value(found.p),
            f"{words.p_value(found.p_holm)}{mark}",
            style="bold" if mark == "*" else "",
        )
    return table


def _attribution(found: Attribution, confidence: float) -> list[RenderableType]:
    *parts, whole = found.runs
    title = Text.assemble(("Attribution", "bold"), f" of {found.axis}, {found.policy}")
    columns = [column for part in parts for column in (f"{whole}-{part}", "interval", "Holm ")]
    table = _table("level", *(f"{run} %" for run in found.runs), *columns)
    for row in found.levels:
        table.add_row(*_attribution_row(row, confidence))
    names = [f"{run} is {axis}" for run, axis in zip(found.runs, (*found.parts, found.axis), strict=True)]
    return [Text(), title, Text(), table, Text(), *_lines([*names, words.composition(found)])]


def _attribution_row(row: AttributionLevel, confidence: float) -> list[RenderableType]:
    cells = [signed(row.level), *(words.percent(rate.rate) for rate in row.rates)]
    for found in row.differences:
        p = f"{words.p_value(found.p_holm)}{words.star(found, confidence)}"
        cells += [words.points(found.difference), words.interval(found.ci), p]
    return [*cells]

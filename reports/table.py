"""The terminal table of a report: fits 80 columns."""

from __future__ import annotations

from rich import box
from rich.bar import Bar
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from . import claims, following_words, words
from .model import LevelResult, Report

_BAR_WIDTH = 10
_IN_DISTRIBUTION = "*"


def render(report: Report) -> list[RenderableType]:
    """What a terminal shows: stamps, the level table, the break levels, and what was left out of n.

    Args:
        report: any report, complete or not.

    Returns:
        Renderables to print one after another; text from the run is never read as markup.
    """
    parts: list[RenderableType] = [_title(report)]
    parts += [Text(stamp, style="bold yellow") for stamp in words.stamps(report)]
    parts += [Text(), _levels(report), Text()]
    parts += [Text(sentence, style="bold") for sentence in claims.headline(report)]
    parts += [Text(line) for line in claims.capability_lines(report)]
    if report.following is not None:
        parts.append(Text(following_words.following_line(report.following)))
    parts += [Text(f"Warning: {line}", style="yellow") for line in claims.warnings(report)]
    parts += _section("Uncertified cells, outside n", words.uncertified_lines(report))
    parts += _section("As the paper counts: every cell, broken starts as failures", claims.published_lines(report))
    parts += _section("Invalid starts, outside n", words.invalid_lines(report))
    parts += _section("Errors, outside n", words.error_lines(report))
    parts += [Text(), *(Text(note, style="dim") for note in _notes(report))]
    return parts


def _title(report: Report) -> Text:
    tasks = len(report.tasks)
    size = f"{tasks} task{'s' if tasks > 1 else ''} x {report.rollouts} start{'s' if report.rollouts > 1 else ''}"
    label = f" [{report.label}]" if report.label else ""
    return Text.assemble(
        (report.policy, "bold"), " on ", (report.axis, "bold"), f", {size} per level, success {report.success}{label}"
    )


def _levels(report: Report) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1))
    table.add_column("level", justify="right", no_wrap=True)
    table.add_column("shift", justify="right", no_wrap=True)
    table.add_column("success", justify="right", no_wrap=True)
    table.add_column("%", justify="right", no_wrap=True)
    table.add_column("", max_width=_BAR_WIDTH)  # the only column that may shrink: long counts take its room
    table.add_column(f"{words.percent(report.confidence)} CI", justify="right", no_wrap=True)
    table.add_column("steps", justify="right", no_wrap=True)
    table.add_column("errors", justify="right", no_wrap=True)
    table.add_column("invalid", justify="right", no_wrap=True)
    for level in report.levels:
        table.add_row(*_row(report, level), style=_style(report, level))
    return table


def _row(report: Report, level: LevelResult) -> list[RenderableType]:
    mark = _IN_DISTRIBUTION if level.in_distribution else " "
    share, bar, interval = "-", Text(""), "-"
    if level.rate is not None and level.ci is not None:
        share = f"{100 * level.rate:.0f}"
        bar = Bar(size=1, begin=0, end=level.rate, color=_style(report, level) or "default")
        interval = f"{100 * level.ci[0]:.0f}-{100 * level.ci[1]:.0f}"
    return [
        f"{words.signed(level.level)}{mark}",
        words.shift(report.axis_card, level.level),
        f"{level.successes}/{level.n}",
        share,
        bar,
        interval,
        "-" if level.mean_steps is None else f"{level.mean_steps:.0f}",
        str(level.errors or "-"),
        str(level.invalid or "-"),
    ]


def _style(report: Report, level: LevelResult) -> str:
    if level.rate is None:
        return "dim"
    return "red" if level.rate < report.threshold else ""


def _section(title: str, lines: list[str]) -> list[RenderableType]:
    if not lines:
        return []
    return [Text(), Text(title, style="bold"), Group(*(Padding(Text(line), (0, 0, 0, 2)) for line in lines))]


def _notes(report: Report) -> list[str]:
    marked = any(level.in_distribution for level in report.levels)
    trained = [f"{_IN_DISTRIBUTION} in-distribution: the policy was trained on this level."] if marked else []
    return trained + words.reading_notes(report) + claims.secondary_line(report)

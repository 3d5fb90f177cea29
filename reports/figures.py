"""Figures: the success curve, as publication-ready PNG and SVG."""

from __future__ import annotations

import textwrap
from io import BytesIO
from typing import Any, Literal

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from . import words
from .model import LevelResult, Report
from .style import PALETTE, STYLE


def success_curve(report: Report, kind: Literal["png", "svg"], *, frameless: bool = False) -> bytes:
    """Success in per cent over levels, with intervals, tasks, the threshold and the break levels.

    Args:
        report: any report; levels without counted episodes are left blank.
        kind: file format.
        frameless: no background, for embedding in a page.

    Returns:
        The file's bytes; the same report gives the same SVG.
    """
    with style.context(["default", STYLE]):
        figure = Figure(figsize=(max(6.4, 2.2 + 0.72 * len(report.levels)), 3.7), layout="constrained")
        axes = figure.subplots()
        _frame(axes, report)
        _shade(axes, report)
        _tasks(axes, report)
        _curve(axes, report)
        _breaks(axes, report)
        _sets(axes, report)
        _legend(figure, axes)
        return save(figure, kind, frameless)


def save(figure: Figure, kind: Literal["png", "svg"], frameless: bool) -> bytes:
    """The bytes of a figure's file, the same for the same figure; ``frameless``: without a background."""
    stream = BytesIO()
    metadata = {"Date": None, "Creator": None, "Format": None, "Type": None} if kind == "svg" else {"Software": None}
    figure.savefig(stream, format=kind, dpi=220, metadata=metadata, transparent=frameless)
    return stream.getvalue()


def _frame(axes: Axes, report: Report) -> None:
    levels = [result.level for result in report.levels]
    axes.set_xlim(min(levels) - 0.6, max(levels) + 0.6)
    axes.set_ylim(-4, 113 if report.break_levels else 104)
    axes.set_yticks(range(0, 101, 20))
    axes.set_ylabel("success (%)")
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines["left"].set_bounds(0, 100)
    axes.set_xticks(levels, [_tick(report, result) for result in report.levels])
    change = textwrap.fill(report.axis_card.changes, 70)
    axes.set_xlabel(f"level of {report.axis}: {change}", parse_math=False, labelpad=6)
    axes.axhline(100 * report.threshold, color=PALETTE["alarm"], linewidth=1, linestyle=(0, (5, 3)), zorder=1)
    axes.annotate(
        words.percent(report.threshold),
        (1, 100 * report.threshold),
        xycoords=("axes fraction", "data"),
        xytext=(3, 0),
        textcoords="offset points",
        va="center",
        color=PALETTE["alarm"],
        annotation_clip=False,
    )


def _tick(report: Report, result: LevelResult) -> str:
    where = words.shift(report.axis_card, result.level) if result.level else "τ₀"
    return "\n".join((words.signed(result.level), where, f"n = {result.n}")).replace("-", "−")


def _shade(axes: Axes, report: Report) -> None:
    label = "trained on"
    for result in report.levels:
        if result.in_distribution:
            span = (result.level - 0.4, result.level + 0.4)
            axes.axvspan(*span, color=PALETTE["shade"], linewidth=0, zorder=0, label=label)
            label = "_again"


def _tasks(axes: Axes, report: Report) -> None:
    if len(report.tasks) < 2:
        return
    for number, task in enumerate(report.tasks):
        rates = [_percent(counts.rate) for counts in task.levels]
        levels = [counts.level for counts in task.levels]
        label = "each task" if number == 0 else "_again"
        axes.plot(levels, rates, color=PALETTE["faint"], linewidth=0.8, zorder=2, label=label)


def _curve(axes: Axes, report: Report) -> None:
    levels = [result.level for result in report.levels]
    axes.plot(
        levels, [_percent(result.rate) for result in report.levels], color=PALETTE["accent"], linewidth=1.8, zorder=4
    )
    known = [
        (result.level, result.rate, result.wilson)
        for result in report.levels
        if result.rate is not None and result.wilson
    ]
    below = [max(0.0, 100 * (rate - ci[0])) for _, rate, ci in known]
    above = [max(0.0, 100 * (ci[1] - rate)) for _, rate, ci in known]
    axes.errorbar(
        [level for level, _, _ in known],
        [100 * rate for _, rate, _ in known],
        yerr=[below, above],
        fmt="o",
        color=PALETTE["accent"],
        markeredgecolor=PALETTE["paper"],
        markersize=6.5,
        elinewidth=1.2,
        capsize=3,
        zorder=5,
        clip_on=False,
        label=f"all tasks, {words.percent(report.confidence)} Wilson interval",
    )


def _breaks(axes: Axes, report: Report) -> None:
    rates = {result.level: result.rate for result in report.levels}
    label = "break level"
    for level in sorted({found.level for found in report.break_levels if found.level is not None}):
        height = _percent(rates[level])
        axes.plot(
            [level],
            [height],
            marker="o",
            markersize=12,
            markerfacecolor="none",
            markeredgecolor=PALETTE["alarm"],
            markeredgewidth=1.6,
            linestyle="none",
            zorder=6,
            clip_on=False,
            label=label,
        )
        label = "_again"


def _sets(axes: Axes, report: Report) -> None:
    """A bar above the curve per direction; an arrow where "not reached" is in the set."""
    label = f"set of break levels, {words.percent(report.confidence)}"
    levels = [result.level for result in report.levels]
    # Where both hold level 0, one lies above the other.
    apart = 1.5 if sum(0 in found.set for found in report.break_levels) > 1 else 0
    for found in report.break_levels:
        sign = -1 if found.direction == "-" else 1
        height = 109 + sign * apart
        reached = [level for level in found.set if level is not None]
        edge = (min(levels) if sign < 0 else max(levels)) + 0.6 * sign
        ends = [reached[0] - 0.25 * sign] if reached else [edge - 0.35 * sign]
        ends.append(edge if None in found.set else reached[-1] + 0.25 * sign)
        style: dict[str, Any] = {"color": PALETTE["alarm"], "zorder": 6, "clip_on": False}
        axes.plot(ends, [height] * 2, linewidth=3.2, solid_capstyle="butt", label=label, **style)
        if None in found.set:
            axes.plot([edge], [height], marker="<" if sign < 0 else ">", markersize=6, linestyle="none", **style)
        label = "_again"


def _legend(figure: Figure, axes: Axes) -> None:
    handles, labels = axes.get_legend_handles_labels()
    order = sorted(
        range(len(labels)), key=lambda i: ("all", "each", "break", "set", "trained").index(labels[i].split()[0])
    )
    figure.legend(
        [handles[i] for i in order],
        [labels[i] for i in order],
        loc="outside upper left",
        ncols=len(order),
        frameon=False,
        fontsize=8,
        handlelength=1.6,
        handleheight=1.7,
        columnspacing=1.6,
    )


def _percent(rate: float | None) -> float:
    return float("nan") if rate is None else 100 * rate

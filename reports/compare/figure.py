"""The figure of a comparison: success curves of all runs, one panel per axis and per attribution."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Literal

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..style import PALETTE, STYLE
from ..words import signed
from .model import Attribution, Comparison, Rate

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Okabe-Ito without its yellow, which vanishes on paper."""
_MARKERS = "osD^vPX*<>"


@dataclass(frozen=True)
class _Panel:
    """What one panel shows; rates stand at the level they are drawn at."""

    axis: str
    levels: tuple[int, ...]
    threshold: float
    rates: dict[str, tuple[Rate, ...]]
    names: dict[str, str]


def success_curves(comparison: Comparison, kind: Literal["png", "svg"]) -> bytes:
    """Success in per cent over shared levels with each run's intervals; colour and marker both tell runs apart.

    Args:
        comparison: any.
        kind: file format.

    Returns:
        The file's bytes; the same comparison gives the same SVG.
    """
    with style.context(["default", STYLE]):
        shown = _panels(comparison)
        width = max(6.4, 2.2 + 0.72 * max(len(panel.levels) for panel in shown))
        figure = Figure(figsize=(width, 3.6 * len(shown)), layout="constrained")
        for axes, panel in zip(figure.subplots(len(shown), squeeze=False)[:, 0], shown, strict=True):
            _draw(axes, panel)
        stream = BytesIO()
        metadata = (
            {"Date": None, "Creator": None, "Format": None, "Type": None} if kind == "svg" else {"Software": None}
        )
        figure.savefig(stream, format=kind, dpi=220, metadata=metadata)
    return stream.getvalue()


def _panels(comparison: Comparison) -> list[_Panel]:
    names = {run.symbol: run.name for run in comparison.runs}
    axes = [_Panel(axis.axis, axis.levels, axis.threshold, axis.rates, names) for axis in comparison.axes]
    return axes + [_composed(table) for table in comparison.attributions]


def _composed(table: Attribution) -> _Panel:
    levels = tuple(row.level for row in table.levels)
    rates = {
        run: tuple(row.rates[number].model_copy(update={"level": row.level}) for row in table.levels)
        for number, run in enumerate(table.runs)
    }
    names = dict(zip(table.runs, (*table.parts, table.axis), strict=True))
    return _Panel(table.axis, levels, table.threshold, rates, names)


def _draw(axes: Axes, axis: _Panel) -> None:
    axes.set_xlim(min(axis.levels) - 0.6, max(axis.levels) + 0.6)
    axes.set_ylim(-4, 104)
    axes.set_yticks(range(0, 101, 20))
    axes.set_ylabel("success (%)")
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines["left"].set_bounds(0, 100)
    axes.set_xticks(axis.levels, [signed(level).replace("-", "−") for level in axis.levels])
    axes.set_xlabel(f"level of {axis.axis}", parse_math=False)
    axes.axhline(100 * axis.threshold, color=PALETTE["muted"], linewidth=1, linestyle=(0, (5, 3)), zorder=1)
    count = len(axis.rates)
    for number, (symbol, rates) in enumerate(axis.rates.items()):
        # Side by side, so that intervals of equal rates do not hide each other.
        aside = 0.0 if count == 1 else 0.24 * (number / (count - 1) - 0.5)
        _curve(axes, rates, number, aside, f"{symbol}: {axis.names[symbol]}")
    legend = axes.legend(loc="lower left", bbox_to_anchor=(0, 1.01), ncols=2, frameon=False, fontsize=8)
    for text in legend.get_texts():
        text.set_parse_math(False)


def _curve(axes: Axes, rates: tuple[Rate, ...], number: int, aside: float, name: str) -> None:
    known = [(found.level + aside, found.rate, found.ci) for found in rates if found.rate is not None and found.ci]
    below = [max(0.0, 100 * (rate - ci[0])) for _, rate, ci in known]
    above = [max(0.0, 100 * (ci[1] - rate)) for _, rate, ci in known]
    axes.errorbar(
        [level for level, _, _ in known],
        [100 * rate for _, rate, _ in known],
        yerr=[below, above],
        fmt=_MARKERS[number % len(_MARKERS)],
        linestyle="-",
        linewidth=1.5,
        color=_COLOURS[number % len(_COLOURS)],
        markeredgecolor=PALETTE["paper"],
        markersize=6.5,
        elinewidth=1.1,
        capsize=2.5,
        zorder=4,
        clip_on=False,
        label=name,
    )

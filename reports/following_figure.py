"""The figure of the following ratio: the hand's shift against its target's, as PNG and SVG."""

from __future__ import annotations

from typing import Literal

import numpy as np
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from . import words
from .figures import save
from .following import Shifts
from .following_words import ratio_words, target
from .model import Following, Report
from .style import PALETTE, STYLE

_MANY = 3000
"""More dots than this are drawn as pixels, so that a page stays small."""


def following_figure(
    report: Report, shifts: Shifts, kind: Literal["png", "svg"], *, frameless: bool = False
) -> bytes | None:
    """One dot per episode, the lines of a follower and of a memoriser, and the fitted slope with its band.

    Args:
        report: the run's; what its axis moves gives the unit.
        shifts: the pairs that its ratio rests on.
        kind: file format.
        frameless: no background, for embedding in a page.

    Returns:
        The file's bytes; None where the report has no ratio to draw.
    """
    found = report.following
    if found is None or found.pooled.value is None:
        return None
    with style.context(["default", STYLE]):
        figure = Figure(figsize=(6.4, 4.2), layout="constrained")
        axes = figure.subplots()
        factor, unit = words.display_unit("m")
        ends = _frame(axes, found, factor * shifts.moved, factor * shifts.followed, unit)
        _references(axes, ends)
        _fit(axes, found, ends, words.percent(report.confidence))
        _dots(axes, factor * shifts.moved, factor * shifts.followed)
        figure.legend(loc="outside upper left", ncols=3, frameon=False, fontsize=8, handlelength=1.6, columnspacing=1.6)
        return save(figure, kind, frameless)


def _frame(axes: Axes, found: Following, moved: np.ndarray, followed: np.ndarray, unit: str) -> np.ndarray:
    """Limits and labels; returns both ends of the lines."""
    margin = 0.08 * float(np.abs(moved).max())
    low, high = min(float(moved.min()), 0.0) - margin, max(float(moved.max()), 0.0) + margin
    axes.set_xlim(low, high)
    axes.set_ylim(min(low, 1.05 * float(followed.min())), max(high, 1.05 * float(followed.max())))
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel(f"shift of {target(found.role)} from level 0 ({unit})")
    axes.set_ylabel(f"shift of the hand ({unit})")
    return np.array([low, high])


def _references(axes: Axes, ends: np.ndarray) -> None:
    for slope, dashes, label in (
        (1, (0, (5, 3)), "1: follows"),
        (0, (0, (1, 2)), "0: acts where it does at level 0"),
    ):
        axes.plot(ends, slope * ends, color=PALETTE["muted"], linewidth=1, linestyle=dashes, zorder=1, label=label)


def _fit(axes: Axes, found: Following, ends: np.ndarray, confidence: str) -> None:
    ratio = found.pooled
    assert ratio.value is not None
    label = f"fitted {ratio_words(ratio)}".replace("-", "−")
    if ratio.interval is not None:
        # The line passes the origin, so that its band opens from there.
        where = np.array([ends[0], 0.0, ends[1]])
        edges = np.sort([where * end for end in ratio.interval], axis=0)
        axes.fill_between(
            where,
            edges[0],
            edges[1],
            color=PALETTE["accent"],
            alpha=0.2,
            linewidth=0,
            zorder=2,
            label=f"{confidence} band",
        )
    axes.plot(ends, ratio.value * ends, color=PALETTE["accent"], linewidth=1.8, zorder=3, label=label)


def _dots(axes: Axes, moved: np.ndarray, followed: np.ndarray) -> None:
    axes.plot(
        moved,
        followed,
        marker="o",
        linestyle="none",
        markersize=4.5,
        markeredgewidth=0,
        color=PALETTE["alarm"],
        alpha=0.4,
        zorder=4,
        label="an episode",
        rasterized=len(moved) > _MANY,
        clip_on=False,
    )

"""One number for a whole curve: the area under success over distance, and how it varies with the starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.integrate import trapezoid

SAMPLES = 2000
"""Bootstrap samples."""


@dataclass(frozen=True)
class Area:
    """Area under success over distance, divided by the distance covered.

    Attributes:
        value: 0 to 1; 1 is success everywhere.
        interval: from a bootstrap over starts; None where some task has fewer than two starts.
    """

    value: float
    interval: tuple[float, float] | None


def area_under_curve(
    won: Sequence[np.ndarray], distances: Sequence[float], confidence: float, seed: int
) -> Area | None:
    """The normalised area (trapezoids between levels) with a start-clustered percentile bootstrap.

    Starts are drawn within their task and keep all their levels, so that levels stay as dependent as they are.
    One start fewer than there are is drawn per task, which makes the variance right for few starts (Rao & Wu
    1988).

    Args:
        won: one array (starts, levels) per task: 1 success, 0 failure, -1 not counted.
        distances: of the levels from tau_0, ascending.
        confidence: of the interval, strictly between 0 and 1.
        seed: of the bootstrap.

    Returns:
        None where fewer than two levels have counted episodes.
    """
    successes = np.sum([np.sum(starts == 1, axis=0) for starts in won], axis=0, dtype=float)
    counted = np.sum([np.sum(starts >= 0, axis=0) for starts in won], axis=0, dtype=float)
    known = counted > 0
    if np.count_nonzero(known) < 2:
        return None
    where = np.array(distances)[known]
    value = float(_area((successes / np.maximum(counted, 1))[known], where))
    kept = [starts[(starts >= 0).any(axis=1)][:, known] for starts in won]
    kept = [starts for starts in kept if len(starts)]
    if min(map(len, kept)) < 2:
        return Area(value, None)
    areas = _area(_resampled(kept, np.random.default_rng(seed)), where)
    tail = (1 - confidence) / 2
    low, high = np.nanquantile(areas, [tail, 1 - tail])
    return Area(value, (float(low), float(high)))


def _area(rates: np.ndarray, distances: np.ndarray) -> np.ndarray:
    return trapezoid(rates, distances, axis=-1) / (distances[-1] - distances[0])


def _resampled(won: Sequence[np.ndarray], random: np.random.Generator) -> np.ndarray:
    """Success rates (samples, levels) of resampled starts; NaN where a sample counts nothing at a level."""
    successes = np.zeros((SAMPLES, won[0].shape[1]))
    counted = np.zeros_like(successes)
    for starts in won:
        # Starts with equal outcomes are interchangeable, so that millions of them cost no more than a few.
        kinds, sizes = np.unique(starts, axis=0, return_counts=True)
        drawn = random.multinomial(len(starts) - 1, sizes / len(starts), size=SAMPLES)
        weights = drawn * (len(starts) / (len(starts) - 1))
        successes += weights @ (kinds == 1)
        counted += weights @ (kinds >= 0)
    return np.where(counted > 0, successes / np.maximum(counted, 1e-300), np.nan)

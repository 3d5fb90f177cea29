"""The distance at which success crosses the threshold, in the axis' own unit, from a logit fit."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import logit
from scipy.stats import chi2, norm

Answer = Literal["estimate", "between levels", "not in range", "no data"]


@dataclass(frozen=True)
class ThresholdFit:
    """Where a logistic curve through the counts crosses the threshold.

    Attributes:
        answer: ``estimate``: at ``value``. ``between levels``: the counts drop from all to nothing, so that any
            slope fits: somewhere from ``low`` to ``high``. ``not in range``: nowhere between the innermost and the
            outermost level run, or success does not fall at all. ``no data``: fewer than two levels are counted.
        value: distance from tau_0 in the axis' unit; None unless ``estimate``.
        low: lower end of the interval (Fieller), or None where it lies outside the levels run.
        high: upper end, likewise.
        misfit: p-value of the deviance from the logistic curve; small means that the curve is none, and the
            value means little. None where the counts leave nothing to test.
    """

    answer: Answer
    value: float | None = None
    low: float | None = None
    high: float | None = None
    misfit: float | None = None


def fit_threshold(
    successes: Sequence[int], n: Sequence[int], distances: Sequence[float], threshold: float, confidence: float
) -> ThresholdFit:
    """Logit regression of success on distance; never extrapolates.

    Args:
        successes: per level, innermost first.
        n: counted episodes per level; levels without any are left out.
        distances: of the levels from tau_0, ascending, in the axis' unit.
        threshold: success probability, strictly between 0 and 1.
        confidence: of the interval, strictly between 0 and 1.
    """
    known = np.array(n) > 0
    won, trials, where = (np.array(values)[known] for values in (successes, n, distances))
    if len(trials) < 2:
        return ThresholdFit("no data")
    succeeded, failed = where[won > 0], where[won < trials]
    if not len(succeeded) or not len(failed):
        return ThresholdFit("not in range")
    if succeeded.max() <= failed.min():
        below = won / trials < threshold
        if not below.any() or below[0]:
            return ThresholdFit("not in range")
        place = int(below.argmax())
        return ThresholdFit("between levels", low=float(where[place - 1]), high=float(where[place]))
    if succeeded.min() >= failed.max():
        return ThresholdFit("not in range")
    return _fitted(won, trials, where, threshold, confidence)


def _fitted(
    won: np.ndarray, trials: np.ndarray, where: np.ndarray, threshold: float, confidence: float
) -> ThresholdFit:
    # Here and not above: statsmodels takes a second to import, which every command would pay.
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    scale = float(where[-1] - where[0])
    design = np.column_stack([np.ones(len(where)), (where - where[0]) / scale])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # near-separated counts: the interval says how little is known
        fitted: Any = GLM(np.column_stack([won, trials - won]), design, family=Binomial()).fit()
    freedom = len(where) - 2
    misfit = float(chi2.sf(fitted.deviance, freedom)) if freedom else None
    offset, slope = fitted.params[0] - logit(threshold), fitted.params[1]
    crossing = -offset / slope if slope < 0 else math.nan
    if not 0 <= crossing <= 1:
        return ThresholdFit("not in range", misfit=misfit)
    low, high = _fieller(offset, slope, fitted.cov_params(), float(norm.isf((1 - confidence) / 2)))
    return ThresholdFit(
        "estimate",
        value=float(where[0] + scale * crossing),
        low=float(where[0] + scale * low) if low >= 0 else None,
        high=float(where[0] + scale * high) if high <= 1 else None,
        misfit=misfit,
    )


def _fieller(offset: float, slope: float, covariance: np.ndarray, z: float) -> tuple[float, float]:
    """Where ``offset + slope x = 0`` is not rejected (Fieller 1954); infinite ends where the slope is not sure."""
    a = slope**2 - z**2 * covariance[1, 1]
    b = offset * slope - z**2 * covariance[0, 1]
    c = offset**2 - z**2 * covariance[0, 0]
    if a <= 0:
        return -math.inf, math.inf
    root = math.sqrt(max(b**2 - a * c, 0.0))
    return (-b - root) / a, (-b + root) / a

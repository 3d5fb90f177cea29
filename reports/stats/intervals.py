"""Intervals of one success rate: Clopper-Pearson for claims, Wilson for display."""

from __future__ import annotations

from typing import Literal

from scipy.stats import binomtest

CONFIDENCE = 0.95
"""Default confidence of intervals and sets."""
SMALLEST = 1e-6
"""Probabilities nearer to 0 or 1 than this are refused: floating point has no tails beyond."""


def interval(successes: int, n: int, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """The Clopper-Pearson interval: covers at least ``confidence`` whatever the rate (Clopper & Pearson 1934).

    Args:
        successes: 0 to ``n``.
        n: counted episodes.
        confidence: strictly between 0 and 1.

    Returns:
        Lower and upper end in [0, 1]; None where n is 0.
    """
    return _interval(successes, n, confidence, "exact")


def wilson(successes: int, n: int, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """The Wilson score interval: narrower, covers ``confidence`` on average over rates only (Wilson 1927).

    Arguments and result are those of :func:`interval`.
    """
    return _interval(successes, n, confidence, "wilson")


def _interval(
    successes: int, n: int, confidence: float, method: Literal["exact", "wilson"]
) -> tuple[float, float] | None:
    if n == 0:
        return None
    found = binomtest(successes, n).proportion_ci(confidence_level=confidence, method=method)
    return float(found.low), float(found.high)

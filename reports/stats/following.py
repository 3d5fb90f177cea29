"""How far the hand follows its target: the slope of its shift on the target's, with starts as clusters."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import t

STILL = 1e-3
"""Metres; a target that went nowhere farther than this did not move."""


@dataclass(frozen=True)
class FollowingRatio:
    """The following ratio.

    Attributes:
        value: metres the hand shifts per metre that its target does: 1 follows, 0 acts where it acts at tau_0;
            None where nothing can be said.
        interval: at the confidence asked for; None with fewer than two starts.
        n: episodes it rests on, those of level 0 not among them.
        starts: starts they belong to.
        reason: why ``value`` or ``interval`` is None, in words; None where neither is.
    """

    value: float | None
    interval: tuple[float, float] | None
    n: int
    starts: int
    reason: str | None = None


def following_ratio(moved: np.ndarray, followed: np.ndarray, start: np.ndarray, confidence: float) -> FollowingRatio:
    """Least squares through the origin; the order of the episodes does not matter.

    Both shifts are differences to the same start's episode at level 0, so that they are 0 together there and the
    line has no intercept. The interval is t, with starts - 1 degrees of freedom, on the cluster-robust variance with
    the correction G / (G - 1) (Liang & Zeger 1986; Cameron & Miller 2015): episodes of one start depend on each other
    in any way, by their level 0 if by nothing else. Where every start has the same levels this is the t interval of
    the starts' own slopes.

    Args:
        moved: (n,) signed shift of the target, metres.
        followed: (n,) shift of the hand along it, metres.
        start: (n,) whole numbers: which start an episode belongs to.
        confidence: of the interval, strictly between 0 and 1.
    """
    # In one order, so that sums come out the same to the last bit.
    order = np.lexsort((followed, moved, start))
    x, y, start = moved[order].astype(float), followed[order].astype(float), start[order]
    starts, cluster = np.unique(start, return_inverse=True)
    n, count = len(x), len(starts)
    if not n:
        return FollowingRatio(None, None, 0, 0, "no start has counted episodes at level 0 and at another level")
    if np.abs(x).max() <= STILL:
        return FollowingRatio(None, None, n, count, "the target did not move")
    spread = float(x @ x)
    value = float(x @ y) / spread
    if count < 2:
        return FollowingRatio(value, None, n, count, "one start gives no interval")
    scores = np.bincount(cluster, weights=x * (y - value * x), minlength=count)
    error = math.sqrt(count / (count - 1) * float(scores @ scores)) / spread
    half = float(t.isf((1 - confidence) / 2, count - 1)) * error
    return FollowingRatio(value, (value - half, value + half), n, count)

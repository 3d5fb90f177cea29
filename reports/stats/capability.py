"""What a number of rollouts can and cannot decide, before or after they are run."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.stats import binom


@dataclass(frozen=True)
class Capability:
    """Which counts out of n certify a level as below or above the threshold.

    Attributes:
        n: counted episodes.
        below_at_most: the largest number of successes that certifies "below"; None where none can.
        above_at_least: the smallest number of successes that certifies "above"; None where none can.
    """

    n: int
    below_at_most: int | None
    above_at_least: int | None


def capability(n: int, threshold: float, alpha: float) -> Capability:
    """The deciding counts of one exact one-sided binomial test each way.

    Args:
        n: counted episodes, 0 or more.
        threshold: success probability, strictly between 0 and 1.
        alpha: one-sided level of each test, strictly between 0 and 1/2.
    """
    # ppf and isf may be one off where a probability meets alpha within rounding.
    most = int(binom.ppf(alpha, n, threshold))
    while most >= 0 and binom.cdf(most, n, threshold) > alpha:
        most -= 1
    least = int(binom.isf(alpha, n, threshold))
    while least <= n and binom.sf(least - 1, n, threshold) > alpha:
        least += 1
    return Capability(n, most if most >= 0 else None, least if least <= n else None)


def fewest_below(threshold: float, alpha: float) -> int:
    """The fewest rollouts that can certify "below": all of them fail and ``(1 - threshold)^n <= alpha``."""
    return math.ceil(math.log(alpha) / math.log1p(-threshold))


def fewest_above(threshold: float, alpha: float) -> int:
    """The fewest rollouts that can certify "above": all of them succeed and ``threshold^n <= alpha``."""
    return math.ceil(math.log(alpha) / math.log(threshold))

"""The confidence set of the break level: fixed-sequence exact binomial tests from both ends.

The break level is the first level, outward, whose success probability is below the threshold. Going outward, a
level is passed while "p <= threshold" is rejected; going inward from the outermost level, a level is passed
while "p >= threshold" is rejected. What neither sequence has passed is the set. The outward sequence errs only if
it rejects at the break level itself, the inward one only if it rejects at the level before it: one fixed true
hypothesis each, so no correction for the number of levels is due, the curve need not be monotone, and the levels
may depend on each other (Hsu & Berger 1999; Tamhane, Hochberg & Dunnett 1996).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from scipy.stats import binom

THRESHOLD = 0.20
"""Default: a level breaks the policy when its success rate is below this."""


@dataclass(frozen=True)
class LevelCounts:
    """What was counted at one level.

    Attributes:
        level: level k of the axis.
        successes: of all its counted episodes.
        n: all its counted episodes; 0 is allowed and decides nothing.
        earlier: ``(successes, n)`` as they stood at earlier stages of a plan with stages, oldest first.

    Raises:
        ValueError: for counts that cannot be, or that do not grow from look to look.
    """

    level: int
    successes: int
    n: int
    earlier: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        for (won, n), (more_won, more_n) in pairwise(((0, 0), *self.looks)):
            if not 0 <= more_won - won <= more_n - n:
                raise ValueError(f"level {self.level}: (successes, n) cannot go from {won, n} to {more_won, more_n}")

    @property
    def looks(self) -> tuple[tuple[int, int], ...]:
        """Every ``(successes, n)``, oldest first."""
        return (*self.earlier, (self.successes, self.n))


def confidence_set(
    levels: Sequence[LevelCounts], threshold: float, alpha: float, stages: int = 1
) -> tuple[int | None, ...]:
    """The set that contains the break level with probability at least ``1 - alpha``.

    With more than one stage a level is rejected if any of its looks rejects at its share of alpha. That holds
    if the n of every stage was fixed beforehand (whether a level gets its next stage may depend on the data).

    Args:
        levels: of one direction, innermost first.
        threshold: success probability, strictly between 0 and 1.
        alpha: error probability, strictly between 0 and 1; each end gets half of it.
        stages: how many looks the plan allows at a level; alpha is split evenly between them.

    Returns:
        Consecutive members of ``levels``, outward; None, always last, means "not reached": no level of these
        is below the threshold.

    Raises:
        ValueError: if levels are not in outward order or have more looks than stages.
    """
    low, high = _stops(levels, threshold, alpha, stages)
    answers = [*(counts.level for counts in levels), None]
    # Two looks can contradict each other; whatever is reported then covers no less than the empty set would.
    return tuple(answers[min(low, high) : max(low, high) + 1])


def frontier(levels: Sequence[LevelCounts], threshold: float, alpha: float, stages: int) -> tuple[int, ...]:
    """The undecided levels at which the two sequences stopped and which have a look left: those to top up next.

    Arguments and errors are those of :func:`confidence_set`.

    Returns:
        At most two levels, outward; empty where the set is a single answer, or more data can change nothing.
    """
    low, high = _stops(levels, threshold, alpha, stages)
    stopped = [levels[place] for place in sorted({low, high - 1}) if low < high]
    share = alpha / 2 / stages
    return tuple(
        counts.level
        for counts in stopped
        if len(counts.looks) < stages and certified(counts, threshold, share) == "undecided"
    )


def certified(counts: LevelCounts, threshold: float, alpha: float) -> Literal["above", "below", "undecided"]:
    """What one level alone shows about its own success probability, for a one-sided error of ``alpha`` each way."""
    if _above(counts, threshold, alpha):
        return "above"
    return "below" if _below(counts, threshold, alpha) else "undecided"


def _stops(levels: Sequence[LevelCounts], threshold: float, alpha: float, stages: int) -> tuple[int, int]:
    """Places of the first level the outward sequence did not pass and of the last one the inward sequence did."""
    _check(levels, threshold, alpha, stages)
    share = alpha / 2 / stages
    low, high = 0, len(levels)
    while low < len(levels) and _above(levels[low], threshold, share):
        low += 1
    while high > 0 and _below(levels[high - 1], threshold, share):
        high -= 1
    return low, high


def _above(counts: LevelCounts, threshold: float, alpha: float) -> bool:
    """Whether some look rejects "p <= threshold"."""
    return any(binom.sf(successes - 1, n, threshold) <= alpha for successes, n in counts.looks)


def _below(counts: LevelCounts, threshold: float, alpha: float) -> bool:
    """Whether some look rejects "p >= threshold"."""
    return any(binom.cdf(successes, n, threshold) <= alpha for successes, n in counts.looks)


def _check(levels: Sequence[LevelCounts], threshold: float, alpha: float, stages: int) -> None:
    if not 0 < threshold < 1 or not 0 < alpha < 1:
        raise ValueError(f"threshold {threshold} and alpha {alpha} must lie strictly between 0 and 1")
    numbers = [counts.level for counts in levels]
    outward = all(abs(inner) < abs(outer) for inner, outer in pairwise(numbers))
    if not outward or (min(numbers, default=0) < 0 < max(numbers, default=0)):
        raise ValueError(f"levels of one direction, innermost first, are needed; got {numbers}")
    for counts in levels:
        if len(counts.looks) > stages:
            raise ValueError(f"level {counts.level} has {len(counts.looks)} looks, but alpha is split over {stages}")

"""The tests and intervals of a comparison; p-values are two-sided.

Sources: McNemar 1947, exact form (statsmodels); Barnard 1945 (scipy); Tango 1998 for the paired and Newcombe 1998,
method 10, for the unpaired interval; Holm 1979 (statsmodels); Fisher 1935 for the sign flips.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.signal import convolve
from scipy.stats import binom, norm
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, test_proportions_2indep

BARNARD_TABLES = 300_000
"""Barnard's test looks at n_a * n_b tables; with more than this it would take seconds, and a score test is as good."""
SHUFFLES = 10_000
"""Random shuffles of the unpaired permutation test."""
_CHUNK = 500


def mcnemar_p(only_a: int, only_b: int) -> float:
    """Exact McNemar test.

    Args:
        only_a: pairs in which only the first arm succeeded.
        only_b: pairs in which only the second did.

    Returns:
        The binomial p-value of the discordant pairs; 1 where there are none.
    """
    found: Any = mcnemar([[0, only_a], [only_b, 0]], exact=True)
    return float(found.pvalue)


_TIE = 1e-9
_RATES = 201
_REFINEMENTS = 3


def unpaired_p(successes_a: int, n_a: int, successes_b: int, n_b: int) -> float:
    """Barnard's exact test of two independent samples; a score test past :data:`BARNARD_TABLES`.

    Args:
        successes_a: of ``n_a`` > 0 trials.
        n_a: trials of the first arm.
        successes_b: of ``n_b`` > 0 trials.
        n_b: trials of the second arm.
    """
    if successes_a + successes_b in (0, n_a + n_b):
        return 1.0
    if is_large(n_a, n_b):
        found: Any = test_proportions_2indep(successes_a, n_a, successes_b, n_b, method="score", compare="diff")
        return float(found.pvalue)
    return _barnard(successes_a, n_a, successes_b, n_b)


def _barnard(x: int, n_a: int, y: int, n_b: int) -> float:
    """Barnard's p-value with the pooled score statistic: the largest over the common success probability.

    Own, because scipy.stats.barnard_exact compares the statistic without a tolerance: tables as extreme as the
    one seen drop out by rounding, and p comes out too small (0 of 5 against 3 of 5: 0.058 instead of 0.062).
    """
    a, b = np.arange(n_a + 1)[:, None], np.arange(n_b + 1)[None, :]
    pooled = (a + b) / (n_a + n_b)
    spread = np.sqrt(pooled * (1 - pooled) * (1 / n_a + 1 / n_b))
    distance = np.abs(a / n_a - b / n_b)
    score = np.divide(distance, spread, out=np.zeros_like(distance), where=spread > 0)
    as_extreme = (score >= score[x, y] - _TIE).astype(float)

    def chance(rates: np.ndarray) -> np.ndarray:
        first = binom.pmf(np.arange(n_a + 1), n_a, rates[:, None])
        second = binom.pmf(np.arange(n_b + 1), n_b, rates[:, None])
        return ((first @ as_extreme) * second).sum(axis=1)

    rates = np.linspace(0, 1, _RATES)
    for _ in range(_REFINEMENTS):
        best = int(np.argmax(chance(rates)))
        rates = np.linspace(rates[max(best - 1, 0)], rates[min(best + 1, _RATES - 1)], _RATES)
    return min(1.0, float(chance(rates).max()))


def is_large(n_a: int, n_b: int) -> bool:
    """Whether :func:`unpaired_p` takes the score test."""
    return n_a * n_b > BARNARD_TABLES


def paired_interval(only_a: int, only_b: int, n: int, confidence: float) -> tuple[float, float]:
    """Tango's score interval of a paired difference of rates, first minus second.

    Args:
        only_a: pairs in which only the first arm succeeded.
        only_b: pairs in which only the second did.
        n: all pairs, > 0.
        confidence: in (0, 1).

    Returns:
        Low and high end, in [-1, 1]; swapping the arms flips both.
    """
    z = float(norm.ppf(0.5 + confidence / 2))
    return -_upper(only_b, only_a, n, z), _upper(only_a, only_b, n, z)


def _upper(only_a: int, only_b: int, n: int, z: float) -> float:
    """The largest difference that the score test does not reject."""
    if only_a == n:
        return 1.0

    def excess(delta: float) -> float:
        return (n * delta - only_a + only_b) - z * math.sqrt(_score_variance(only_a, only_b, n, delta))

    # Without discordant pairs the estimate itself is a root as well, and not the one looked for.
    found: Any = brentq(excess, (only_a - only_b) / n + 1e-9, 1.0, xtol=1e-12)
    return float(found)


def _score_variance(only_a: int, only_b: int, n: int, delta: float) -> float:
    """Variance of ``only_a - only_b`` where the difference is ``delta``, at Tango's restricted estimate."""
    linear = -only_a - only_b + (2 * n - only_a + only_b) * delta
    constant = -only_b * delta * (1 - delta)
    second = (math.sqrt(max(0.0, linear**2 - 8 * n * constant)) - linear) / (4 * n)
    return max(0.0, n * (2 * second + delta * (1 - delta)))


def unpaired_interval(successes_a: int, n_a: int, successes_b: int, n_b: int, confidence: float) -> tuple[float, float]:
    """Newcombe's hybrid score interval of the difference of two independent rates, first minus second.

    Args:
        successes_a: of ``n_a`` > 0 trials.
        n_a: trials of the first arm.
        successes_b: of ``n_b`` > 0 trials.
        n_b: trials of the second arm.
        confidence: in (0, 1).
    """
    low, high = confint_proportions_2indep(
        successes_a, n_a, successes_b, n_b, method="newcomb", compare="diff", alpha=1 - confidence
    )
    return float(low), float(high)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm-adjusted p-values; None stays None and is no member of the family."""
    known = [p for p in p_values if p is not None]
    found: Any = multipletests(known, method="holm")[1] if known else ()
    adjusted = iter(found)
    return [None if p is None else float(next(adjusted)) for p in p_values]


def sign_flip_p(differences: Sequence[int]) -> float:
    """Sign-flip permutation test of "the differences are symmetric about 0", by their sum.

    All ``2 ** m`` flips are accounted for, not sampled: flips of differences of one size make a binomial
    distribution, and distributions of different sizes are convolved.

    Args:
        differences: one integer per start.

    Returns:
        Share of flips whose sum is at least as far from 0 as the observed one.
    """
    sizes = Counter(abs(difference) for difference in differences if difference)
    unit = math.gcd(*sizes)
    observed = abs(sum(differences))
    if not observed:
        return 1.0
    spread = np.ones(1)
    for size, count in sorted(sizes.items()):
        step = size // unit
        kept = np.zeros(step * count + 1)
        kept[::step] = binom.pmf(np.arange(count + 1), count, 0.5)
        spread = convolve(spread, kept)
    total = len(spread) - 1
    sums = np.abs(2 * np.arange(total + 1) - total)
    p = float(spread[sums >= observed // unit].clip(min=0.0).sum())
    # The observed signs and their mirror image always count; rounding must not lose them.
    return min(1.0, max(p, 2.0 ** (1 - sizes.total())))


def shuffle_p(first: Mapping[str, Sequence[float]], second: Mapping[str, Sequence[float]]) -> float:
    """Permutation test of two independent samples of starts, shuffled within each task.

    Args:
        first: task to one value per start.
        second: likewise, of the same tasks; none empty.

    Returns:
        ``(1 + as extreme) / (1 + SHUFFLES)``, with a fixed seed; the order of the samples does not matter.
    """
    one, other = sorted(
        ({task: sorted(sample[task]) for task in sorted(sample)} for sample in (first, second)), key=str
    )
    draws = np.random.default_rng(0)
    observed, found = 0.0, np.zeros(SHUFFLES)
    for task, values in one.items():
        pooled = np.array(sorted([*values, *other[task]]))
        expected = len(values) * pooled.mean()
        observed += sum(values) - expected
        for start in range(0, SHUFFLES, _CHUNK):
            shuffled = draws.permuted(np.tile(pooled, (_CHUNK, 1)), axis=1)
            found[start : start + _CHUNK] += shuffled[:, : len(values)].sum(axis=1) - expected
    extreme = int((np.abs(found) >= abs(observed) - 1e-9).sum())
    return (1 + extreme) / (1 + SHUFFLES)

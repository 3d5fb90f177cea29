"""Order-restricted views of a success curve: a non-increasing fit, a test of it, a posterior under it.

All of them treat the levels as independent; starts shared between levels make the test conservative and the
posterior too wide or too narrow. They are secondary: the guarantee is the confidence set's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.special import rel_entr

TESTS = 1999
"""Bootstrap samples of the test."""
DRAWS = 4000
"""Draws from the posterior."""


@dataclass(frozen=True)
class MonotoneTest:
    """Whether success falls from level to level, within chance.

    Attributes:
        deviance: likelihood ratio of the free to the non-increasing curve, twice its logarithm; 0 where the
            counts themselves never rise.
        p_value: how often a non-increasing curve gives as large a deviance; small means it is not one.
    """

    deviance: float
    p_value: float


def antitonic(rates: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The weighted least-squares fit that never rises (PAVA), by the min-max formula, for many curves at once.

    Args:
        rates: (..., levels), innermost level first.
        weights: (levels,), positive.

    Returns:
        Of the shape of ``rates``. Source: Robertson, Wright & Dykstra 1988, theorem 1.4.4.
    """
    sums = np.cumsum(rates * weights, axis=-1)
    mass = np.cumsum(weights)
    fit = np.full(np.shape(rates), np.inf)
    for first in range(rates.shape[-1]):
        before, weight = (sums[..., first - 1 : first], mass[first - 1]) if first else (0.0, 0.0)
        means = (sums[..., first:] - before) / (mass[first:] - weight)
        largest = np.maximum.accumulate(means[..., ::-1], axis=-1)[..., ::-1]
        fit[..., first:] = np.minimum(fit[..., first:], largest)
    return fit


def monotone_test(successes: Sequence[int], n: Sequence[int], seed: int) -> MonotoneTest | None:
    """The likelihood-ratio test of "success never rises outward", with a parametric bootstrap.

    The bootstrap draws from the non-increasing fit with every drop levelled out that is not clearly one: from the
    fit as it is the test would reject flat curves two times too often, from a constant it would never see a small
    rise beside a steep drop (generalised moment selection, Andrews & Soares 2010, with their bound).

    Args:
        successes: per level, innermost first.
        n: counted episodes per level; levels without any are left out.
        seed: of the bootstrap.

    Returns:
        None where fewer than two levels have counted episodes.
    """
    trials = np.array(n)
    won = np.array(successes)[trials > 0]
    trials = trials[trials > 0]
    if len(trials) < 2:
        return None
    deviance = float(_deviance(won, trials))
    if deviance == 0:
        return MonotoneTest(0.0, 1.0)
    null = _levelled(won, trials)
    samples = np.random.default_rng(seed).binomial(trials, null, size=(TESTS, len(trials)))
    exceeded = np.count_nonzero(_deviance(samples, trials) >= deviance - 1e-9)
    return MonotoneTest(deviance, float((1 + exceeded) / (1 + TESTS)))


def _deviance(won: np.ndarray, trials: np.ndarray) -> np.ndarray:
    rates = won / trials
    fit = np.clip(antitonic(rates, trials), 0, 1)
    # Rates and fit have the same weighted sum in each pooled block, so the relative entropies add up to the ratio.
    found = 2 * np.sum(trials * (rel_entr(rates, fit) + rel_entr(1 - rates, 1 - fit)), axis=-1)
    return np.where(found < 1e-9, 0.0, found)


def _levelled(won: np.ndarray, trials: np.ndarray) -> np.ndarray:
    """Rates of the non-increasing fit, neighbours pooled until every drop left is clear."""
    blocks = [(int(x), int(n), 1) for x, n in zip(won, trials, strict=True)]
    bound = np.sqrt(np.log(trials.mean())) if trials.mean() > 1 else 0.0
    while len(blocks) > 1:
        drops = [_drop(inner, outer) for inner, outer in pairwise(blocks)]
        least = int(np.argmin(drops))
        if drops[least] > bound:
            break
        inner, outer = blocks[least : least + 2]
        blocks[least : least + 2] = [(inner[0] + outer[0], inner[1] + outer[1], inner[2] + outer[2])]
    return np.concatenate([np.full(levels, x / n) for x, n, levels in blocks])


def _drop(inner: tuple[int, int, int], outer: tuple[int, int, int]) -> float:
    """By how many standard errors success falls from one block to the next, as if both were one."""
    (x, n, _), (y, m, _) = inner, outer
    pooled = (x + y) / (n + m)
    error = np.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
    return float((x / n - y / m) / error) if error > 0 else 0.0


def break_posterior(successes: Sequence[int], n: Sequence[int], threshold: float, seed: int) -> tuple[float, ...]:
    """P(break level = each level), and last P(not reached), if success never rises outward.

    Jeffreys' Beta(1/2, 1/2) per level, draws projected onto non-increasing curves (Dunson & Neelon 2003). It
    under-covers on plateaus just above the threshold.

    Args:
        successes: per level, innermost first.
        n: counted episodes per level; 0 leaves the prior.
        threshold: success probability, strictly between 0 and 1.
        seed: of the draws.
    """
    won, trials = np.array(successes), np.array(n)
    draws = np.random.default_rng(seed).beta(won + 0.5, trials - won + 0.5, size=(DRAWS, len(trials)))
    below = antitonic(draws, trials + 1.0) < threshold
    first = np.where(below.any(axis=1), below.argmax(axis=1), len(trials))
    return tuple(float(share) for share in np.bincount(first, minlength=len(trials) + 1) / DRAWS)

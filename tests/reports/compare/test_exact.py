"""Hand-computed numbers, brute force, and other implementations."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import barnard_exact, binom, binomtest, norm, permutation_test

from indgen.reports.compare import exact


def test_mcnemar_by_hand() -> None:
    # 1 and 9 discordant: twice the (1 + 10) sequences of 1024 with at most one.
    assert exact.mcnemar_p(9, 1) == pytest.approx(22 / 1024)
    assert exact.mcnemar_p(1, 9) == exact.mcnemar_p(9, 1)
    assert exact.mcnemar_p(0, 0) == 1.0
    assert exact.mcnemar_p(7, 7) == 1.0
    assert exact.mcnemar_p(0, 5) == pytest.approx(1 / 16)


@pytest.mark.parametrize(("only_a", "only_b"), [(3, 0), (4, 11), (25, 9)])
def test_mcnemar_is_the_binomial_test_and_the_sign_flip_of_one_level(only_a: int, only_b: int) -> None:
    expected = binomtest(only_a, only_a + only_b, 0.5).pvalue
    assert exact.mcnemar_p(only_a, only_b) == pytest.approx(expected)
    assert exact.sign_flip_p([1] * only_a + [-1] * only_b + [0] * 5) == pytest.approx(expected)


def test_barnard_by_hand_and_published() -> None:
    # 2 of 2 against 0 of 2: this table and its mirror, each with p^2 (1 - p)^2 <= 1/16.
    assert exact.unpaired_p(2, 2, 0, 2) == pytest.approx(1 / 8, abs=1e-6)
    # The vaccine example of scipy's documentation: 0.0681 on its grid, 0.06822 at the true maximum.
    assert exact.unpaired_p(7, 15, 12, 15) == pytest.approx(0.06822, abs=1e-5)
    assert exact.unpaired_p(12, 15, 7, 15) == pytest.approx(exact.unpaired_p(7, 15, 12, 15))


@pytest.mark.parametrize("rate", [0, 8])
def test_barnard_without_any_variation_is_one(rate: int) -> None:
    assert exact.unpaired_p(rate, 8, rate, 8) == 1.0


def test_large_samples_take_the_score_test() -> None:
    assert not exact.is_large(500, 500)
    assert exact.is_large(600, 600)
    pooled = (330 + 270) / 1200
    z = (330 - 270) / 600 / math.sqrt(pooled * (1 - pooled) * 2 / 600)
    assert exact.unpaired_p(330, 600, 270, 600) == pytest.approx(math.erfc(z / math.sqrt(2)), rel=0.01)


def test_newcombe_published() -> None:
    # Newcombe 1998, Stat. Med. 17, 873, table II (a): 56/70 - 48/80, method 10.
    assert exact.unpaired_interval(56, 70, 48, 80, 0.95) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    low, high = exact.unpaired_interval(48, 80, 56, 70, 0.95)
    assert (-high, -low) == pytest.approx((0.0524, 0.3339), abs=5e-5)


@pytest.mark.parametrize(("only_a", "only_b", "n"), [(12, 2, 50), (9, 0, 10), (1, 0, 4), (30, 33, 100), (5, 5, 10)])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_tango_ends_are_where_the_score_test_turns(only_a: int, only_b: int, n: int, confidence: float) -> None:
    found = exact.paired_interval(only_a, only_b, n, confidence)
    z = float(norm.isf((1 - confidence) / 2))
    for end in found:
        if abs(end) < 1:
            assert abs(_score(only_a, only_b, n, end)) == pytest.approx(z, rel=1e-3)
    assert found[0] <= (only_a - only_b) / n <= found[1]


def _score(only_a: int, only_b: int, n: int, delta: float) -> float:
    """Tango's statistic with the nuisance parameter maximised numerically."""

    def loss(q: float) -> float:
        cells = (q + delta, q, 1 - 2 * q - delta)
        counts = (only_a, only_b, n - only_a - only_b)
        return -sum(count * math.log(max(cell, 1e-300)) for count, cell in zip(counts, cells, strict=True) if count)

    bounds = (max(0.0, -delta) + 1e-12, (1 - delta) / 2 - 1e-12)
    q = minimize_scalar(loss, bounds=bounds, method="bounded", options={"xatol": 1e-12}).x
    return (only_a - only_b - n * delta) / math.sqrt(n * (2 * q + delta * (1 - delta)))


def test_tango_at_the_edges() -> None:
    z2 = 1.959963984540054**2
    # Without discordant pairs the score interval is +-z^2 / (n + z^2).
    assert exact.paired_interval(0, 0, 50, 0.95) == pytest.approx((-z2 / (50 + z2), z2 / (50 + z2)), abs=1e-6)
    assert exact.paired_interval(7, 0, 7, 0.95)[1] == 1.0
    assert exact.paired_interval(0, 7, 7, 0.95)[0] == -1.0


def test_holm_by_hand() -> None:
    assert exact.holm([0.01, None, 0.04, 0.03]) == [pytest.approx(0.03), None, pytest.approx(0.06), pytest.approx(0.06)]
    assert exact.holm([0.6, 0.7]) == [1.0, 1.0]
    assert exact.holm([None]) == [None]
    assert exact.holm([]) == []


@pytest.mark.parametrize(
    "differences", [[3], [1, 1, 1, -2, 3], [2, 2, -4, 6], [0, 0, 5, -1], [1, -1, 2, -2, 4, 4, 3, 0, 1], [6, 10, 15]]
)
def test_sign_flip_is_the_enumeration_of_all_flips(differences: list[int]) -> None:
    observed = abs(sum(differences))
    flips = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    assert exact.sign_flip_p(differences) == pytest.approx(sum(flip >= observed for flip in flips) / len(flips))
    assert exact.sign_flip_p([-each for each in differences]) == exact.sign_flip_p(differences)


def test_sign_flip_against_scipys_sampling() -> None:
    differences = [2, 1, 1, 3, -1, 0, 2, -2, 1, 1, 4, -3, 2, 1, 0, 1, -1, 2]
    found = permutation_test(
        (np.array(differences),), np.sum, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(1)
    )
    assert exact.sign_flip_p(differences) == pytest.approx(float(found.pvalue), abs=0.01)


def test_sign_flip_has_no_smaller_p_than_its_two_extreme_flips() -> None:
    assert exact.sign_flip_p([2] * 6) == pytest.approx(2 / 64)
    assert exact.sign_flip_p([1, 2, 3] * 40) == pytest.approx(2.0**-119, rel=1e-6)
    assert exact.sign_flip_p([]) == 1.0
    assert exact.sign_flip_p([0, 0]) == 1.0


def test_shuffles_know_their_task_and_forget_the_order() -> None:
    # Tasks differ hugely, runs do not: within tasks there is nothing to see.
    first = {"easy": [1.0] * 10, "hard": [0.0, 0.0]}
    second = {"easy": [1.0] * 2, "hard": [0.0] * 10}
    assert exact.shuffle_p(first, second) == 1.0
    one, other = {"t": [0.0, 0.5, 0.5, 1.0]}, {"t": [1.0, 1.0, 1.0, 0.5, 1.0]}
    assert exact.shuffle_p(one, other) == exact.shuffle_p(other, one)


def test_shuffles_against_the_exact_permutation_test() -> None:
    one, other = [0.0, 0.25, 0.25, 0.5], [0.75, 1.0, 0.5, 0.75]
    expected = permutation_test(
        (np.array(one), np.array(other)), lambda a, b: np.mean(a) - np.mean(b), permutation_type="independent"
    ).pvalue
    assert exact.shuffle_p({"t": one}, {"t": other}) == pytest.approx(float(expected), abs=0.01)


@pytest.mark.parametrize(
    ("x", "n_a", "y", "n_b"), [(5, 7, 5, 11), (8, 10, 5, 15), (0, 5, 3, 5), (3, 9, 9, 12), (1, 4, 4, 4)]
)
def test_barnard_counts_tables_as_extreme_as_the_one_seen(x: int, n_a: int, y: int, n_b: int) -> None:
    """Against fractions, which have no rounding to lose a tie by; scipy's is never larger."""

    def extremity(a: int, b: int) -> Fraction:
        pooled = Fraction(a + b, n_a + n_b)
        if pooled in (0, 1):
            return Fraction(0)
        return (Fraction(a, n_a) - Fraction(b, n_b)) ** 2 / (pooled * (1 - pooled))

    extreme = [(a, b) for a in range(n_a + 1) for b in range(n_b + 1) if extremity(a, b) >= extremity(x, y)]
    rates = np.linspace(0, 1, 20001)
    chances = sum(binom.pmf(a, n_a, rates) * binom.pmf(b, n_b, rates) for a, b in extreme)
    found = exact.unpaired_p(x, n_a, y, n_b)
    assert found == pytest.approx(float(np.max(chances)), abs=1e-6)
    scipys = barnard_exact([[x, y], [n_a - x, n_b - y]]).pvalue
    assert scipys <= found + 1e-4

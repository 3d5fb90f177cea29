from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression

from indgen.reports.stats import antitonic, break_posterior, monotone_test


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(1, 100)), min_size=1, max_size=12))
def test_the_fit_is_scipys(points: list[tuple[float, int]]) -> None:
    rates, weights = (np.array(values, dtype=float) for values in zip(*points, strict=True))
    reference = isotonic_regression(rates, weights=weights, increasing=False).x
    np.testing.assert_allclose(antitonic(rates, weights), reference, atol=1e-9)


def test_many_curves_at_once_and_by_hand() -> None:
    rates = np.array([[0.9, 0.2, 0.4], [0.2, 0.4, 0.9]])
    fit = antitonic(rates, np.array([1.0, 1.0, 3.0]))
    np.testing.assert_allclose(fit, [[0.9, 0.35, 0.35], [0.66, 0.66, 0.66]])


def test_a_curve_that_never_rises_has_nothing_against_it() -> None:
    found = monotone_test([50, 50, 20, 0], [50, 50, 50, 50], seed=0)
    assert found is not None
    assert (found.deviance, found.p_value) == (0, 1)


def test_deviance_of_two_levels_by_hand() -> None:
    found = monotone_test([10, 20], [40, 40], seed=0)
    assert found is not None
    pooled = 30 * np.log(30 / 80) + 50 * np.log(50 / 80)
    free = 10 * np.log(10 / 40) + 30 * np.log(30 / 40) + 40 * np.log(0.5)
    assert found.deviance == pytest.approx(2 * (free - pooled))
    # Of two levels half of the null distribution sits at 0, the rest is chi-squared with one degree of freedom.
    assert found.p_value == pytest.approx(0.0105, abs=0.006)


def test_a_clear_rise_is_found_and_is_the_same_every_time() -> None:
    found = monotone_test([50, 5, 45], [50, 50, 50], seed=3)
    assert found is not None
    assert found.p_value == 1 / 2000
    assert monotone_test([50, 5, 45], [50, 50, 50], seed=3) == found


def test_a_flat_curve_is_rejected_no_more_often_than_it_should() -> None:
    random = np.random.default_rng(5)
    found = [monotone_test(random.binomial(40, 0.5, 4).tolist(), [40] * 4, seed=1) for _ in range(150)]
    rejected = sum(test is not None and test.p_value < 0.05 for test in found)
    assert rejected <= 16  # 7.5 expected; P(more than 16) < 0.002


def test_levels_without_episodes_are_left_out_of_the_test() -> None:
    assert monotone_test([5, 0, 0], [10, 0, 0], seed=0) is None
    assert monotone_test([5, 0, 9], [10, 0, 10], seed=0) == monotone_test([5, 9], [10, 10], seed=0)


class TestPosterior:
    def test_one_level_is_the_beta_distribution(self) -> None:
        below, never = break_posterior([2], [10], 0.2, seed=0)
        assert below == pytest.approx(0.4665, abs=0.03)  # P(Beta(2.5, 8.5) < 0.2)
        assert below + never == pytest.approx(1)

    def test_steep_curves_leave_no_doubt(self) -> None:
        shares = break_posterior([100, 100, 0, 0], [100] * 4, 0.2, seed=0)
        assert shares[2] > 0.999
        assert break_posterior([100, 100], [100, 100], 0.2, seed=0)[-1] > 0.999

    def test_nothing_counted_is_the_prior_and_adds_up(self) -> None:
        shares = break_posterior([0, 0], [0, 0], 0.2, seed=0)
        assert sum(shares) == pytest.approx(1)
        assert min(shares) > 0.02

    def test_is_the_same_every_time(self) -> None:
        arguments = [9, 4, 2], [10, 10, 10], 0.2
        assert break_posterior(*arguments, seed=1) == break_posterior(*arguments, seed=1)

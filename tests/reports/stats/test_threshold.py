from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from indgen.reports.stats import ThresholdFit, fit_threshold

X = [0.0, 1.0, 2.0, 3.0, 4.0]


def fit(successes: list[int], n: list[int], x: list[float] = X, threshold: float = 0.2) -> ThresholdFit:
    return fit_threshold(successes, n, x[: len(n)], threshold, 0.95)


def test_a_logistic_curve_gives_its_own_threshold_back() -> None:
    n = [100_000] * 5
    successes = [round(100_000 * rate) for rate in expit(4 - 2 * np.array(X))]
    found = fit(successes, n)
    assert found.answer == "estimate"
    assert found.value == pytest.approx((4 - np.log(0.2 / 0.8)) / 2, abs=0.001)
    assert found.low is not None and found.high is not None
    assert found.low < (4 + np.log(4)) / 2 < found.high
    assert found.misfit is not None and found.misfit > 0.99


def test_the_unit_only_scales_the_answer() -> None:
    n, successes = [50] * 5, [48, 40, 20, 5, 1]
    metres, centimetres = fit(successes, n, [0.025 * x for x in X]), fit(successes, n, [2.5 * x for x in X])
    for small, large in ((metres.value, centimetres.value), (metres.low, centimetres.low)):
        assert small is not None and large is not None
        assert 100 * small == pytest.approx(large)


def test_fieller_ends_are_where_the_wald_test_turns() -> None:
    n, successes = np.array([50] * 5), np.array([48, 40, 20, 5, 1])
    found = fit(successes.tolist(), n.tolist())
    model = GLM(np.column_stack([successes, n - successes]), np.column_stack([np.ones(5), X]), family=Binomial()).fit()
    for end in (found.low, found.high):
        assert end is not None
        direction = np.array([1.0, end])
        distance = direction @ model.params - np.log(0.25)
        assert abs(distance / np.sqrt(direction @ model.cov_params() @ direction)) == pytest.approx(1.96, abs=0.001)


@pytest.mark.parametrize(
    ("successes", "why"),
    [
        ([50, 50, 50, 50, 50], "all succeed"),
        ([50, 49, 47, 45, 40], "would have to extrapolate outward"),
        ([5, 3, 2, 1, 0], "would have to extrapolate inward"),
        ([0, 0, 0, 0, 0], "none succeeds"),
        ([10, 20, 30, 40, 50], "rises"),
        ([0, 0, 20, 50, 50], "rises, separated"),
        ([50, 50, 50, 50, 20], "separated at the last level, which holds"),
    ],
)
def test_no_threshold_inside_the_range_is_an_answer(successes: list[int], why: str) -> None:
    found = fit(successes, [50] * 5)
    assert (found.answer, found.value) == ("not in range", None), why


def test_a_cliff_is_located_between_levels_only() -> None:
    assert fit([50, 50, 0, 0, 0], [50] * 5) == ThresholdFit("between levels", low=1.0, high=2.0)
    assert fit([50, 50, 20, 0, 0], [50] * 5) == ThresholdFit("between levels", low=2.0, high=3.0)


def test_misfit_is_seen() -> None:
    found = fit([200, 80, 75, 70, 2], [200] * 5)
    assert found.answer == "estimate"
    assert found.misfit is not None and found.misfit < 1e-6


def test_few_levels() -> None:
    assert fit([5], [10]).answer == "no data"
    assert fit([5, 0, 0], [10, 0, 0]).answer == "no data"
    two = fit([40, 5], [50, 50])
    assert (two.answer, two.misfit) == ("estimate", None)


def test_an_unsure_slope_has_an_unbounded_interval() -> None:
    found = fit([4, 3, 2, 2, 1], [10] * 5)
    assert found.answer == "estimate"
    assert found.high is None

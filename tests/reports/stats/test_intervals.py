from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta
from statsmodels.stats.proportion import proportion_confint

from indgen.reports.stats import interval, wilson

COUNTS = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 50, 0.0435, 0.2136), (81, 263, 0.2553, 0.3662)],
)
def test_wilson_against_published_values(successes: int, n: int, low: float, high: float) -> None:
    """The last is Newcombe's (1998, table I); 0 of 10 by hand: z^2 / (n + z^2)."""
    assert wilson(successes, n) == pytest.approx((low, high), abs=5e-5)


def test_zero_successes_by_hand() -> None:
    found = interval(0, 17)
    assert found is not None
    assert found[1] == pytest.approx(1 - 0.025 ** (1 / 17))
    assert found[1] < 0.2 < 1 - 0.025 ** (1 / 16)


@given(COUNTS, st.sampled_from([0.8, 0.95, 0.99]))
def test_both_agree_with_statsmodels_and_the_beta_quantiles(counts: tuple[int, int], confidence: float) -> None:
    successes, n = counts
    exact = proportion_confint(successes, n, alpha=1 - confidence, method="beta")
    found = interval(successes, n, confidence)
    assert found == pytest.approx(exact, abs=1e-9)
    score = proportion_confint(successes, n, alpha=1 - confidence, method="wilson")
    assert wilson(successes, n, confidence) == pytest.approx(score, abs=1e-9)
    tail = (1 - confidence) / 2
    low = beta.ppf(tail, successes, n - successes + 1) if successes else 0.0
    assert found is not None
    assert found[0] == pytest.approx(low, abs=1e-9)


def test_nothing_counted_has_no_interval() -> None:
    assert interval(0, 0) is wilson(0, 0) is None

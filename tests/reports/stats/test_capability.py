from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from indgen.reports.stats import Capability, LevelCounts, capability, certified, fewest_above, fewest_below


@pytest.mark.parametrize(
    ("n", "below", "above"),
    [
        (0, None, None),
        (2, None, None),
        (10, None, 6),
        (17, 0, 8),
        (20, 0, 9),
        (50, 4, 17),
        (100, 11, 29),
        (200, 28, 52),
    ],
)
def test_deciding_counts_at_twenty_per_cent(n: int, below: int | None, above: int | None) -> None:
    """20 to 200 are what an independent computation gave."""
    assert capability(n, 0.2, 0.025) == Capability(n, below, above)


def test_ten_trials_can_never_certify_below_and_seventeen_can() -> None:
    assert binom.cdf(0, 10, 0.2) == pytest.approx(0.8**10) == pytest.approx(0.107, abs=5e-4)
    assert 0.8**16 > 0.025 >= 0.8**17
    assert fewest_below(0.2, 0.025) == 17
    assert 0.2**2 > 0.025 >= 0.2**3
    assert fewest_above(0.2, 0.025) == 3


PROBABILITY = st.floats(0.01, 0.99)


@given(st.integers(0, 300), PROBABILITY, st.floats(1e-4, 0.4))
def test_exactly_these_counts_certify(n: int, threshold: float, alpha: float) -> None:
    found = capability(n, threshold, alpha)
    for successes in range(n + 1):
        claim = certified(LevelCounts(0, successes, n), threshold, alpha)
        below = found.below_at_most is not None and successes <= found.below_at_most
        above = found.above_at_least is not None and successes >= found.above_at_least
        assert claim == ("below" if below else "above" if above else "undecided")


@given(PROBABILITY, st.floats(1e-4, 0.4))
def test_one_fewer_than_the_fewest_cannot(threshold: float, alpha: float) -> None:
    n = fewest_below(threshold, alpha)
    assert binom.cdf(0, n, threshold) <= alpha * (1 + 1e-9)
    assert n == 1 or binom.cdf(0, n - 1, threshold) > alpha
    n = fewest_above(threshold, alpha)
    assert binom.sf(n - 1, n, threshold) <= alpha * (1 + 1e-9)
    assert n == 1 or binom.sf(n - 2, n - 1, threshold) > alpha

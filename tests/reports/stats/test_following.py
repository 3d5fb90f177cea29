from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.regression.linear_model import OLS

from indgen.reports.stats import FollowingRatio, following_ratio

LEVELS = np.array([-2.0, -1.0, 1.0, 2.0, 3.0])


def sample(
    seed: int, starts: int = 6, slope: float = 0.6, *, ragged: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Shifts whose errors are shared within a start, as those of one common level 0 are."""
    random = np.random.default_rng(seed)
    start = np.repeat(np.arange(starts), len(LEVELS))
    moved = np.tile(0.025 * LEVELS, starts)
    own = random.normal(0, 0.2, starts)[start] * moved + random.normal(0, 0.01, starts)[start]
    followed = slope * moved + own + random.normal(0, 0.005, len(moved))
    kept = random.random(len(moved)) < 0.7 if ragged else np.full(len(moved), True)
    return moved[kept], followed[kept], start[kept]


@pytest.mark.parametrize("ragged", [False, True])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_agrees_with_statsmodels(ragged: bool, confidence: float) -> None:
    for seed in range(5):
        moved, followed, start = sample(seed, ragged=ragged)
        fitted: Any = OLS(followed, moved[:, None]).fit(cov_type="cluster", cov_kwds={"groups": start}, use_t=True)
        found = following_ratio(moved, followed, start, confidence)
        assert found.value == pytest.approx(fitted.params[0], rel=1e-9)
        assert found.interval == pytest.approx(fitted.conf_int(1 - confidence)[0], rel=1e-9)
        assert (found.n, found.starts) == (len(moved), len(np.unique(start)))


def test_with_the_same_levels_everywhere_it_is_the_t_interval_of_the_starts_own_slopes() -> None:
    from scipy.stats import t

    moved, followed, start = sample(3)
    slopes = [following_ratio(moved[start == s], followed[start == s], start[start == s], 0.9).value for s in range(6)]
    values = np.array(slopes, dtype=float)
    found = following_ratio(moved, followed, start, 0.9)
    assert found.interval == pytest.approx(t.interval(0.9, 5, values.mean(), values.std(ddof=1) / np.sqrt(6)))


def test_a_follower_is_1_and_a_memoriser_0_exactly() -> None:
    moved, _, start = sample(0)
    assert following_ratio(moved, moved, start, 0.95) == FollowingRatio(1.0, (1.0, 1.0), 30, 6)
    assert following_ratio(moved, 0 * moved, start, 0.95) == FollowingRatio(0.0, (0.0, 0.0), 30, 6)


@given(st.integers(0, 99), st.permutations(range(30)))
def test_the_order_of_episodes_and_the_names_of_starts_make_no_difference(seed: int, order: list[int]) -> None:
    moved, followed, start = sample(seed)
    assert following_ratio(moved[order], followed[order], start[order], 0.95) == following_ratio(
        moved, followed, start, 0.95
    )
    renamed = following_ratio(moved, followed, 100 - start, 0.95)
    assert renamed.value == pytest.approx(following_ratio(moved, followed, start, 0.95).value, rel=1e-12)


@given(st.integers(0, 99), st.floats(0.1, 100), st.floats(-3, 3))
def test_units_do_not_matter_and_the_hands_scale_is_the_ratios(seed: int, unit: float, scale: float) -> None:
    moved, followed, start = sample(seed)
    found = following_ratio(moved, followed, start, 0.95)
    other = following_ratio(moved * unit, scale * followed * unit, start, 0.95)
    assert found.value is not None and found.interval is not None and other.interval is not None
    assert other.value == pytest.approx(scale * found.value, abs=1e-9)
    assert other.interval == pytest.approx(sorted(scale * end for end in found.interval), abs=1e-9)


def test_mirroring_the_axis_changes_nothing() -> None:
    moved, followed, start = sample(1)
    mirrored = following_ratio(-moved, -followed, start, 0.95)
    assert mirrored.interval == pytest.approx(following_ratio(moved, followed, start, 0.95).interval)


@pytest.mark.parametrize("ragged", [False, True])
def test_the_interval_covers(ragged: bool) -> None:
    """400 fixed draws of six starts whose slopes differ: a nominal 90 % holds the truth in about 360."""
    inside = 0
    for seed in range(400):
        found = following_ratio(*sample(seed, ragged=ragged), 0.9)
        assert found.interval is not None
        inside += found.interval[0] <= 0.6 <= found.interval[1]
    assert 340 <= inside <= 380


def test_ignoring_the_starts_would_not_cover() -> None:
    """The same draws with every episode a cluster of its own."""
    inside = 0
    for seed in range(400):
        moved, followed, _ = sample(seed)
        found = following_ratio(moved, followed, np.arange(len(moved)), 0.9)
        assert found.interval is not None
        inside += found.interval[0] <= 0.6 <= found.interval[1]
    assert inside < 330


def test_what_cannot_be_said_is_said_in_words() -> None:
    none = np.array([])
    assert following_ratio(none, none, none.astype(int), 0.95).reason == (
        "no start has counted episodes at level 0 and at another level"
    )
    still = following_ratio(np.full(4, 1e-4), np.ones(4), np.arange(4), 0.95)
    assert (still.value, still.interval, still.reason) == (None, None, "the target did not move")
    one = following_ratio(np.array([0.1, 0.2]), np.array([0.1, 0.2]), np.array([7, 7]), 0.95)
    assert (one.value, one.interval, one.reason) == (pytest.approx(1), None, "one start gives no interval")

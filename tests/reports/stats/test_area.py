from __future__ import annotations

import numpy as np
import pytest

from indgen.reports.stats import area_under_curve


def test_by_hand_over_uneven_distances() -> None:
    won = np.array([[1, 1, 0], [1, 0, 0]], dtype=np.int8)
    found = area_under_curve([won], [0, 1, 3], 0.95, seed=0)
    assert found is not None
    assert found.value == pytest.approx((0.75 * 1 + 0.25 * 2) / 3)


def test_constant_outcomes_do_not_vary() -> None:
    found = area_under_curve([np.ones((5, 3), dtype=np.int8)], [0, 1, 2], 0.95, seed=0)
    assert found is not None
    assert (found.value, found.interval) == (1, (1, 1))


def test_starts_that_differ_vary_together() -> None:
    """Half the starts succeed everywhere: the area is a proportion of 40 clusters, not of 120 episodes."""
    won = np.repeat(np.array([0, 1] * 20, dtype=np.int8)[:, None], 3, axis=1)
    found = area_under_curve([won], [0, 1, 2], 0.95, seed=0)
    assert found is not None and found.interval is not None
    assert found.interval[1] - found.interval[0] == pytest.approx(2 * 1.96 * np.sqrt(0.25 / 39), abs=0.05)


def test_differences_between_tasks_are_no_chance() -> None:
    easy, hard = np.ones((10, 2), dtype=np.int8), np.zeros((10, 2), dtype=np.int8)
    found = area_under_curve([easy, hard], [0, 1], 0.95, seed=0)
    assert found is not None
    assert (found.value, found.interval) == (0.5, (0.5, 0.5))


def test_what_is_not_counted_is_left_out() -> None:
    won = np.array([[1, -1, 0], [1, -1, -1], [-1, -1, -1]], dtype=np.int8)
    found = area_under_curve([won], [0, 1, 2], 0.95, seed=0)
    assert found is not None
    assert found.value == pytest.approx(0.5)


def test_too_little_to_say() -> None:
    assert area_under_curve([np.ones((4, 1), dtype=np.int8)], [0], 0.95, seed=0) is None
    assert area_under_curve([np.full((4, 2), -1, dtype=np.int8)], [0, 1], 0.95, seed=0) is None
    single = area_under_curve([np.ones((1, 2), dtype=np.int8)], [0, 1], 0.95, seed=0)
    assert single is not None and single.interval is None


def test_the_interval_covers() -> None:
    """Correlated starts, 200 repetitions: at least 90 % of nominal 95 % intervals hold the truth."""
    random = np.random.default_rng(2)
    rates = np.array([0.9, 0.6, 0.3])
    inside = 0
    for _ in range(200):
        luck = np.where(random.random((30, 1)) < 0.6, random.random((30, 1)), random.random((30, 3)))
        found = area_under_curve([(luck < rates).astype(np.int8)], [0, 1, 2], 0.95, seed=1)
        assert found is not None and found.interval is not None
        inside += found.interval[0] <= 0.6 <= found.interval[1]
    assert inside >= 180

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from indgen.reports.stats import LevelCounts, certified, confidence_set, frontier


def line(*counts: tuple[int, int]) -> list[LevelCounts]:
    return [LevelCounts(level, successes, n) for level, (successes, n) in enumerate(counts)]


def of(*counts: tuple[int, int], alpha: float = 0.05) -> tuple[int | None, ...]:
    return confidence_set(line(*counts), 0.2, alpha)


class TestByHand:
    """n = 50: at most 4 certify "below", at least 17 certify "above" (binomial tables, one-sided 0.025)."""

    def test_the_deciding_counts(self) -> None:
        assert binom.cdf(4, 50, 0.2) == pytest.approx(0.0185, abs=5e-5)
        assert binom.cdf(5, 50, 0.2) == pytest.approx(0.0480, abs=5e-5)
        assert binom.sf(16, 50, 0.2) == pytest.approx(0.0144, abs=5e-5)
        assert binom.sf(15, 50, 0.2) == pytest.approx(0.0308, abs=5e-5)
        assert of((17, 50), (4, 50)) == (1,)
        assert of((16, 50), (4, 50)) == (0, 1)
        assert of((17, 50), (5, 50)) == (1, None)

    def test_steep(self) -> None:
        assert of((50, 50), (45, 50), (2, 50), (0, 50)) == (2,)

    def test_gradual_leaves_what_is_undecided(self) -> None:
        assert of((50, 50), (30, 50), (16, 50), (10, 50), (5, 50), (1, 50)) == (2, 3, 4, 5)

    def test_never(self) -> None:
        assert of((50, 50), (40, 50)) == (None,)
        assert of((50, 50), (12, 50)) == (1, None)

    def test_immediate(self) -> None:
        assert of((4, 50), (4, 50)) == (0,)
        assert of((4, 50), (5, 50)) == (0, 1, None)

    def test_a_rise_stops_the_inward_sequence_and_is_not_smoothed(self) -> None:
        assert of((50, 50), (0, 50), (50, 50), (0, 50)) == (1, 2, 3)

    def test_nothing_counted_certifies_nothing(self) -> None:
        assert of((0, 0), (0, 0)) == (0, 1, None)
        assert of((50, 50), (0, 0), (0, 50)) == (1, 2)
        assert of((50, 50), (50, 50), (0, 0)) == (2, None)

    def test_one_level_and_none(self) -> None:
        assert of((25, 50)) == (None,)
        assert of((10, 50)) == (0, None)
        assert of() == (None,)

    def test_negative_levels_go_outward_too(self) -> None:
        levels = [LevelCounts(0, 50, 50), LevelCounts(-1, 8, 50), LevelCounts(-2, 0, 50)]
        assert confidence_set(levels, 0.2, 0.05) == (-1, -2)

    def test_threshold_and_alpha_matter(self) -> None:
        levels = line((50, 50), (20, 50), (2, 50))
        assert confidence_set(levels, 0.2, 0.05) == (2,)
        assert confidence_set(levels, 0.6, 0.05) == (1,)
        assert confidence_set(levels, 0.2, 1e-6) == (1, 2, None)


TABLE_1 = {
    "MAML": (100, 100, 100, 0),
    "RNN": (96, 90, 94, 0),
    "Transformer": (97, 79, 93, 4),
    "Transformer+RoPE": (97, 88, 90, 1),
    "Transformer+Goal/Act": (96, 81, 88, 0),
    "TRM": (100, 100, 92, 0),
}


class TestPaper:
    """Table 1 and table 2 as counts; the paper gives no n, so n = 100 and n = 10 are assumptions of ours."""

    @pytest.mark.parametrize("row", TABLE_1.values(), ids=TABLE_1)
    def test_six_rows_break_at_three_for_certain(self, row: Sequence[int]) -> None:
        assert of(*((successes, 100) for successes in row)) == (3,)

    def test_ind_and_the_oracle_are_not_reached_by_three(self) -> None:
        assert of((100, 100), (100, 100), (100, 100), (86, 100)) == (None,)
        assert of((100, 100), (100, 100), (100, 100), (100, 100)) == (None,)

    def test_ten_rollouts_cannot_certify_that_stack_breaks_at_two(self) -> None:
        assert binom.cdf(0, 10, 0.2) == pytest.approx(0.107, abs=5e-4)
        assert of((7, 10), (3, 10), (0, 10)) == (1, 2, None)

    def test_ten_rollouts_do_certify_that_scale_holds(self) -> None:
        assert of((9, 10), (10, 10), (9, 10), (10, 10), (7, 10)) == (None,)


class TestStages:
    def test_alpha_is_split_between_the_looks(self) -> None:
        level = LevelCounts(1, 4, 50)  # cdf 0.0185: below 0.025, above 0.0125
        assert confidence_set([LevelCounts(0, 50, 50), level], 0.2, 0.05) == (1,)
        assert confidence_set([LevelCounts(0, 50, 50), level], 0.2, 0.05, stages=2) == (1, None)

    def test_either_look_may_reject(self) -> None:
        first = LevelCounts(1, 40, 200, earlier=((0, 50),))
        final = LevelCounts(1, 20, 200, earlier=((10, 50),))
        for level in (first, final):
            assert confidence_set([LevelCounts(0, 50, 50), level], 0.2, 0.05, stages=2) == (1,)

    def test_contradicting_looks_widen_the_set(self) -> None:
        level = LevelCounts(1, 150, 200, earlier=((0, 50),))
        assert confidence_set([LevelCounts(0, 50, 50), level], 0.2, 0.05, stages=2) == (1, None)

    def test_the_frontier_is_where_the_sequences_stopped(self) -> None:
        levels = line((50, 50), (16, 50), (10, 50), (5, 50), (0, 50))
        assert frontier(levels, 0.2, 0.05, stages=2) == (1, 3)
        levels[3] = LevelCounts(3, 10, 200, earlier=((5, 50),))
        assert frontier(levels, 0.2, 0.05, stages=2) == (1, 2)
        levels[1] = LevelCounts(1, 40, 200, earlier=((16, 50),))
        assert frontier(levels, 0.2, 0.05, stages=2) == (2,)

    def test_no_frontier_where_all_is_said_or_no_look_is_left(self) -> None:
        assert frontier(line((50, 50), (0, 50)), 0.2, 0.05, stages=2) == ()
        assert frontier(line((50, 50), (10, 50)), 0.2, 0.05, stages=1) == ()
        assert frontier([LevelCounts(0, 40, 200, earlier=((10, 50),))], 0.2, 0.05, stages=2) == ()

    def test_a_level_certified_out_of_turn_needs_no_more(self) -> None:
        levels = line((50, 50), (0, 50), (10, 50), (0, 50))
        assert confidence_set(levels, 0.2, 0.05, stages=2) == (1, 2, 3)
        assert frontier(levels, 0.2, 0.05, stages=2) == (2,)


@pytest.mark.parametrize(
    "levels",
    [
        [LevelCounts(1, 0, 1), LevelCounts(0, 0, 1)],
        [LevelCounts(-1, 0, 1), LevelCounts(2, 0, 1)],
        [LevelCounts(0, 1, 2, earlier=((1, 1),))],
    ],
)
def test_what_is_no_direction_or_has_too_many_looks_is_refused(levels: list[LevelCounts]) -> None:
    with pytest.raises(ValueError, match=r"outward|innermost|looks"):
        confidence_set(levels, 0.2, 0.05)


@pytest.mark.parametrize("counts", [(3, 2, ()), (-1, 2, ()), (1, 5, ((2, 3),)), (4, 5, ((1, 3),))])
def test_impossible_counts_are_refused(counts: tuple[int, int, tuple[tuple[int, int], ...]]) -> None:
    with pytest.raises(ValueError, match="cannot go from"):
        LevelCounts(0, *counts)


@pytest.mark.parametrize(("threshold", "alpha"), [(0, 0.05), (1, 0.05), (0.2, 0), (0.2, 1)])
def test_probabilities_lie_between_zero_and_one(threshold: float, alpha: float) -> None:
    with pytest.raises(ValueError, match="strictly"):
        confidence_set(line((1, 2)), threshold, alpha)


CELL = st.integers(0, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
CURVE = st.lists(CELL, min_size=1, max_size=6)
ALPHA = st.sampled_from([0.001, 0.02, 0.05, 0.1, 0.3, 0.9])
THRESHOLD = st.sampled_from([0.05, 0.2, 0.5, 0.8])


def plain(counts: Sequence[tuple[int, int]], threshold: float) -> int | None:
    return next((level for level, (k, n) in enumerate(counts) if n and k / n < threshold), None)


@given(CURVE, THRESHOLD, ALPHA)
def test_the_set_is_an_interval_in_outward_order(counts: list[tuple[int, int]], threshold: float, alpha: float) -> None:
    found = confidence_set(line(*counts), threshold, alpha)
    answers = [*range(len(counts)), None]
    start = answers.index(found[0])
    assert list(found) == answers[start : start + len(found)]


@given(CURVE, THRESHOLD, ALPHA)
def test_the_plain_level_is_always_in_the_set(counts: list[tuple[int, int]], threshold: float, alpha: float) -> None:
    assert plain(counts, threshold) in confidence_set(line(*counts), threshold, alpha)


@given(CURVE, THRESHOLD, ALPHA, st.integers(2, 20))
def test_more_data_that_agree_never_remove_it(
    counts: list[tuple[int, int]], threshold: float, alpha: float, times: int
) -> None:
    more = [(times * successes, times * n) for successes, n in counts]
    assert plain(counts, threshold) in confidence_set(line(*more), threshold, alpha)


@given(CURVE, THRESHOLD, ALPHA, ALPHA)
def test_more_confidence_never_makes_it_smaller(
    counts: list[tuple[int, int]], threshold: float, one: float, other: float
) -> None:
    sure = confidence_set(line(*counts), threshold, min(one, other))
    assert set(confidence_set(line(*counts), threshold, max(one, other))) <= set(sure)


@given(CURVE, THRESHOLD, ALPHA)
def test_claims_agree_with_scipys_exact_test(counts: list[tuple[int, int]], threshold: float, alpha: float) -> None:
    for level in line(*counts):
        found = certified(level, threshold, alpha / 2)
        if level.n == 0:
            assert found == "undecided"
            continue
        above = binomtest(level.successes, level.n, threshold, alternative="greater").pvalue <= alpha / 2
        below = binomtest(level.successes, level.n, threshold, alternative="less").pvalue <= alpha / 2
        assert found == ("above" if above else "below" if below else "undecided")

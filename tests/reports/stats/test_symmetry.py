from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from indgen.reports.stats import symmetry_tests


def test_by_hand() -> None:
    """6 and 1 discordant: 2 (1 + 7) / 2^7; 5 and 0: 2 / 2^5; Holm takes the smaller twice."""
    one, two = symmetry_tests({2: (40, 5, 0), 1: (40, 6, 1)})
    assert (one.distance, one.p_value) == (1, pytest.approx(16 / 128))
    assert (two.distance, two.p_value) == (2, pytest.approx(2 / 32))
    assert (one.p_holm, two.p_holm) == (pytest.approx(0.125), pytest.approx(0.125))


def test_no_discordant_pairs_are_no_evidence_and_no_pairs_no_test() -> None:
    (only,) = symmetry_tests({1: (40, 0, 0), 2: (0, 0, 0)})
    assert (only.p_value, only.p_holm, only.pairs) == (1, 1, 40)
    assert symmetry_tests({}) == ()


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=4))
def test_agrees_with_the_binomial_test_and_holm_only_raises(counts: list[tuple[int, int]]) -> None:
    found = symmetry_tests({k: (100, plus, minus) for k, (plus, minus) in enumerate(counts, start=1)})
    for test, (plus, minus) in zip(found, counts, strict=True):
        expected = binomtest(plus, plus + minus).pvalue if plus + minus else 1.0
        assert test.p_value == pytest.approx(expected)
        assert test.p_value <= test.p_holm <= min(1.0, len(counts) * test.p_value) + 1e-12

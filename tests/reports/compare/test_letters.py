from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from indgen.reports.compare.letters import compact_letters


def test_by_hand() -> None:
    assert compact_letters(3, set()) == ("a", "a", "a")
    assert compact_letters(3, {frozenset((0, 2))}) == ("a", "ab", "b")
    assert compact_letters(3, {frozenset(pair) for pair in ((0, 1), (0, 2), (1, 2))}) == ("a", "b", "c")
    assert compact_letters(4, {frozenset(pair) for pair in ((0, 1), (2, 3))}) == ("ab", "cd", "ac", "bd")


@pytest.mark.parametrize("seed", range(40))
def test_two_groups_share_a_letter_if_and_only_if_they_are_not_told_apart(seed: int) -> None:
    draws = np.random.default_rng(seed)
    count = int(draws.integers(1, 8))
    share = draws.random()
    different = {frozenset(pair) for pair in combinations(range(count), 2) if draws.random() < share}
    letters = compact_letters(count, different)
    for one, other in combinations(range(count), 2):
        assert bool(set(letters[one]) & set(letters[other])) == (frozenset((one, other)) not in different)
    assert all(letters)
    # No letter says what another one says already.
    columns = [
        {group for group in range(count) if letter in letters[group]} for letter in sorted(set("".join(letters)))
    ]
    assert not any(one <= other for one in columns for other in columns if one is not other)


def test_more_groups_than_letters() -> None:
    different = {frozenset(pair) for pair in combinations(range(54), 2)}
    letters = compact_letters(54, different)
    assert letters[:2] == ("a", "b")
    assert letters[51:] == ("Z", "(53)", "(54)")

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.reports import BreakLevel, LevelResult, break_levels
from indgen.reports.breaks import decidable


def results(counts: dict[int, tuple[int, int]]) -> list[LevelResult]:
    return [
        LevelResult(
            level=level,
            successes=successes,
            failures=n - successes,
            n=n,
            errors=0,
            invalid=0,
            dropped=0,
            pending=0,
            rate=successes / n if n else None,
            ci=(0.0, 1.0) if n else None,
            mean_steps=1.0 if n else None,
            in_distribution=None,
            wilson=(0.0, 1.0) if n else None,
            stages={},
            distinct=n,
        )
        for level, (successes, n) in counts.items()
    ]


def found(counts: dict[int, tuple[int, int]]) -> dict[str, BreakLevel]:
    return {item.direction: item for item in break_levels(results(counts))}


def test_never() -> None:
    both = found({-1: (9, 10), 0: (10, 10), 1: (10, 10), 2: (2, 10)})
    assert both["-"].level is None
    assert both["-"].furthest == -1
    assert both["+"].level is None
    assert both["+"].furthest == 2


def test_immediate_breaks_both_directions_at_zero() -> None:
    both = found({-1: (9, 10), 0: (1, 10), 1: (9, 10)})
    assert [item.level for item in both.values()] == [0, 0]


def test_the_first_level_below_counts_whatever_comes_after() -> None:
    both = found({-2: (0, 50), -1: (9, 50), 0: (50, 50), 1: (10, 50), 2: (9, 50), 3: (40, 50)})
    assert both["-"].level == -1
    assert both["+"].level == 2


@pytest.mark.parametrize(("levels", "directions"), [((0, 1), "+"), ((-1, 0), "-"), ((0,), ""), ((-1, 1), "-+")])
def test_only_directions_the_plan_has_levels_in(levels: tuple[int, ...], directions: str) -> None:
    assert "".join(found(dict.fromkeys(levels, (5, 5)))) == directions


def test_without_level_zero_the_innermost_level_comes_first() -> None:
    assert found({2: (0, 5), 3: (0, 5)})["+"].level == 2


def test_levels_without_episodes_are_passed_over_and_named() -> None:
    item = found({0: (5, 5), 1: (0, 0), 2: (0, 5), 3: (0, 0)})["+"]
    assert (item.level, item.undecided) == (2, (1,))
    item = found({0: (5, 5), 1: (5, 5), 2: (0, 0)})["+"]
    assert (item.level, item.undecided, item.furthest) == (None, (2,), 1)


def test_nothing_counted_is_undecided() -> None:
    item = found({0: (0, 0), 1: (0, 0)})["+"]
    assert (item.level, item.furthest, item.undecided) == (None, None, (0, 1))


def test_the_threshold_itself_does_not_break() -> None:
    for n in range(5, 205, 5):
        assert found({0: (n, n), 1: (n // 5, n)})["+"].level is None
        assert found({0: (n, n), 1: (n // 5 - 1, n)})["+"].level == 1


@given(st.dictionaries(st.integers(-3, 3), st.tuples(st.integers(0, 5), st.just(5)), min_size=1))
def test_every_level_before_the_break_holds(counts: dict[int, tuple[int, int]]) -> None:
    for item in found(counts).values():
        sign = -1 if item.direction == "-" else 1
        below = [level for level, (k, n) in counts.items() if level * sign >= 0 and k / n < 0.2]
        assert item.level == min(below, key=abs, default=None)
        assert item.level in item.set


def test_the_set_stands_beside_the_plain_level() -> None:
    both = found({-1: (50, 50), 0: (50, 50), 1: (25, 50), 2: (10, 50), 3: (4, 50)})
    assert (both["+"].level, both["+"].set, both["+"].base_certified) == (3, (2, 3), True)
    assert (both["-"].level, both["-"].set, both["-"].base_certified) == (None, (None,), True)


def test_a_joint_claim_needs_stronger_evidence_and_two_directions() -> None:
    counts = {-1: (50, 50), 0: (50, 50), 1: (50, 50), 2: (4, 50)}
    assert (found(counts)["+"].set, found(counts)["+"].joint_set) == ((2,), (2, None))  # cdf(4, 50) = 0.0185
    del counts[-1]
    assert found(counts)["+"].joint_set is None


def test_tau_0_may_be_what_is_not_certified() -> None:
    item = found({0: (16, 50), 1: (0, 50)})["+"]
    assert (item.level, item.set, item.base_certified) == (1, (0, 1), False)


def test_a_second_stage_halves_alpha_and_keeps_the_first_look() -> None:
    levels = results({0: (50, 50), 1: (40, 200), 2: (0, 50)})
    (plain,) = break_levels(levels)
    (staged,) = break_levels(levels, first_looks={1: (20, 50)})
    assert plain.set == (1, 2)
    assert staged.set == (2,)  # 20 of 50 rejected "p <= 0.2" at stage 1, and what a look has shown stands
    (undecided,) = break_levels(levels, first_looks={1: (12, 50)})
    assert undecided.set == (1, 2)


def test_decidable_lists_what_the_counts_leave_open() -> None:
    found = decidable(results({0: (50, 50), 1: (16, 50), 2: (5, 48), 3: (4, 50), 4: (0, 0)}))
    assert found.undecided == (1, 2, 4)
    assert [row.n for row in found.counts] == [0, 48, 50]
    assert (found.fewest_below, found.fewest_above) == (17, 3)
    assert found.alpha == pytest.approx(0.025)

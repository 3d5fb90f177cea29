from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.reports import BreakLevel, LevelResult, break_levels


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
        assert item.set is None

"""Which run breaks later is said only where the sets are disjoint."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from indgen.reports.compare.arms import Arm, load_arms
from indgen.reports.compare.breaks import compare_breaks

from .conftest import Spell

Set = tuple[int | None, ...] | None


def arm(found: Arm, own: Set, **changes: Any) -> Arm:
    """The arm with another confidence set in its only direction."""
    (level,) = found.report.break_levels
    report = found.report.model_copy(update={"break_levels": (level.model_copy(update={"set": own}),), **changes})
    return replace(found, report=report)


@pytest.fixture
def arms(run: Spell) -> tuple[Arm, ...]:
    outcomes = dict.fromkeys(range(4), "SSFF")
    return load_arms([run("a", outcomes), run("b", outcomes)], 0.95)


@pytest.mark.parametrize(
    ("ours", "theirs", "later"),
    [
        ((2, 3), (0, 1), "A"),
        ((1,), (3, None), "B"),
        ((None,), (3,), "A"),
        ((1, 2), (2, 3), None),
        ((None,), (None,), None),
        ((0, 1, 2, 3, None), (1,), None),
    ],
)
def test_disjoint_sets_decide(arms: tuple[Arm, ...], ours: Set, theirs: Set, later: str | None) -> None:
    (found,) = compare_breaks(arm(arms[0], ours), arm(arms[1], theirs))
    assert (found.direction, found.set_a, found.set_b) == ("+", ours, theirs)
    assert (found.later, found.not_computed) == (later, None)
    assert found.alpha == 0.05


def test_without_a_set_nothing_is_computed(arms: tuple[Arm, ...]) -> None:
    (found,) = compare_breaks(arm(arms[0], None), arm(arms[1], (1,)))
    assert (found.later, found.not_computed) == (None, "no confidence set of A")
    (found,) = compare_breaks(arm(arms[0], (3,)), arm(arms[1], (1,), threshold=0.5))
    assert (found.later, found.not_computed) == (None, "the thresholds differ")


def test_levels_that_only_one_run_has_decide_nothing(run: Spell) -> None:
    short = run("short", dict.fromkeys((0, 1), "SSFF"))
    long = run("long", dict.fromkeys((0, 1, 2, 3), "SSFF"))
    a, b = load_arms([short, long], 0.95)
    # "Not reached by 1" and "breaks at 3" say the same thing about levels 0 and 1.
    (found,) = compare_breaks(arm(a, (None,)), arm(b, (3,)))
    assert (found.set_a, found.set_b, found.later) == ((None,), (None,), None)
    (found,) = compare_breaks(arm(a, (1,)), arm(b, (2, 3)))
    assert found.later == "B"
    (gap,) = load_arms([run("gap", {0: "SSFF", 2: "SSFF"}), short], 0.95)[:1]
    (found,) = compare_breaks(arm(gap, (2,)), arm(a, (1,)))
    assert (found.later, found.not_computed) == (None, "the runs skip different levels")


def test_real_sets_of_real_runs(run: Spell, tmp_path: Path) -> None:
    del tmp_path
    weak = {0: "S" * 40, 1: "F" * 40, 2: "F" * 40}
    strong = {0: "S" * 40, 1: "S" * 40, 2: "S" * 40}
    (found,) = compare_breaks(*load_arms([run("weak", weak), run("strong", strong)], 0.95))
    assert (found.set_a, found.set_b, found.later) == ((1,), (None,), "B")
    # Ten starts cannot certify "below 20 %": the weak run's set stays open outward.
    few = [run(f"few{n}", {k: row[:10] for k, row in rows.items()}) for n, rows in enumerate((weak, strong))]
    (found,) = compare_breaks(*load_arms(few, 0.95))
    assert found.later is None

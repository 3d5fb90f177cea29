"""Which starts are compared, and what comes of it."""

from __future__ import annotations

import pytest

from indgen.core.errors import UsageError
from indgen.reports.compare import Comparison, compare
from indgen.reports.compare.arms import Start
from indgen.reports.compare.pairing import Match

from .conftest import TASK, Spell


def test_a_hand_computed_pair(run: Spell) -> None:
    a = run("a", {0: "SSSSSSSSSS", 1: "SSSSSSSSSF"}, label="h-only")
    b = run("b", {0: "SSSSSSSSSS", 1: "FFFFFFFFFS"}, label="h+mg")
    found = compare([a, b])
    assert [(arm.symbol, arm.name, arm.group) for arm in found.runs] == [("A", "h-only", "A"), ("B", "h+mg", "B")]
    (axis,) = found.axes
    (pair,) = axis.pairs
    assert (pair.paired, pair.shared_starts, pair.starts_a, pair.starts_b) == (True, 10, 10, 10)
    tau, one = pair.levels
    assert (tau.test, tau.only_a, tau.only_b, tau.difference, tau.p) == ("mcnemar", 0, 0, 0.0, 1.0)
    assert (one.level, one.n_a, one.successes_a, one.successes_b) == (1, 10, 9, 1)
    assert (one.only_a, one.only_b, one.difference) == (9, 1, pytest.approx(0.8))
    assert one.p == pytest.approx(22 / 1024)
    assert one.p_holm == pytest.approx(2 * 22 / 1024)
    (curve,) = axis.curves
    assert (curve.test, curve.starts, curve.difference) == ("sign-flip", 10, pytest.approx(0.4))
    assert curve.p == pytest.approx(22 / 1024)


def test_only_starts_that_both_runs_count_are_compared(run: Spell) -> None:
    # Start 1 is an error of A at level 1, start 2 is invalid in B at level 0 (and so dropped everywhere),
    # start 3 has no record in B at level 1.
    a = run("a", {0: "SSSSSS", 1: "SESSSF"})
    b = run("b", {0: "SSISFS", 1: "FFF.FF"}, policy="other")
    tau, one = compare([a, b]).axes[0].pairs[0].levels
    assert (tau.n_a, tau.n_b, tau.successes_a, tau.successes_b, tau.only_a, tau.only_b) == (5, 5, 5, 4, 1, 0)
    assert (one.n_a, one.n_b, one.successes_a, one.successes_b, one.only_a, one.only_b) == (3, 3, 2, 0, 2, 0)


def test_uncertified_cells_are_compared_by_nobody(run: Spell) -> None:
    """Their invalid starts drop nothing elsewhere."""
    changes = {"uncertified": ((TASK, 1),), "include_uncertified": True}
    a, b = run("a", {0: "SSS", 1: "IIS"}, **changes), run("b", {0: "SFS", 1: "IIF"}, policy="other", **changes)
    tau, *further = compare([a, b]).axes[0].pairs[0].levels
    assert (tau.n_a, tau.n_b, tau.successes_a, tau.successes_b) == (3, 3, 3, 2)
    assert [level.n_a for level in further] in ([], [0])


def test_curves_over_other_starts_take_the_cells_that_both_count(run: Spell) -> None:
    """Level 1 is harder than level 0: a run that leaves it out must not look the better for it."""
    whole = run("whole", {0: "SSSSSSSSSS", 1: "FFFFFFFFFF"})
    part = run("part", {0: "SSSSSSSSSS", 1: ".........."}, seed=500, uncertified=((TASK, 1),))
    found = compare([whole, part])
    (curve,) = found.axes[0].curves
    assert (curve.test, curve.difference, curve.p) == ("shuffle", 0.0, 1.0)
    assert any("different uncertified cells" in note for note in found.notes)


def test_the_curve_takes_whole_starts(run: Spell) -> None:
    a = run("a", {0: "SSSF", 1: "SSFF", 2: "SFFF"})
    b = run("b", {0: "SFSF", 1: "FFFF", 2: "EFFS"})
    (curve,) = compare([a, b]).axes[0].curves
    # Per start: 0+1 (level 2 is not counted), 1+1+0, 0, -1; 8 of 16 sign patterns of (1, 2, -1) reach 2.
    assert curve.difference == pytest.approx((1 + 2 + 0 - 1) / 11)
    assert curve.starts == 4
    assert curve.p == pytest.approx(6 / 8)


def test_runs_of_different_sizes_share_the_smaller_ones_starts(run: Spell) -> None:
    found = compare([run("a", {0: "SSSS"}), run("b", {0: "FFSSFFFFFF"})]).axes[0].pairs[0]
    assert (found.paired, found.shared_starts, found.starts_a, found.starts_b) == (True, 4, 4, 10)
    assert (found.levels[0].n_a, found.levels[0].n_b, found.levels[0].successes_b) == (4, 4, 2)


@pytest.mark.parametrize("other", [{"seed": 1000}, {"scene": "another"}])
def test_barnard_where_seeds_or_scenes_differ(run: Spell, other: dict[str, object]) -> None:
    a = run("a", {0: "SSSSSSSFFFFFFFF"})
    b = run("b", {0: "SSSSSSSSSSSSFFF"}, **other)
    found = compare([a, b]).axes[0]
    (pair,) = found.pairs
    (level,) = pair.levels
    assert (pair.paired, pair.shared_starts, level.test) == (False, 0, "barnard")
    assert (level.only_a, level.only_b) == (None, None)
    assert level.p == pytest.approx(0.06822, abs=1e-5)
    assert level.difference == pytest.approx(-1 / 3)
    assert (found.curves[0].test, found.curves[0].starts) == ("shuffle", 30)


def test_a_few_shared_starts_are_not_enough_for_pairs() -> None:
    starts = frozenset(Start("t", rollout, rollout) for rollout in range(5))
    assert Match(starts, 10, 50).paired
    assert Match(starts, 50, 10).paired
    assert not Match(starts, 11, 50).paired
    assert not Match(frozenset(), 0, 50).paired


def test_scenes_are_compared_at_tau_0_only_where_both_have_one(run: Spell) -> None:
    a = run("a", {1: "SSSS", 2: "SSFF"})
    b = run("b", {1: "SSFF", 2: "FFFF"}, scene="another")
    assert compare([a, b]).axes[0].pairs[0].paired


def test_unpaired_rates_rest_on_tasks_that_both_runs_count(run: Spell) -> None:
    tasks = ("pick_the_milk_up", "pick_the_soup_up")
    a = run("a", {0: "SSFF"}, tasks=tasks)
    b = run("b", {0: "SSSF"}, tasks=tasks, seed=100)
    whole = compare([a, b]).axes[0].pairs[0].levels[0]
    assert (whole.n_a, whole.n_b) == (8, 8)
    lost = run("lost", {0: "IIII"}, tasks=tasks, seed=100)
    assert compare([a, lost]).axes[0].pairs[0].levels[0].p is None


def test_topped_up_rollouts_are_not_tested(run: Spell) -> None:
    a = run("a", {0: "SSSS", 1: "SFSFSSSS"}, rollouts=4, top_up=8)
    b = run("b", {0: "SSSS", 1: "FFFFFFFF"}, rollouts=4, top_up=8)
    found = compare([a, b])
    assert found.axes[0].pairs[0].levels[1].n_a == 4
    assert any("topped-up" in note for note in found.notes)


def test_the_order_of_runs_only_flips_signs(run: Spell) -> None:
    a = run("a", {-1: "SFFFS", 0: "SSSSS", 1: "SSSFF", 2: "SSFEF"}, label="a")
    for b in (
        run("b", {-1: "SSFFS", 0: "SSSFS", 1: "FSFFF", 2: "FFFSF"}, label="b"),
        run("c", {-1: "SSFFS", 0: "SSSFS", 1: "FSFFF", 2: "FFFSF"}, label="b", seed=50),
    ):
        (one,), (other,) = compare([a, b]).axes, compare([b, a]).axes
        for there, back in zip(one.pairs[0].levels, other.pairs[0].levels, strict=True):
            assert there.difference is not None and back.difference is not None and there.ci and back.ci
            assert (there.p, there.p_holm) == (pytest.approx(back.p), pytest.approx(back.p_holm))
            assert (there.only_a, there.only_b) == (back.only_b, back.only_a)
            assert there.difference == pytest.approx(-back.difference)
            assert there.ci == pytest.approx((-back.ci[1], -back.ci[0]), abs=1e-6)
        assert one.curves[0].p == other.curves[0].p
        assert one.curves[0].difference == pytest.approx(-(other.curves[0].difference or 0))
        laters = [{"A": "B", "B": "A", None: None}[found.later] for found in other.pairs[0].breaks]
        assert [found.later for found in one.pairs[0].breaks] == laters


def test_identical_runs_do_not_differ(run: Spell) -> None:
    outcomes = {-1: "SFSFFFFF", 0: "SSSSSSSF", 1: "SSFFSFEF"}
    for seed in (0, 300):
        (axis,) = compare([run(f"a{seed}", outcomes), run(f"b{seed}", outcomes, seed=seed)]).axes
        assert all((level.p, level.p_holm, level.difference) == (1.0, 1.0, 0.0) for level in axis.pairs[0].levels)
        assert (axis.curves[0].p, axis.curves[0].difference) == (1.0, 0.0)
        assert [found.later for found in axis.pairs[0].breaks] == [None, None]


def test_holm_is_over_levels_pairs_and_axes(run: Spell) -> None:
    runs = [
        run(f"{axis}{name}", {0: "SSSSSSSS", 1: letters}, axis=f"libero/{axis}-v1", label=name)
        for axis in ("pick", "goal")
        for name, letters in (("h", "SSSSSSSS"), ("m", "FFFFFFFF"))
    ]
    found = compare(runs)
    assert [axis.axis for axis in found.axes] == ["libero/pick-v1", "libero/goal-v1"]
    (pick, goal) = found.axes
    for axis in found.axes:
        assert axis.pairs[0].levels[1].p == pytest.approx(2 / 256)
        assert axis.pairs[0].levels[1].p_holm == pytest.approx(4 * 2 / 256)
        assert axis.curves[0].p_holm == pytest.approx(2 * 2 / 256)
    assert (pick.pairs[0].a, goal.pairs[0].b) == ("A", "D")


def test_letters_of_three_runs(run: Spell) -> None:
    worst = run("worst", {0: "S" * 20, 1: "F" * 20}, label="worst")
    best = run("best", {0: "S" * 20, 1: "S" * 20}, label="best")
    good = run("good", {0: "S" * 20, 1: "S" * 18 + "FF"}, label="good")
    (axis,) = compare([worst, best, good]).axes
    assert [(group.group, group.letters) for group in axis.groups] == [("B", "a"), ("C", "a"), ("A", "b")]
    assert compare([worst, best]).axes[0].groups[0].letters is None


def grouped(run: Spell) -> Comparison:
    return compare(
        [
            run("h1", {0: "SSSSSSSS", 1: "FFFFFFFF"}, label="h", policy="p1"),
            run("h2", {0: "SSSSSSSS", 1: "SFFFFFFF"}, label="h", policy="p2"),
            run("m1", {0: "SSSSSSSS", 1: "SSSSSSSF"}, label="m", policy="p1"),
            run("m2", {0: "SSSSSSSS", 1: "SSSSSSSS"}, label="m", policy="p2"),
        ],
        by="label",
    )


def test_labels_compare_the_means_of_their_runs(run: Spell) -> None:
    found = grouped(run)
    assert [arm.name for arm in found.runs] == ["h p1", "h p2", "m p1", "m p2"]
    (axis,) = found.axes
    (curve,) = axis.curves
    assert (curve.a, curve.b, curve.starts) == ("h", "m", 8)
    # Level 1, start by start: h - m is -1/2, six times -1, -1/2; level 0 adds 0.
    assert curve.difference == pytest.approx(-7 / 16)
    assert curve.p == pytest.approx(2 / 256)
    assert [(group.group, group.runs) for group in axis.groups] == [("m", ("C", "D")), ("h", ("A", "B"))]
    assert len(axis.pairs) == 6


def test_labels_are_needed_to_group_by_them(run: Spell) -> None:
    a, b = run("a", {0: "SS"}, label="x"), run("b", {0: "SS"})
    with pytest.raises(UsageError, match=r"cannot be grouped by label; got A: x, B: no label"):
        compare([a, b], by="label")
    with pytest.raises(UsageError, match="two labels or more"):
        compare([a, run("c", {0: "SS"}, label="x")], by="label")

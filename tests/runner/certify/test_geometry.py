"""What the geometric verdict must catch, one fault at a time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from indgen.core import Reveal, Scale, Scene, Translate
from indgen.core.edits import Deepen, Edit
from indgen.core.inspection import Inspection
from indgen.runner.certify.geometry import Pair, judge

BASE = Inspection(
    problem=None,
    model={"options": "o", "milk_1": "m", "basket_1": "b"},
    state={"milk_1": (0.0, 0.0), "basket_1": (0.3, 0.0), "robot": (0.1,)},
    masses={"milk_1": 0.03, "basket_1": 0.1},
    meaning="pick up the milk: (in milk_1 basket_1)",
    reach=0.1,
    seen={"agentview": 1.0},
)
MOVED = replace(BASE, state={**BASE.state, "milk_1": (0.0, 0.05)})


def scene(*edits: Edit, y: float = 0.0) -> Scene:
    facts = {"rest": {"milk_1": [0.0, y, 0.0, 1.0, 0.0, 0.0, 0.0]}}
    return Scene("libero", "milk", "pick up the milk", (), 0, facts, edits)


def pairs(found: Inspection, *edits: Edit, count: int = 10, base: Inspection = BASE) -> list[Pair]:
    return [Pair(start, scene(*edits, y=0.001 * start), base, found) for start in range(count)]


STEP = Translate("milk_1", "y", 2, 0.025)


def test_a_declared_shift_and_nothing_else_holds() -> None:
    verdict = judge(pairs(MOVED, STEP), inner=0.016, level=2)
    assert verdict.holds
    assert verdict.changed == ("position of milk_1",)
    assert verdict.distance == pytest.approx(0.05 - 0.009)
    assert verdict.reach == 0.1


def test_tau_0_itself_holds_and_changes_nothing() -> None:
    verdict = judge(pairs(BASE), inner=None, level=0)
    assert verdict.holds
    assert (verdict.changed, verdict.distance) == ((), None)


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (replace(MOVED, state={**MOVED.state, "basket_1": (0.4, 0.0)}), "changes position of basket_1"),
        (replace(MOVED, state={**MOVED.state, "robot": (0.2,)}), "changes position of robot"),
        (replace(MOVED, model={**MOVED.model, "milk_1": "n"}), "changes shape of milk_1"),
        (replace(MOVED, model={**MOVED.model, "options": "p"}), "changes shape of options"),
        (replace(MOVED, model={**MOVED.model, "tea_1": "t"}), "changes presence of tea_1"),
        (replace(MOVED, model={"options": "o", "milk_1": "m"}), "changes shape of basket_1"),
        (replace(MOVED, meaning="pick up the tea"), "means something else"),
        (replace(MOVED, reach=-0.02), "out of the arm's reach by 2.0 cm"),
        (replace(MOVED, seen={"agentview": 0.4}), "40% of the task's objects in view of agentview"),
    ],
)
def test_whatever_else_differs_is_a_reason(found: Inspection, reason: str) -> None:
    assert judge(pairs(found, STEP), inner=None, level=2).reasons == (reason,)


def test_a_size_may_change_its_own_shape_and_position_only() -> None:
    heavier = {**BASE.masses, "milk_1": 0.03 * 1.2001**3}
    sized = replace(MOVED, model={**MOVED.model, "milk_1": "larger"}, masses=heavier)
    verdict = judge(pairs(sized, Scale("milk_1", 3, 0.0667)), inner=0.1334, level=2)
    assert verdict.holds
    assert verdict.distance == pytest.approx(0.2001)
    assert not judge(pairs(sized, Scale("basket_1", 3, 0.0667)), inner=None, level=2).holds
    light = replace(sized, masses=BASE.masses)
    assert judge(pairs(light, Scale("milk_1", 3, 0.0667)), inner=None, level=2).reasons == (
        "milk_1 weighs 30.0 g instead of 51.9 g",
    )


def test_what_is_revealed_must_come_last_and_in_its_number() -> None:
    last = replace(BASE, model={**BASE.model, "tea": "t"})
    assert judge(pairs(last, Reveal(1)), inner=None, level=2).holds
    assert not judge(pairs(last, Reveal(2)), inner=None, level=2).holds
    first = replace(BASE, model={"tea": "t", **BASE.model})
    assert judge(pairs(first, Reveal(1)), inner=None, level=2).reasons == ("changes presence of tea",)


def test_one_broken_start_in_ten_is_borne_and_two_are_not() -> None:
    good = pairs(MOVED, STEP)
    broken = [replace(pair, found=replace(MOVED, problem="they overlap", reach=-1.0)) for pair in good]
    borne = judge([*broken[:1], *good[1:]], inner=None, level=2)
    assert borne.holds
    assert [each.start for each in borne.broken] == [0]
    assert judge([*broken[:2], *good[2:]], inner=None, level=2).reasons == (
        "2 of 10 starts are broken, e.g. start 0: they overlap",
    )
    assert judge(broken, inner=None, level=2).reach is None


def test_a_level_must_leave_tau_0s_starts_and_lie_beyond_the_one_before() -> None:
    assert judge(pairs(BASE), inner=None, level=2).reasons == ("lies within tau_0's starts",)
    near = Translate("milk_1", "y", 1, 0.001)
    assert judge(pairs(MOVED, near), inner=None, level=2).reasons == ("lies within tau_0's starts",)
    assert judge(pairs(MOVED, STEP), inner=0.05, level=2).reasons == (
        "no farther from tau_0's starts than the level before",
    )


GRID = Inspection(
    problem=None,
    model={"grid": "10 x 10", "goal": "goal"},
    state={"goal": (4.0, 4.0)},
    masses={},
    meaning="remove the goal block",
    reach=None,
    seen={},
)
TIPS = {"distractor at (+0, -1)": "distractor", "distractor at (-1, +0)": "distractor"}


def test_a_deeper_arrangement_may_add_its_blocks_and_be_placed_anew_and_nothing_else() -> None:
    deeper = replace(GRID, model={**GRID.model, **TIPS}, state={"goal": (5.0, 4.0)})
    verdict = judge(pairs(deeper, Deepen(1), base=GRID), inner=None, level=1)
    assert verdict.holds
    assert verdict.distance == 1.0
    assert verdict.reach is None
    assert verdict.changed == ("position of goal", *sorted(f"presence of {name}" for name in TIPS))
    wider = replace(deeper, model={**deeper.model, "grid": "11 x 11"})
    assert judge(pairs(wider, Deepen(1), base=GRID), None, 1).reasons == ("changes shape of grid",)
    other = replace(deeper, meaning="remove a distractor")
    assert judge(pairs(other, Deepen(1), base=GRID), None, 1).reasons == ("means something else",)
    assert judge(pairs(deeper, Deepen(1), base=GRID), 1.0, 1).reasons == (
        "no farther from tau_0's starts than the level before",
    )

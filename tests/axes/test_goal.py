from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indgen.axes import axes, check_axis
from indgen.axes.goal import LiberoGoal
from indgen.core import Translate
from indgen.sim.libero.scene import displacements

from .test_pick import SCENE


def test_goal_keeps_every_law() -> None:
    assert check_axis(LiberoGoal(), [SCENE]) == 7


@given(st.integers(-3, 3))
def test_goal_moves_the_basket_sideways_by_whole_steps(k: int) -> None:
    moved = displacements(LiberoGoal().at(SCENE, k).edits)
    assert {body: offset.tolist() for body, offset in moved.items()} == (
        {"basket_1": [0.0, k * 0.0367, 0.0]} if k else {}
    )


def test_the_card_says_what_is_registered() -> None:
    assert axes.resolve("goal", "libero").load() is LiberoGoal
    assert LiberoGoal.card.id == "libero/goal-v1"
    assert LiberoGoal().at(SCENE, -2).edits == (Translate("basket_1", "y", -2, 0.0367),)

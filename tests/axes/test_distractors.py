from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from indgen.axes import axes, check_axis
from indgen.axes.distractors import LiberoDistractors
from indgen.core import Reveal
from indgen.core.errors import SceneError
from indgen.sim.libero.scene import revealed
from indgen.sim.libero.world import LiberoObject

from .test_pick import FACTS, SCENE


def test_distractors_keep_every_law() -> None:
    assert check_axis(LiberoDistractors(), [SCENE]) == 4


def test_every_level_holds_the_one_before_it() -> None:
    shown = [revealed(LiberoDistractors().at(SCENE, k)) for k in LiberoDistractors.card.levels]
    assert [len(each) for each in shown] == [0, 1, 2, 3]
    assert all(more[: len(less)] == less for less, more in pairwise(shown))


def test_each_company_is_a_model_of_its_own_and_comes_last() -> None:
    keys = [LiberoObject().compile_key(LiberoDistractors().at(SCENE, k)) for k in LiberoDistractors.card.levels]
    assert keys[0] == "milk"
    assert keys[1] == "milk, with ketchup"
    assert len(set(keys)) == 4


def test_a_distractor_without_a_place_is_an_error_that_says_so() -> None:
    crowded = replace(SCENE, facts={**FACTS, "reserve": FACTS["reserve"][:1]})
    LiberoDistractors().at(crowded, 1)
    with pytest.raises(SceneError, match="so many distractors; got 2; expected 0 to 1, as many as found a place"):
        LiberoDistractors().at(crowded, 2)
    with pytest.raises(SceneError, match="got -1"):
        LiberoDistractors().at(SCENE, -1)


def test_the_card_says_what_is_registered() -> None:
    assert axes.resolve("distractors", "libero").load() is LiberoDistractors
    assert LiberoDistractors.card.id == "libero/distractors-v1"
    assert LiberoDistractors().at(SCENE, 2).edits == (Reveal(2),)

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.axes import axes, check_axis
from indgen.axes.scale import LiberoScale
from indgen.core import Scale
from indgen.sim.libero.scene import scales
from indgen.sim.libero.world import LiberoObject

from .test_pick import SCENE


def test_scale_keeps_every_law() -> None:
    assert check_axis(LiberoScale(), [SCENE]) == 7


@given(st.integers(-3, 3))
def test_scale_is_linear_in_the_level(k: int) -> None:
    sizes = scales(LiberoScale().at(SCENE, k).edits)
    assert sizes == ({"milk_1": pytest.approx(1 + 0.0667 * k)} if k else {})


def test_the_card_says_what_is_registered() -> None:
    assert axes.resolve("scale", "libero").load() is LiberoScale
    assert LiberoScale.card.id == "libero/scale-v1"
    assert LiberoScale().at(SCENE, -2).edits == (Scale("milk_1", -2, 0.0667),)


def test_each_size_is_a_model_of_its_own() -> None:
    keys = {LiberoObject().compile_key(LiberoScale().at(SCENE, k)) for k in LiberoScale.card.levels}
    assert len(keys) == 7

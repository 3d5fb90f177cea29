from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.axes import axes, check_axis
from indgen.axes.pick import LiberoPick
from indgen.core import Scene, Translate
from indgen.core.errors import SceneError
from indgen.sim.libero.scene import displacements

FACTS = {
    "start": 4,
    "pick": "milk_1",
    "goal": "basket_1",
    "region": "basket_1_contain_region",
    "reserve": [{"kind": "ketchup", "pose": [0.3, 0.3, 0.07, 0.5, 0.5, 0.5, 0.5]}] * 3,
    "rest": {"milk_1": [0.1, 0.2, 0.9, 1.0, 0.0, 0.0, 0.0], "basket_1": [0.0, 0.26, 0.9, 1.0, 0.0, 0.0, 0.0]},
}
SCENE = Scene("libero", "milk", "pick up the milk and place it in the basket", (0.25,) * 110, 5, FACTS)


def test_pick_keeps_every_law_on_libero_scenes() -> None:
    scenes = [SCENE, replace(SCENE, facts={**FACTS, "pick": "butter_1"})]
    assert check_axis(LiberoPick(), scenes) == 14


@given(st.integers(-3, 3))
def test_pick_moves_the_pick_object_sideways_by_whole_steps(k: int) -> None:
    moved = displacements(LiberoPick().at(SCENE, k).edits)
    assert {body: offset.tolist() for body, offset in moved.items()} == ({"milk_1": [0.0, k * 0.025, 0.0]} if k else {})


@given(st.integers(-9, 9), st.integers(-9, 9))
def test_levels_add_up(a: int, b: int) -> None:
    axis = LiberoPick()
    assert axis.at(axis.at(SCENE, a), b) == axis.at(SCENE, a + b)


def test_the_card_says_what_is_registered() -> None:
    assert axes.resolve("pick", "libero").id == LiberoPick.card.id
    assert axes.resolve("pick", "libero").load() is LiberoPick
    assert LiberoPick.card.levels == (-3, -2, -1, 0, 1, 2, 3)
    assert LiberoPick().at(SCENE, 1).edits == (Translate("milk_1", "y", 1, LiberoPick.card.step),)


def test_a_scene_of_another_world_is_refused() -> None:
    with pytest.raises(SceneError, match="not a LIBERO scene; got world 'robocasa'; expected 'libero'"):
        LiberoPick().at(replace(SCENE, world="robocasa"), 1)


@pytest.mark.parametrize("fact", sorted(FACTS.keys() - {"reserve"}))
def test_a_scene_without_its_facts_is_refused(fact: str) -> None:
    facts = {name: value for name, value in FACTS.items() if name != fact}
    with pytest.raises(SceneError, match=f"has no such fact; got '{fact}'"):
        LiberoPick().at(replace(SCENE, facts=facts), 1)


def test_an_axis_needs_no_simulator() -> None:
    code = (
        "import sys, indgen.axes.pick;"
        "print([m for m in ('mujoco', 'robosuite', 'libero', 'torch') if m in sys.modules], end='')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]"

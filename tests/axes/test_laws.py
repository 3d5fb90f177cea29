"""``check_axis`` on axes that keep every law, and on axes that break exactly one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.axes import Axis, AxisCard, AxisLawBroken, check_axis
from indgen.core import Scale, Scene, Translate

SCENE = Scene("toy", "stack", "stack it", (0.5,), 3, {"body": "cube"})


def card(levels: tuple[int, ...] = (-2, -1, 0, 1, 2)) -> AxisCard:
    return AxisCard("toy/broken-v1", "toy", "toy", levels, 0.1, "m", "the cube", "tests")


def slide(scene: Scene, k: int) -> Scene:
    return scene.edit(Translate("cube", "y", k, 0.1))


@dataclass
class Toy:
    step: Callable[[Scene, int], Scene]
    card: AxisCard = field(default_factory=card)

    def at(self, scene: Scene, k: int) -> Scene:
        return self.step(scene, k)


class Fickle:
    """Moves another body each time it starts from an untouched scene."""

    card = card()

    def __init__(self) -> None:
        self.names: Iterator[int] = count()

    def at(self, scene: Scene, k: int) -> Scene:
        if k == 0:
            return scene
        known = [edit.body for edit in scene.edits if isinstance(edit, Translate)]
        return scene.edit(Translate(known[0] if known else f"cube_{next(self.names)}", "y", k, 0.1))


def test_an_axis_that_keeps_the_laws_passes_on_every_scene_and_level() -> None:
    scenes = [SCENE, replace(SCENE, seed=4), replace(SCENE, task="other")]
    assert check_axis(Toy(slide), scenes) == 15
    assert isinstance(Toy(slide), Axis)


@given(st.sets(st.integers(-6, 6)).map(lambda levels: tuple(sorted(levels | {0}))))
def test_any_levels_with_0_among_them_are_fine(levels: tuple[int, ...]) -> None:
    assert check_axis(Toy(lambda scene, k: scene.edit(Scale("cube", k, 0.1)), card(levels)), [SCENE]) == len(levels)


@pytest.mark.parametrize("levels", [(), (1, 2), (0, 2, 1), (0, 1, 1)])
def test_levels_are_distinct_ascending_and_hold_0(levels: tuple[int, ...]) -> None:
    with pytest.raises(AxisLawBroken, match=r"toy/broken-v1: levels; got .*; expected distinct, ascending, with 0"):
        check_axis(Toy(slide, card(levels)), [SCENE])


def squares(scene: Scene, k: int) -> Scene:
    return slide(scene, k * abs(k))


BROKEN: dict[str, tuple[Axis, int]] = {
    "level 0 is the identity": (Toy(lambda scene, k: slide(scene, k + 1)), 0),
    "level -k undoes level k": (Toy(lambda scene, k: slide(scene, abs(k))), -2),
    "the same level twice gives the same scene": (Fickle(), -2),
    "another level is another scene": (Toy(lambda scene, k: slide(scene, k if k % 2 else 0)), -2),
    "nothing but edits changes": (Toy(lambda scene, k: replace(slide(scene, k), seed=scene.seed + k)), -2),
    "level k is k single steps": (Toy(squares), -2),
}


@pytest.mark.parametrize("law", BROKEN)
def test_each_broken_law_is_named_with_level_and_scene(law: str) -> None:
    axis, level = BROKEN[law]
    with pytest.raises(AxisLawBroken) as caught:
        check_axis(axis, [SCENE])
    assert str(caught.value) == f"toy/broken-v1 breaks a law: {law}; got level {level} of toy/stack"


def test_a_law_broken_in_the_last_scene_is_found() -> None:
    def odd(scene: Scene, k: int) -> Scene:
        return squares(scene, k) if scene.seed == 99 else slide(scene, k)

    with pytest.raises(AxisLawBroken, match="single steps"):
        check_axis(Toy(odd), [SCENE, replace(SCENE, seed=99)])


@pytest.mark.parametrize("change", ["instruction", "task", "world", "init_state", "facts"])
def test_changing_any_other_field_is_caught(change: str) -> None:
    other = {"instruction": "x", "task": "x", "world": "x", "init_state": (1.0,), "facts": {}}[change]

    def meddle(scene: Scene, k: int) -> Scene:
        moved = slide(scene, k)
        return replace(moved, **{change: other if moved.edits else getattr(SCENE, change)})  # type: ignore[arg-type]

    with pytest.raises(AxisLawBroken, match="nothing but edits changes"):
        check_axis(Toy(meddle), [SCENE])

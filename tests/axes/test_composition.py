"""What a composition is, which laws it keeps, and which compositions there cannot be."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.axes import Axis, AxisCard, AxisLawBroken, Composed, check_axis
from indgen.axes.goal import LiberoGoal
from indgen.axes.pick import LiberoPick
from indgen.axes.scale import LiberoScale
from indgen.core import Reveal, Scale, Scene, Translate
from indgen.core.errors import SceneError, UsageError
from indgen.core.scene import Edit
from indgen.reports.compare.attribution import part_names

from .test_pick import SCENE


@dataclass
class Toy:
    """Moves ``body`` along ``way``, or reveals where it has none."""

    id: str = "libero/toy-v1"
    levels: tuple[int, ...] = (0, 1, 2)
    body: str | None = None
    way: str = "x"
    step: float = 0.01
    world: str = "libero"
    card: AxisCard = field(init=False)

    def __post_init__(self) -> None:
        self.card = AxisCard(self.id, self.world, "toy", self.levels, self.step, "m", f"what {self.id} does", "tests")

    def at(self, scene: Scene, k: int) -> Scene:
        edit: Edit = Translate(self.body, self.way, k, self.step) if self.body else Reveal(k)  # type: ignore[arg-type]
        return scene.edit(edit)


PARTS: tuple[Axis, ...] = (LiberoPick(), LiberoScale(), LiberoGoal(), Toy())


@pytest.mark.parametrize(
    "parts", [p for n in (2, 3) for p in permutations(PARTS, n)], ids=lambda p: Composed(p).card.id
)
def test_every_composition_keeps_the_laws(parts: tuple[Axis, ...]) -> None:
    whole = Composed(parts)
    scenes = [SCENE, replace(SCENE, seed=6)]
    assert check_axis(whole, scenes) == 2 * len(whole.card.levels)
    assert isinstance(whole, Axis)


@given(st.integers(-3, 3))
def test_the_first_part_has_the_sign_and_the_others_the_distance(k: int) -> None:
    edits = Composed([LiberoPick(), LiberoScale(), LiberoGoal()]).at(SCENE, k).edits
    wanted = {
        Translate("milk_1", "y", k, 0.025),
        Scale("milk_1", abs(k), 0.0667),
        Translate("basket_1", "y", abs(k), 0.0367),
    }
    assert set(edits) == (wanted if k else set())


@given(st.integers(1, 3))
def test_a_level_does_not_undo_its_opposite(k: int) -> None:
    whole = Composed([LiberoPick(), LiberoScale()])
    assert whole.at(whole.at(SCENE, k), -k).edits == (Scale("milk_1", 2 * k, 0.0667),)


def test_the_card_is_made_of_its_parts() -> None:
    card = Composed([LiberoPick(), LiberoScale()]).card
    assert card.id == "libero/pick-v1+scale-v1"
    assert (card.world, card.step, card.unit) == ("libero", 0.025, "m")
    assert card.changes == "the position of the object to pick; the size of the object to pick"
    assert card.summary == f"{LiberoPick.card.summary}; {LiberoScale.card.summary}"
    assert card.source == f"{LiberoPick.card.source}; {LiberoScale.card.source}"


@pytest.mark.parametrize("parts", list(permutations(PARTS, 3)), ids=lambda p: Composed(p).card.id)
def test_a_comparison_finds_the_parts_in_the_id(parts: tuple[Axis, ...]) -> None:
    assert part_names(Composed(parts).card.id) == [part.card.id.removesuffix("-v1") for part in parts]


@pytest.mark.parametrize(
    ("parts", "levels"),
    [
        ([LiberoPick(), LiberoScale()], (-3, -2, -1, 0, 1, 2, 3)),
        ([LiberoPick(), Toy()], (-2, -1, 0, 1, 2)),
        ([Toy(), LiberoPick()], (0, 1, 2)),
        ([LiberoPick(), Toy(levels=(-3, -2, 0, 1))], (-1, 0, 1)),
        ([LiberoPick(), Toy(), Toy("libero/more-v1", (0, 2), body="vase")], (-2, 0, 2)),
    ],
)
def test_levels_are_the_first_s_that_every_part_can_follow(parts: list[Axis], levels: tuple[int, ...]) -> None:
    assert Composed(parts).card.levels == levels


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ([], "needs parts; got none; expected two axes"),
        ([LiberoPick()], "needs parts; got libero/pick-v1; expected two axes"),
        ([LiberoPick(), LiberoPick()], r"named twice; got libero/pick-v1\+libero/pick-v1"),
        ([LiberoPick(), Toy("libero/pick-v2")], "named twice"),
        ([LiberoGoal(), Composed([LiberoPick(), LiberoScale()])], r"is itself composed; got libero/pick-v1\+scale-v1"),
        ([LiberoPick(), Toy("mars/toy-v1", world="mars")], "of one world; got libero/pick-v1 of libero, mars/toy-v1"),
        ([LiberoPick(), Toy(levels=(-1, 0))], r"never fit; got libero/pick-v1: -3, .*3; libero/toy-v1: -1, 0; exp"),
    ],
)
def test_parts_that_cannot_be_composed_are_refused(parts: list[Axis], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Composed(parts)


@pytest.mark.parametrize("step", [0.025, 0.05])
def test_two_parts_may_not_edit_one_thing_in_one_way(step: float) -> None:
    whole = Composed([LiberoPick(), Toy(body="milk_1", way="y", step=step)])
    said = "two parts edit one thing in one way; got translate milk_1 y by libero/pick-v1 and libero/toy-v1"
    for k in (-2, -1, 1, 2):
        with pytest.raises(SceneError, match=said):
            whole.at(SCENE, k)
    assert whole.at(SCENE, 0) == SCENE


@pytest.mark.parametrize("other", [Toy(body="milk_1", way="x"), Toy(body="vase", way="y"), Toy()])
def test_different_edits_of_one_body_or_of_another_are_fine(other: Toy) -> None:
    assert check_axis(Composed([LiberoPick(), other]), [SCENE]) == 5


class Jealous(Toy):
    """Edits only what nothing else has edited: a part that minds its place."""

    def at(self, scene: Scene, k: int) -> Scene:
        return scene if scene.edits else super().at(scene, k)


class Meddler(Toy):
    """Changes more than edits."""

    def at(self, scene: Scene, k: int) -> Scene:
        return replace(super().at(scene, k), seed=scene.seed + k)


class Shifted(Toy):
    """Has no tau_0."""

    def at(self, scene: Scene, k: int) -> Scene:
        return super().at(scene, k + 1)


@pytest.mark.parametrize(
    ("parts", "law"),
    [
        ([LiberoPick(), Jealous()], "level k is its parts' edits together"),
        ([Jealous(), LiberoPick()], "the order of the parts does not matter"),
        ([LiberoPick(), Meddler()], "nothing but edits changes"),
        ([LiberoPick(), Shifted()], "level 0 is the identity"),
    ],
)
def test_a_part_that_breaks_a_law_breaks_the_composition_s(parts: list[Axis], law: str) -> None:
    with pytest.raises(AxisLawBroken, match=rf"\+.* breaks a law: {law}"):
        check_axis(Composed(parts), [SCENE])

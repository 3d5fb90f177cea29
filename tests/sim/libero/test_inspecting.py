"""Single-axis control on the compiled model: each axis changes what it says, and nothing else at all."""

from __future__ import annotations

import pytest

from indgen.axes import Axis
from indgen.axes.distractors import LiberoDistractors
from indgen.axes.goal import LiberoGoal
from indgen.axes.pick import LiberoPick
from indgen.axes.scale import LiberoScale
from indgen.core import Scene
from indgen.core.inspection import Inspection
from indgen.runner.certify.geometry import Pair, changes

from .conftest import Remote

pytestmark = pytest.mark.libero


def inspect(remote: Remote, scene: Scene) -> Inspection:
    return Inspection.from_dict(remote.worker.ask("inspect", scene.to_dict(), timeout=120))


@pytest.mark.parametrize(
    ("axis", "level", "changed"),
    [
        (LiberoPick(), 2, {"position of ketchup_1"}),
        (LiberoGoal(), -3, {"position of basket_1"}),
        (LiberoScale(), 3, {"position of ketchup_1", "shape of ketchup_1"}),
        (LiberoDistractors(), 2, None),
    ],
    ids=["pick", "goal", "scale", "distractors"],
)
def test_an_axis_changes_what_it_says_and_nothing_else(
    state_only: Remote, axis: Axis, level: int, changed: set[str] | None
) -> None:
    scene = state_only.ground("ketchup", 4)
    moved = axis.at(scene, level)
    base, found = inspect(state_only, scene), inspect(state_only, moved)
    expected = changed or {f"presence of distractor_{each['kind']}" for each in scene.fact("reserve")[:level]}
    assert set(changes(Pair(4, moved, base, found))) == expected
    assert list(found.model)[: len(base.model)] == list(base.model)
    assert found.problem is None
    assert found.meaning == base.meaning
    assert inspect(state_only, scene) == base


def test_mass_goes_with_the_cube_of_the_size(state_only: Remote) -> None:
    """The lift off the floor needs it; densities stay what they were."""
    scene = state_only.ground("milk", 0)
    masses = {k: weigh(state_only, LiberoScale().at(scene, k)) for k in (-3, 0, 3)}
    assert masses[0] == pytest.approx(0.0317, rel=0.02)
    for k in (-3, 3):
        assert masses[k] == pytest.approx(masses[0] * (1 + 0.0667 * k) ** 3, rel=1e-3)


def weigh(remote: Remote, scene: Scene) -> float:
    return float(remote.worker.ask("inspect", scene.to_dict(), timeout=120)["masses"]["milk_1"])

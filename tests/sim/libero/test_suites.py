"""One task of each of the other suites on its own physics: reproducible, and changed in one thing only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from indgen.axes import Axis
from indgen.axes.goal import LiberoGoal
from indgen.axes.pick import LiberoPick
from indgen.core import Scene, Translate, View
from indgen.core.errors import InvalidStart, SceneError
from indgen.core.inspection import Inspection
from indgen.sim.libero.scene import LiberoFacts

from .conftest import Remote

pytestmark = pytest.mark.libero
IDLE = np.tile([0.0] * 6 + [-1.0], (3, 1))


@pytest.fixture(scope="module")
def remote(libero_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Remote]:
    log = tmp_path_factory.mktemp("worker") / "log"
    opened = Remote(libero_python, log, View(max_steps=5, success="published"))
    yield opened
    opened.close()


def bits(remote: Remote, scene: Scene, actions: np.ndarray) -> bytes:
    """Everything observed at the start and after some actions."""
    seen = [remote.reset(scene), remote.advance(actions[:3]).observation]
    return b"".join(np.ascontiguousarray(value).tobytes() for one in seen if one for value in one.state.values())


@pytest.mark.parametrize("short", ["table_center", "bowl_in_top_drawer", "mug_in_microwave"])
def test_a_suite_s_task_is_reproducible_and_pick_moves_its_object_alone(
    remote: Remote, short: str, actions: np.ndarray
) -> None:
    scene = remote.ground(short, 3)
    facts = LiberoFacts.of(scene)
    assert facts.fixtures
    moved = LiberoPick().at(scene, 1)
    first = bits(remote, scene, actions)
    bits(remote, moved, actions)
    assert bits(remote, scene, actions) == first
    assert remote.ground(short, 3) == scene
    assert [edit.body for edit in moved.edits if isinstance(edit, Translate)] == [facts.pick]
    # A reset refuses any body that lies elsewhere than tau_0 and the edits leave it.
    before, after = remote.reset(scene), remote.reset(moved)
    for name, value in before.state.items():
        np.testing.assert_allclose(after.state[name], value, rtol=0, atol=1e-12)
    assert not remote.advance(IDLE).done
    last = remote.advance(IDLE)
    assert (last.step, last.done, last.success, last.stage) == (5, True, False, "none")


def test_fixtures_lie_where_the_start_puts_them(remote: Remote) -> None:
    """No init state holds them: drawn in each reset, they would move from level to level."""
    first, second = (LiberoFacts.of(remote.ground("bowl_on_stove", start)).fixtures for start in (0, 1))
    assert set(first) == {"wooden_cabinet_1", "flat_stove_1", "wine_rack_1"}
    assert first != second
    assert max(abs(a - b) for name in first for a, b in zip(first[name], second[name], strict=True)) < 0.021


def test_what_stands_on_something_is_not_moved_alone(remote: Remote) -> None:
    scene = remote.ground("on_ramekin")
    for body, reason in (
        ("akita_black_bowl_1", "stands on glazed_rim_porcelain_ramekin_1, not free"),
        ("glazed_rim_porcelain_ramekin_1", "carries akita_black_bowl_1"),
    ):
        with pytest.raises(SceneError, match=reason):
            remote.reset(scene.edit(Translate(body, "y", 1, 0.025)))


@pytest.mark.parametrize(("axis", "short"), [(LiberoPick(), "stove_on"), (LiberoGoal(), "mugs_on_plates")])
def test_an_axis_without_its_body_refuses_the_scene(remote: Remote, axis: Axis, short: str) -> None:
    with pytest.raises(SceneError, match="this task has no single"):
        axis.at(remote.ground(short), 1)


def test_a_body_that_is_put_into_a_fixture_is_invalid(remote: Remote) -> None:
    scene = remote.ground("bowl_on_stove")
    facts = LiberoFacts.of(scene)
    body, there, here = "akita_black_bowl_1", facts.fixtures["wooden_cabinet_1"], facts.rest["akita_black_bowl_1"]
    inside = scene.edit(Translate(body, "x", 1, there[0] - here[0]), Translate(body, "y", 1, there[1] - here[1]))
    with pytest.raises(InvalidStart, match=r"akita_black_bowl_1.*wooden_cabinet_1|wooden_cabinet_1.*akita"):
        remote.reset(inside)
    remote.reset(scene)


def test_a_task_that_places_nothing_has_nothing_to_reach_or_see(remote: Remote) -> None:
    found = Inspection.from_dict(remote.worker.ask("inspect", remote.ground("stove_on").to_dict(), timeout=120))
    assert (found.problem, found.reach, dict(found.seen)) == (None, None, {})
    assert "stove" in found.meaning

"""LIBERO's environment in its own interpreter: determinism, edits, invalid starts, no OpenGL."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from indgen.axes import Axis
from indgen.axes.distractors import LiberoDistractors
from indgen.axes.goal import LiberoGoal
from indgen.axes.pick import LiberoPick
from indgen.axes.scale import LiberoScale
from indgen.core import Deepen, Reveal, Scale, Scene, Translate
from indgen.core.errors import InvalidStart, SceneError, SimulatorError
from indgen.sim.libero.layout import LAYOUT
from indgen.sim.libero.reserve import GROCERIES
from indgen.sim.libero.scene import LiberoFacts
from indgen.sim.libero.truth import rotation_of

from .conftest import STATE_ONLY, Remote

pytestmark = pytest.mark.libero
OPENGL = re.compile(r"lib(GL|EGL|OSMesa|GLX|glfw|OpenGL)[.\w-]*\.so")


def rollout_digest(remote: Remote, scene: Scene, actions: np.ndarray) -> str:
    """SHA-256 over everything observed along some actions."""
    digest = hashlib.sha256()
    seen = remote.reset(scene)
    for chunk in np.split(actions, 6):
        assert seen.privileged is not None
        for values in (*seen.state.values(), *seen.privileged.values()):
            digest.update(np.ascontiguousarray(values).tobytes())
        after = remote.advance(chunk).observation
        assert after is not None
        seen = after
    return digest.hexdigest()


def test_resets_are_bit_reproducible_whatever_ran_before(
    state_only: Remote, libero_python: Path, actions: np.ndarray, tmp_path: Path
) -> None:
    scene = state_only.ground("milk", 3)
    moved = LiberoPick().at(scene, 2)
    first, other = rollout_digest(state_only, scene, actions), rollout_digest(state_only, moved, actions)
    assert first != other
    assert rollout_digest(state_only, scene, actions) == first
    state_only.ground("butter", 0)
    assert rollout_digest(state_only, moved, actions) == other
    fresh = Remote(libero_python, tmp_path / "log", STATE_ONLY)
    try:
        assert fresh.ground("milk", 3) == scene
        assert rollout_digest(fresh, scene, actions) == first
    finally:
        fresh.close()


def test_state_only_workers_load_no_opengl(state_only: Remote) -> None:
    state_only.ground("milk")
    maps = Path(f"/proc/{state_only.worker.pid}/maps").read_text()
    assert not sorted(set(OPENGL.findall(maps)))


@pytest.mark.parametrize(
    ("axis", "metres", "moves"),
    [(LiberoPick(), 0.05, {"pick/pos", "pick/quat"}), (LiberoGoal(), 0.0734, {"goal/pos"})],
    ids=["pick", "goal"],
)
def test_an_axis_moves_its_body_and_nothing_else(
    state_only: Remote, axis: Axis, metres: float, moves: set[str]
) -> None:
    scene = state_only.ground("ketchup", 1)
    before = state_only.reset(scene)
    after = state_only.reset(axis.at(scene, 2))
    moved = min(moves)
    assert before.privileged is not None
    assert after.privileged is not None
    np.testing.assert_allclose(after.privileged[moved] - before.privileged[moved], [0.0, metres, 0.0], atol=1e-3)
    for name in sorted({*LAYOUT.privileged} - moves):
        # All contacts are solved as one system: what lies apart still differs in the last bit.
        np.testing.assert_allclose(after.privileged[name], before.privileged[name], rtol=0, atol=1e-12)
    for name in LAYOUT.state:
        np.testing.assert_allclose(after.state[name], before.state[name], rtol=0, atol=1e-12)
    assert after.instruction == before.instruction == "pick up the ketchup and place it in the basket"


@pytest.mark.parametrize(
    ("short", "neighbour"),
    [("cream_cheese", "tomato_sauce_1"), ("salad_dressing", "cream_cheese_1"), ("tomato_sauce", "orange_juice_1")],
)
def test_known_collisions_are_invalid_by_name(state_only: Remote, short: str, neighbour: str) -> None:
    scene = state_only.ground(short)
    with pytest.raises(InvalidStart, match=f"{short}_1.*{neighbour}"):
        state_only.reset(LiberoPick().at(scene, -3))
    state_only.reset(LiberoPick().at(scene, -1))


def test_a_body_moved_twice_lands_where_its_steps_add_up(state_only: Remote) -> None:
    scene = state_only.ground("milk")
    pick = LiberoFacts.of(scene).named("pick")
    seen = state_only.reset(scene.edit(Translate(pick, "y", 1, 0.025), Translate(pick, "x", -1, 0.02)))
    assert seen.privileged is not None
    moved = seen.privileged["pick/pos"] - np.array(LiberoFacts.of(scene).rest[pick][:3])
    np.testing.assert_allclose(moved, [-0.02, 0.025, 0.0], atol=1e-3)


@pytest.mark.parametrize("k", [-3, 3])
def test_scale_changes_the_objects_size_and_nothing_else(state_only: Remote, k: int) -> None:
    scene = state_only.ground("milk", 2)
    before = state_only.reset(scene)
    after = state_only.reset(LiberoScale().at(scene, k))
    assert before.privileged is not None
    assert after.privileged is not None
    factor = 1 + 0.0667 * k
    np.testing.assert_allclose(after.privileged["pick/box"], before.privileged["pick/box"] * factor, rtol=1e-6)
    bottom = [seen["pick/pos"][2] + seen["pick/box"][0, 1] for seen in (before.privileged, after.privileged)]
    assert abs(bottom[1] - bottom[0]) < 1e-3, "it stands on the floor as before"
    np.testing.assert_allclose(after.privileged["pick/pos"][:2], before.privileged["pick/pos"][:2], atol=1e-3)
    for name in sorted({*LAYOUT.privileged} - {"pick/pos", "pick/quat", "pick/box"}):
        np.testing.assert_allclose(after.privileged[name], before.privileged[name], rtol=0, atol=1e-9)


def test_distractors_change_no_bit_of_what_a_state_only_policy_does(state_only: Remote, actions: np.ndarray) -> None:
    scene = state_only.ground("butter", 1)
    sixty = np.concatenate([actions, -actions])
    plain = rollout_digest(state_only, scene, sixty)
    assert [rollout_digest(state_only, LiberoDistractors().at(scene, k), sixty) for k in (1, 3)] == [plain, plain]


def test_groceries_stand_as_the_published_starts_leave_them(state_only: Remote) -> None:
    """The reserve's table, against what settled: all ten groceries are in these three scenes."""
    seen = set()
    for short in ("salad_dressing", "chocolate_pudding", "cream_cheese"):
        scene = state_only.ground(short)
        observed = state_only.reset(scene).privileged
        assert observed is not None
        facts = LiberoFacts.of(scene)
        names = [facts.pick, *(name for name in facts.rest if name not in (facts.pick, facts.goal))]
        boxes = [observed["pick/box"], *observed["others/box"]]
        for name, box in zip(names, boxes, strict=True):
            grocery, rest = GROCERIES[name.removesuffix("_1")], facts.rest[name]
            assert abs(np.dot(grocery.quat, rest[3:])) > 0.999, name
            assert rest[2] == pytest.approx(grocery.height, abs=1.5e-3), name
            spread = np.abs(rotation_of(np.array(grocery.quat))) @ (box[1] - box[0]) / 2
            np.testing.assert_allclose(spread[:2], grocery.half, atol=1.5e-3, err_msg=name)
            seen.add(name.removesuffix("_1"))
    assert seen == set(GROCERIES)


def test_scenes_that_libero_cannot_carry_are_refused(state_only: Remote) -> None:
    scene = state_only.ground("milk")
    with pytest.raises(SceneError, match="cannot show so many distractors; got 4; expected 0 to 3"):
        state_only.reset(scene.edit(Reveal(4)))
    with pytest.raises(SceneError, match=r"no such body; got teapot_1; exists: .*milk_1"):
        state_only.reset(scene.edit(Translate("teapot_1", "y", 1, 0.1)))
    with pytest.raises(SceneError, match="milk_1 would have no size"):
        state_only.reset(scene.edit(Scale("milk_1", -1, 1.0)))
    with pytest.raises(SceneError, match="made by no recursion; got deepen"):
        state_only.reset(scene.edit(Deepen(1)))
    with pytest.raises(SceneError, match="not a LIBERO scene"):
        state_only.reset(Scene("lane", scene.task, "", (), 0, {}))


def test_nan_is_the_simulators_error(state_only: Remote) -> None:
    """MuJoCo meets NaN by resetting itself and going on; nobody may take that for the policy's failure."""
    scene = state_only.ground("milk")
    velocity = len(scene.init_state) - 1
    poisoned = replace(scene, init_state=(*scene.init_state[:velocity], float("nan")))
    with pytest.raises(SimulatorError, match="diverged"):
        state_only.reset(poisoned)
    state_only.reset(scene)


def test_an_episode_ends_at_its_step_limit(state_only: Remote) -> None:
    state_only.reset(state_only.ground("milk"))
    idle = np.tile([0.0] * 6 + [-1.0], (100, 1))
    assert not state_only.advance(idle).done
    state_only.advance(idle)
    last = state_only.advance(idle)
    assert (last.step, last.done, last.success, last.stage) == (280, True, False, "none")

"""Pictures along an axis: in this process from a lane with a camera, and through LIBERO's real ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from indgen.axes.pick import LiberoPick
from indgen.core import Observation, Scene, Slot, View
from indgen.core.errors import SceneError, UsageError
from indgen.core.layouts import ImageField
from indgen.core.seeds import derive_seed
from indgen.runner.preview import sizes_of, take_shots
from indgen.sim.libero.world import LiberoObject

from .lane import FlagAxis, LaneEnv, LaneWorld


class SeenEnv(LaneEnv):
    """Shows where the flag stands as one bright column, a metre a pixel."""

    def reset(self, slots: Sequence[Slot], scenes: Sequence[Scene]) -> list[Observation | Exception]:
        answers = super().reset(slots, scenes)
        return [self._seen(slot, answer) for slot, answer in zip(slots, answers, strict=True)]

    def _seen(self, slot: Slot, answer: Observation | Exception) -> Observation | Exception:
        if isinstance(answer, Exception):
            return answer
        image = np.zeros((*self.view.images["side"], 3), np.uint8)
        image[:, int(self.walkers[slot.id].flag)] = 255
        return replace(answer, images={"side": image})


class SeenLane(LaneWorld):
    """A lane with a camera."""

    layout = replace(LaneWorld.layout, images={"side": ImageField(8, 16, "along the lane")})

    def open(self, view: View) -> SeenEnv:
        self.opened.append(SeenEnv(view))
        return self.opened[-1]  # type: ignore[return-value]


def test_one_start_is_seen_at_every_level_and_a_broken_one_says_why() -> None:
    world = SeenLane()
    shots = list(take_shots(world, FlagAxis(), "red_flag", 2, (-5, -1, 0, 3), 8))
    assert [shot.level for shot in shots] == [-5, -1, 0, 3]
    assert shots[0].invalid == "the flag of red_flag stands behind the start"
    assert not shots[0].images
    assert [shot.invalid for shot in shots[1:]] == [None] * 3
    columns = [int(shot.images["side"][0, :, 0].argmax()) for shot in shots[1:]]
    assert columns == [2, 3, 6]
    assert world.opened[0].groundings == [("red_flag", 2)]


def test_the_start_is_a_sweep_s_and_goes_with_the_seed() -> None:
    def seeds(seed: int, start: int) -> int:
        world = SeenLane()
        list(take_shots(world, FlagAxis(), "red_flag", start, (0,), 8, seed))
        return world.opened[0].walkers[0].scene.seed

    assert seeds(7, 3) == derive_seed(7, "lane", "red_flag", 3)
    assert len({seeds(0, 0), seeds(1, 0), seeds(0, 1)}) == 3


def test_a_picture_has_the_shape_of_its_camera() -> None:
    assert sizes_of(SeenLane(), 4) == {"side": (4, 8)}
    assert sizes_of(LiberoObject(), 96) == {"agentview": (96, 96), "wrist": (96, 96)}


@pytest.mark.parametrize("size", [0, -1, 9])
def test_a_size_no_camera_has_is_refused(size: int) -> None:
    with pytest.raises(UsageError, match=rf"got {size} pixels; expected 1 to 8 pixels"):
        sizes_of(SeenLane(), size)


def test_a_world_without_a_camera_is_refused() -> None:
    with pytest.raises(UsageError, match="world lane has no camera"):
        sizes_of(LaneWorld(), 8)


@pytest.mark.parametrize("start", [-1, 50])
def test_a_start_that_is_not_published_is_refused(start: int) -> None:
    with pytest.raises(UsageError, match=rf"libero has no such start of .*; got {start}; expected 0 to 49"):
        list(take_shots(LiberoObject(), LiberoPick(), LiberoObject.tasks[0].name, start, (0,), 32))


def test_a_sampled_start_has_no_last_number() -> None:
    assert len(list(take_shots(SeenLane(), FlagAxis(), "red_flag", 5000, (0,), 8))) == 1
    with pytest.raises(UsageError, match="got -1; expected 0 or more"):
        list(take_shots(SeenLane(), FlagAxis(), "red_flag", -1, (0,), 8))


class Meddler(FlagAxis):
    """Changes more than edits."""

    def at(self, scene: Scene, k: int) -> Scene:
        return replace(super().at(scene, k), seed=k)


def test_an_axis_that_breaks_its_contract_is_no_picture() -> None:
    with pytest.raises(SceneError, match="axis lane/flag-v1 changes more than edits; got level 1"):
        list(take_shots(SeenLane(), Meddler(), "red_flag", 0, (1,), 8))


@pytest.mark.libero
@pytest.mark.render
def test_libero_is_seen_through_both_cameras_valid_or_not() -> None:
    (task,) = (task.name for task in LiberoObject.tasks if task.short == "cream_cheese")
    broken, sound = take_shots(LiberoObject(), LiberoPick(), task, 0, (-3, 0), 48)
    assert sound.invalid is None
    assert "cream_cheese_1 and tomato_sauce_1 overlap" in (broken.invalid or "")
    for shot in (broken, sound):
        assert list(shot.images) == ["agentview", "wrist"]
        for image in shot.images.values():
            assert (image.shape, image.dtype) == ((48, 48, 3), np.uint8)
            assert image.std() > 10
    assert not np.array_equal(broken.images["agentview"], sound.images["agentview"])

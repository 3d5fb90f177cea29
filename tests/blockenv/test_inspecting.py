from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from indgen.blockenv import inspecting
from indgen.blockenv.hull import HullBroken
from indgen.blockenv.inspecting import inspect
from indgen.blockenv.scene import TASK, ground
from indgen.blockenv.world import BlockWorld
from indgen.core import Translate
from indgen.core.edits import Deepen
from indgen.core.errors import SceneError
from indgen.core.inspection import Inspectable
from indgen.core.world import View

BASE = ground("blockenv", 10, TASK, seed=7)


def test_a_start_is_its_blocks_as_seen_from_the_goal_outwards() -> None:
    found = inspect(BASE.edit(Deepen(2)))
    assert found.problem is None
    assert list(found.model) == [
        "grid",
        "goal",
        "distractor at (+0, -1)",
        "distractor at (-1, +0)",
        "distractor at (+1, -1)",
        "distractor at (-1, +1)",
    ]
    assert inspect(BASE).model == {"grid": "10 x 10", "goal": "goal"}


@pytest.mark.parametrize("level", range(1, 10))
def test_a_level_keeps_the_blocks_of_the_one_before_and_what_is_meant(level: int) -> None:
    before, found = inspect(BASE.edit(Deepen(level - 1))), inspect(BASE.edit(Deepen(level)))
    assert list(found.model)[: len(before.model)] == list(before.model)
    assert len(found.model) == len(before.model) + 2
    assert found.meaning == before.meaning == "remove the goal block: goal removed"


def test_what_does_not_stand_as_stated_is_a_broken_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(grid: np.ndarray, level: int) -> None:
        raise HullBroken(f"a tip of {level} is not outside", got=grid.shape)

    monkeypatch.setattr(inspecting, "check_start", broken)
    assert inspect(BASE.edit(Deepen(3))).problem == "a tip of 3 is not outside; got (10, 10)"


def test_the_environment_inspects_its_own_scenes_only() -> None:
    env = BlockWorld().open(View(max_steps=1, success="goal_removed"))
    assert isinstance(env, Inspectable)
    assert env.inspect(BASE) == inspect(BASE)
    with pytest.raises(SceneError, match="a scene of another world"):
        env.inspect(replace(BASE, world="blockenv20"))
    with pytest.raises(SceneError, match="cannot carry this edit"):
        env.inspect(BASE.edit(Translate("goal", "x", 1, 0.1)))

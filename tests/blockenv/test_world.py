from __future__ import annotations

import pytest

from indgen.blockenv.layout import action_layout, grid_of, world_layout
from indgen.blockenv.world import BlockWorld, large_world
from indgen.core import View, World
from indgen.core.errors import UsageError
from indgen.runner.parts import worlds
from indgen.sim.libero.layout import LAYOUT as LIBERO


@pytest.mark.parametrize(("name", "grid"), [("blockenv", 10), ("blockenv20", 20)])
def test_registered_worlds_have_a_grid_each(name: str, grid: int) -> None:
    world = worlds.resolve(name).create()
    assert (world.id, world.grid, world.max_steps) == (name, grid, 2 * grid - 1)
    assert world.layout.state["grid"].shape == (grid * grid,)
    assert world.open(View(max_steps=1, success="goal_removed")).manifest()["grid"] == grid


def test_another_grid_is_a_world_of_its_own() -> None:
    world: World = BlockWorld(7, "mine")
    assert (world.id, world.layout.action.high.tolist()) == ("mine", [6.0, 6.0, 1.0])
    assert world.layout.action.name != large_world().layout.action.name
    with pytest.raises(UsageError, match="level 0 does not fit a grid of 0 x 0"):
        BlockWorld(0)


def test_the_grid_is_read_off_a_layout() -> None:
    assert [grid_of(world_layout(grid)) for grid in (1, 10, 20)] == [1, 10, 20]
    assert grid_of(LIBERO) is None
    assert action_layout(10).whole.all()

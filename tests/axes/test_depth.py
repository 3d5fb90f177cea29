from __future__ import annotations

import pytest

from indgen.axes import axes, check_axis
from indgen.axes.depth import BlockEnvDepth, large_depth
from indgen.blockenv.scene import TASK, ground, level_of
from indgen.core import Deepen, Scale
from indgen.core.errors import SceneError


@pytest.mark.parametrize(("axis", "grid"), [(BlockEnvDepth(), 10), (large_depth(), 20)])
def test_depth_keeps_every_law(axis: BlockEnvDepth, grid: int) -> None:
    scenes = [ground(axis.card.world, grid, TASK, seed) for seed in range(3)]
    assert check_axis(axis, scenes) == 3 * grid


def test_a_level_is_one_edit() -> None:
    base = ground("blockenv", 10, TASK, 0)
    deeper = BlockEnvDepth().at(base, 4)
    assert deeper.edits == (Deepen(4),)
    assert level_of(deeper) == 4


@pytest.mark.parametrize(
    ("level", "said"),
    [(10, "level 10 does not fit a grid of 10 x 10; expected a grid of 11 at least"), (-1, "no such level; got -1")],
)
def test_a_level_that_does_not_fit_is_refused(level: int, said: str) -> None:
    with pytest.raises(SceneError, match=said):
        BlockEnvDepth().at(ground("blockenv", 10, TASK, 0), level)


def test_an_edit_of_another_kind_is_refused() -> None:
    with pytest.raises(SceneError, match="got scale; expected deepen"):
        level_of(ground("blockenv", 10, TASK, 0).edit(Scale("goal", 1, 0.1)))


@pytest.mark.parametrize(("world", "deepest"), [("blockenv", 9), ("blockenv20", 19)])
def test_each_grid_has_the_axis_with_the_levels_that_fit(world: str, deepest: int) -> None:
    card = axes.resolve("depth", world).create().card
    assert (card.id, card.world, card.levels) == (f"{world}/depth-v1", world, tuple(range(deepest + 1)))

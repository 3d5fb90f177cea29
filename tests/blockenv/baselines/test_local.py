from __future__ import annotations

import numpy as np
import pytest

from indgen.blockenv.baselines import Seen, local
from indgen.blockenv.baselines.checkpoints import find_checkpoint, read_checkpoint
from indgen.blockenv.episodes import Episodes
from indgen.blockenv.rules import legality


def rolled_out(level: int, grid: int, count: int) -> Episodes:
    params = read_checkpoint(find_checkpoint("local")).params
    episodes = Episodes.start(np.full(count, level), grid, np.random.default_rng(level).random((count, 2)))
    ones = np.ones(count, dtype=np.int64)
    while not episodes.done.all():
        seen = Seen(episodes.grids[:, None], np.zeros((count, 1, 3), dtype=np.int64), episodes.levels, ones)
        episodes.step(local.grasps(params, seen))
    return episodes


@pytest.mark.parametrize(("level", "grid"), [(0, 10), (3, 10), (8, 10), (12, 20), (16, 20)])
def test_it_never_breaks_nor_tries_an_illegal_grasp(level: int, grid: int) -> None:
    episodes = rolled_out(level, grid, 60)
    assert episodes.success.all()
    assert not episodes.illegal.any()


def test_it_has_learned_legality_itself() -> None:
    params = read_checkpoint(find_checkpoint("local")).params
    grids = Episodes.start(np.full(50, 7), 10, np.random.default_rng(0).random((50, 2))).grids
    judged = local.unobstructed(params, grids) > 0
    on_block = np.repeat(grids.reshape(50, -1) != 0, 2, axis=1)
    assert np.array_equal(judged[on_block], legality(grids).reshape(50, -1)[on_block])


def test_shifting_a_grid_shifts_the_grasp() -> None:
    params = read_checkpoint(find_checkpoint("local")).params
    near, far = (Episodes.start(np.array([2]), 10, np.array([[draw, draw]])).grids for draw in (0.3, 0.5))
    shift = np.argwhere(far[0] == 2)[0] - np.argwhere(near[0] == 2)[0]
    assert shift.any()
    first, second = (
        local.grasps(params, Seen(grids[:, None], np.zeros((1, 1, 3), dtype=np.int64), np.array([2]), np.array([1])))[0]
        for grids in (near, far)
    )
    assert (second - first).tolist() == [*shift, 0]

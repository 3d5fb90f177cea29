from __future__ import annotations

import numpy as np

from indgen.blockenv.layout import world_layout
from indgen.blockenv.oracle import oracle_grasps
from indgen.blockenv.rules import arrange
from indgen.core import EpisodeKey, Observation, Slot
from indgen.policies import mismatches
from indgen.policies.oracle import Oracle


def slot(place: int, seed: int, level: int = 2) -> Slot:
    return Slot(place, EpisodeKey("remove_goal", place, level), True, seed)


def look(grid: np.ndarray) -> Observation:
    return Observation({}, {"grid": grid.reshape(-1), "level": np.array([2])}, "remove the goal block", 0)


def test_the_arm_is_the_slot_s_seed_s_whatever_the_level_and_place() -> None:
    policy = Oracle(world_layout(10))
    grid = arrange(np.array([2]), 10, np.array([[0.5, 0.5]]))
    policy.reset([slot(place, seed=place) for place in range(40)])
    chunks = policy.act([slot(place, seed=place) for place in range(40)], [look(grid)] * 40, 0.0)
    taken = [chunk.check(world_layout(10).action).actions[0].tolist() for chunk in chunks]
    arms = oracle_grasps(np.repeat(grid, 2, axis=0), np.arange(2)).tolist()
    assert 10 < taken.count(arms[0]) < 30
    assert taken.count(arms[0]) + taken.count(arms[1]) == 40
    policy.reset([slot(3, seed=17, level=5)])
    (again,) = policy.act([slot(3, seed=17, level=5)], [look(grid)], 0.0)
    assert again.actions[0].tolist() == taken[17]


def test_it_plays_any_grid() -> None:
    for size in (1, 7, 20):
        policy = Oracle(world_layout(size))
        assert mismatches(policy.spec, world_layout(size)) == []
        grid = arrange(np.array([0]), size, np.array([[0.9, 0.9]]))
        policy.reset([slot(0, 1)])
        (chunk,) = policy.act([slot(0, 1)], [look(grid)], 0.0)
        assert chunk.actions[0, :2].tolist() == [int(0.9 * size)] * 2

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.blockenv.episodes import Episodes
from indgen.blockenv.oracle import oracle_grasps
from indgen.blockenv.rules import EMPTY, GOAL, legality
from indgen.core.errors import PolicyError

SEEDS = st.integers(0, 2**32 - 1)


def starts(levels: list[int], seed: int, grid: int = 10) -> Episodes:
    return Episodes.start(np.array(levels), grid, np.random.default_rng(seed).random((len(levels), 2)))


def random_grasps(episodes: Episodes, rng: np.random.Generator) -> np.ndarray:
    size = episodes.grids.shape[1]
    return rng.integers(0, [size, size, 2], size=(len(episodes), 3))


@given(st.lists(st.integers(0, 5), min_size=1, max_size=5), SEEDS)
def test_a_grasp_removes_one_block_if_legal_and_nothing_if_not(levels: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    episodes = starts(levels, seed, grid=6)
    for _ in range(12):
        before, done, grasps = episodes.grids.copy(), episodes.done, random_grasps(episodes, rng)
        table = legality(before)
        steps, illegal = episodes.steps.copy(), episodes.illegal.copy()
        removed = episodes.step(grasps)
        for number, (r, c, theta) in enumerate(grasps):
            allowed = bool(table[number, r, c, theta]) and not done[number]
            expected = before[number].copy()
            if allowed:
                expected[r, c] = EMPTY
            assert removed[number] == allowed
            assert np.array_equal(episodes.grids[number], expected)
            assert episodes.success[number] == (not (expected == GOAL).any())
            assert episodes.steps[number] == steps[number] + (not done[number])
            assert episodes.illegal[number] == illegal[number] + (not done[number] and not allowed)


@given(st.integers(0, 9), SEEDS)
def test_any_legal_policy_removes_the_goal_within_the_step_limit(level: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    episodes = starts([level] * 4, seed)
    while not episodes.done.all():
        table = legality(episodes.grids)
        grasps = np.zeros((4, 3), dtype=int)
        for number in np.flatnonzero(~episodes.done):
            grasps[number] = rng.choice(np.argwhere(table[number]))
        episodes.step(grasps)
    assert episodes.success.all()
    assert (episodes.steps <= 2 * level + 1).all()
    assert not episodes.illegal.any()


def test_after_the_step_limit_an_episode_is_over_and_stays_so() -> None:
    episodes = starts([1], 0)
    r, c = np.argwhere(episodes.grids[0] == GOAL)[0]
    for _ in range(3):
        assert not episodes.done[0]
        episodes.step(np.array([[r, c, 0]]))
    assert episodes.done[0]
    assert not episodes.success[0]
    assert episodes.illegal[0] == 3
    before = episodes.grids.copy()
    assert not episodes.step(oracle_grasps(before, np.array([0]))).any()
    assert np.array_equal(episodes.grids, before)
    assert episodes.steps[0] == 3


@given(st.lists(st.integers(0, 5), min_size=2, max_size=5), SEEDS)
def test_episodes_do_not_touch_one_another(levels: list[int], seed: int) -> None:
    together = starts(levels, seed)
    alone = [together.take(np.array([number])) for number in range(len(levels))]
    rng = np.random.default_rng(seed)
    for _ in range(6):
        arms = rng.integers(2, size=len(levels))
        legal_ones = np.zeros((len(levels), 3), dtype=int)
        live = ~together.success
        legal_ones[live] = oracle_grasps(together.grids[live], arms[live])
        together.step(legal_ones)
        for number, each in enumerate(alone):
            each.step(legal_ones[number : number + 1])
    for number, each in enumerate(alone):
        assert np.array_equal(together.grids[number], each.grids[0])
        assert (together.steps[number], together.success[number]) == (each.steps[0], each.success[0])


def test_a_copy_is_put_back_where_it_belongs() -> None:
    episodes = starts([0, 1, 2], 3)
    part = episodes.take(np.array([2, 0]))
    part.step(oracle_grasps(part.grids, np.array([0, 0])))
    assert not episodes.steps.any()
    episodes.put(np.array([2, 0]), part)
    assert episodes.steps.tolist() == [1, 0, 1]
    assert episodes.success.tolist() == [True, False, False]


def test_what_is_no_grasp_changes_nothing() -> None:
    episodes = starts([0, 0], 1)
    with pytest.raises(PolicyError, match="leaves the grid"):
        episodes.step(np.array([[0, 0, 0], [0, 0, 2]]))
    assert not episodes.steps.any()

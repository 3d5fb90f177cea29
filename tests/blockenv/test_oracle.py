from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.blockenv.episodes import Episodes
from indgen.blockenv.oracle import FLIPPED, FORWARD, oracle_grasps
from indgen.blockenv.rules import GOAL, flipped_chain, forward_chain


@pytest.mark.parametrize("size", [10, 13, 20])
def test_the_oracle_takes_one_grasp_more_than_the_level_everywhere_and_never_fails(size: int) -> None:
    levels = np.repeat(np.arange(size), 40)
    rng = np.random.default_rng(size)
    episodes = Episodes.start(levels, size, rng.random((len(levels), 2)))
    arms = rng.integers(2, size=len(levels))
    while not episodes.done.all():
        grasps = np.zeros((len(levels), 3), dtype=int)
        live = ~episodes.done
        grasps[live] = oracle_grasps(episodes.grids[live], arms[live])
        episodes.step(grasps)
    assert episodes.success.all()
    assert np.array_equal(episodes.steps, levels + 1)
    assert not episodes.illegal.any()


@given(st.integers(0, 9), st.sampled_from((FORWARD, FLIPPED)), st.integers(0, 2**32 - 1))
def test_the_oracle_goes_along_its_arm_from_the_tip_inward(level: int, arm: int, seed: int) -> None:
    episodes = Episodes.start(np.array([level]), 10, np.random.default_rng(seed).random((1, 2)))
    goal = np.argwhere(episodes.grids[0] == GOAL)[0]
    chain = forward_chain(level) if arm == FORWARD else flipped_chain(level)
    taken = []
    while not episodes.done[0]:
        grasp = oracle_grasps(episodes.grids, np.array([arm]))
        taken.append((grasp[0, :2] - goal).tolist())
        episodes.step(grasp)
    assert taken == [*chain[::-1].tolist(), [0, 0]]


@given(st.integers(0, 9), st.integers(0, 2**32 - 1))
def test_the_other_arm_is_the_transposed_episode(level: int, seed: int) -> None:
    draw = np.random.default_rng(seed).random((1, 2))
    straight = Episodes.start(np.array([level]), 10, draw)
    turned = Episodes.start(np.array([level]), 10, draw[:, ::-1])
    while not straight.done[0]:
        grasp = oracle_grasps(straight.grids, np.array([FORWARD]))
        mirrored = oracle_grasps(turned.grids, np.array([FLIPPED]))
        r, c, theta = grasp[0]
        assert mirrored[0].tolist() == [c, r, 1 - theta]
        straight.step(grasp)
        turned.step(mirrored)

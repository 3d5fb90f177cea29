from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st

from indgen.blockenv.gym import ID, BlockEnv
from indgen.blockenv.oracle import oracle_grasps
from indgen.core.errors import PolicyError, UsageError


@pytest.mark.parametrize(("level", "grid"), [(0, 1), (0, 10), (3, 10), (9, 10), (12, 16)])
def test_it_passes_gymnasium_s_own_checker(level: int, grid: int) -> None:
    env = gymnasium.make(ID, level=level, grid=grid, render_mode="rgb_array")
    check_env(env.unwrapped)


@given(st.integers(0, 9), st.integers(0, 2**31), st.integers(0, 1))
@settings(deadline=None)
def test_the_oracle_is_rewarded_once_at_the_end(level: int, seed: int, arm: int) -> None:
    env = gymnasium.make(ID, level=level)
    seen, info = env.reset(seed=seed)
    rewards, over = [], False
    while not over:
        grasp = oracle_grasps(seen.reshape(1, 10, 10), np.array([arm]))[0]
        seen, reward, over, truncated, info = env.step(grasp)
        rewards.append(reward)
        assert not truncated
    assert rewards == [0.0] * level + [1.0]
    assert info == {"level": level, "steps": level + 1, "illegal": 0, "legal": True}


def test_illegal_grasps_change_nothing_until_the_episode_is_truncated() -> None:
    env = gymnasium.make(ID, level=2)
    start, _ = env.reset(seed=1)
    empty = np.argwhere(start.reshape(10, 10) == 0)[0]
    for number in range(1, 6):
        seen, reward, terminated, truncated, info = env.step(np.array([*empty, 0]))
        assert np.array_equal(seen, start)
        assert (reward, terminated, truncated) == (0.0, False, number == 5)
        assert info["illegal"] == number


def test_the_seed_places_and_further_resets_go_on() -> None:
    env = gymnasium.make(ID, level=1)
    first = [env.reset(seed=4)[0], *(env.reset()[0] for _ in range(5))]
    again = [env.reset(seed=4)[0], *(env.reset()[0] for _ in range(5))]
    assert np.array_equal(first, again)
    assert len(np.unique(first, axis=0)) > 1


def test_it_is_shown_as_text_and_as_a_picture() -> None:
    words = gymnasium.make(ID, level=1, grid=2, render_mode="ansi")
    words.reset(seed=0)
    assert words.render() == ". #\n# O"
    words.step(np.array([1, 0, 0]))
    assert words.render() == "= #\n. O"
    pixels = gymnasium.make(ID, level=1, render_mode="rgb_array")
    pixels.reset(seed=0)
    assert np.asarray(pixels.render()).shape == (256, 256, 3)


def test_a_level_that_does_not_fit_names_the_smallest_grid() -> None:
    with pytest.raises(UsageError, match="level 10 does not fit a grid of 10 x 10; expected a grid of 11 at least"):
        gymnasium.make(ID, level=10, grid=10)
    gymnasium.make(ID, level=10, grid=11)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ({"level": 2.5}, "level is a whole number; got 2.5"),
        ({"level": True}, "level is a whole number"),
        ({"level": float("nan")}, "level is a whole number"),
        ({"level": None}, "level is a whole number"),
        ({"level": np.array([1, 2])}, "level is a whole number"),
        ({"grid": "10"}, "grid is a whole number"),
        ({"grid": 0}, "does not fit a grid of 0"),
        ({"level": -1}, "no such level"),
    ],
)
def test_what_is_no_level_or_grid_is_refused(made: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        BlockEnv(**made)


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ([1, 2], "shape"),
        ([0, 10, 0], "leaves the grid"),
        ([0, np.nan, 0], "not whole"),
        ("a", "shape"),
        ([1, [2], 3], "are not \\(row"),
    ],
)
def test_what_is_no_grasp_is_refused(action: object, said: str) -> None:
    env = gymnasium.make(ID, level=1, disable_env_checker=True)
    env.reset(seed=0)
    with pytest.raises(PolicyError, match=said):
        env.step(action)


def test_an_unknown_render_mode_is_refused() -> None:
    with pytest.raises(UsageError, match="no such render mode; got 'video'; exists: ansi, rgb_array"):
        BlockEnv(render_mode="video")

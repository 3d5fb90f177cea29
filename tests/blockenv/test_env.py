"""BlockEnv as the runner sees it: many episodes at once, each as if it were alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import gymnasium
import numpy as np
import pytest
from gymnasium.utils import seeding
from hypothesis import given
from hypothesis import strategies as st

from indgen.axes.depth import BlockEnvDepth
from indgen.blockenv.env import BlockBatch
from indgen.blockenv.gym import ID
from indgen.blockenv.layout import action_layout
from indgen.blockenv.rules import GOAL
from indgen.blockenv.scene import TASK, ground
from indgen.core import ActionChunk, EpisodeKey, Observation, Reveal, Scene, Slot, Transition, View
from indgen.core.errors import PolicyError, SceneError

VIEW = View(max_steps=19, success="goal_removed")
LAYOUT = action_layout(10)


def slot(place: int, level: int = 0) -> Slot:
    return Slot(place, EpisodeKey(TASK, place, level), True, 0)


def scene(level: int, draw: Sequence[float] = (0.5, 0.5), grid: int = 10) -> Scene:
    base = Scene("blockenv", TASK, "remove the goal block", (), 0, {"grid": grid, "draw": list(draw)})
    return BlockEnvDepth(grid=grid).at(base, level)


def chunk(*grasps: Sequence[float]) -> ActionChunk:
    return ActionChunk(np.array(grasps, dtype=np.float64), LAYOUT.name, len(grasps))


def begun(batch: BlockBatch, *scenes: Scene) -> list[Observation]:
    answers = batch.reset([slot(place) for place in range(len(scenes))], scenes)
    assert all(isinstance(answer, Observation) for answer in answers)
    return answers  # type: ignore[return-value]


def moved(batch: BlockBatch, places: Sequence[int], *chunks: ActionChunk) -> list[Transition]:
    answers = batch.advance([slot(place) for place in places], chunks)
    assert all(isinstance(answer, Transition) for answer in answers)
    return answers  # type: ignore[return-value]


def goal_of(seen: Observation) -> tuple[int, int]:
    r, c = np.argwhere(seen.state["grid"].reshape(10, 10) == GOAL)[0]
    return int(r), int(c)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2**31)), min_size=1, max_size=4), st.integers(0, 2**31))
def test_a_batch_is_its_single_environments(asked: list[tuple[int, int]], seed: int) -> None:
    rng = np.random.default_rng(seed)
    batch = BlockBatch("blockenv", 10, VIEW)
    singles = [gymnasium.make(ID, level=level).unwrapped for level, _ in asked]
    starts = [single.reset(seed=own)[0] for single, (_, own) in zip(singles, asked, strict=True)]
    seen = begun(batch, *(scene(level, seeding.np_random(own)[0].random(2).tolist()) for level, own in asked))
    for observation, start in zip(seen, starts, strict=True):
        assert np.array_equal(observation.state["grid"], start)
    live = list(range(len(asked)))
    while live:
        rng.shuffle(live)
        grasps = [helpful(singles[place], rng) for place in live]
        for place, grasp, transition in zip(list(live), grasps, moved(batch, live, *map(chunk, grasps)), strict=True):
            grid, reward, terminated, truncated, info = singles[place].step(np.array(grasp))
            assert (transition.success, transition.done) == (terminated, terminated or truncated)
            assert (transition.success, transition.step) == (bool(reward), info["steps"])
            if transition.observation is None:
                live.remove(place)
            else:
                assert np.array_equal(transition.observation.state["grid"], grid)
                assert transition.observation.step == transition.step


def helpful(single: gymnasium.Env, rng: np.random.Generator) -> list[int]:
    """A grasp at some block, so that legal and illegal ones both happen."""
    blocks = np.argwhere(single._observe().reshape(10, 10))  # type: ignore[attr-defined]
    return [*map(int, rng.choice(blocks)), int(rng.integers(2))]


def test_an_episode_ends_at_its_level_s_limit_or_the_plan_s() -> None:
    for most, steps in ((19, 5), (3, 3)):
        batch = BlockBatch("blockenv", 10, View(max_steps=most, success="goal_removed"))
        (seen,) = begun(batch, scene(2))
        goal = goal_of(seen)
        told = [moved(batch, [0], chunk((*goal, 0)))[0] for _ in range(steps)]
        assert [each.done for each in told] == [False] * (steps - 1) + [True]
        assert [each.step for each in told] == list(range(1, steps + 1))
        assert (told[-1].success, told[-1].observation, told[-1].stage) == (False, None, "goal blocked")


def test_how_far_it_came_is_told_at_the_end() -> None:
    batch = BlockBatch("blockenv", 10, VIEW)
    first, second = begun(batch, scene(1), scene(1))
    (r, c), (a, b) = goal_of(first), goal_of(second)
    freeing, wrong = (r, c - 1, 0), (r, c, 0)
    told = moved(batch, [0, 1], chunk(freeing, (r, c, 1)), chunk((a, b - 1, 0), wrong, wrong))
    assert [(each.success, each.done, each.stage, each.step) for each in told] == [
        (True, True, "goal removed", 2),
        (False, True, "goal free", 3),
    ]


def test_a_chunk_stops_where_its_episode_ends() -> None:
    batch = BlockBatch("blockenv", 10, VIEW)
    (seen,) = begun(batch, scene(0))
    goal = goal_of(seen)
    (told,) = moved(batch, [0], chunk((*goal, 0), (*goal, 0), (0, 0, 0)))
    assert (told.step, told.success) == (1, True)


def test_places_are_refilled_and_others_go_on() -> None:
    batch = BlockBatch("blockenv", 10, VIEW)
    first, second = begun(batch, scene(1), scene(0))
    moved(batch, [0], chunk((*goal_of(first), 0)))
    moved(batch, [1], chunk((*goal_of(second), 0)))
    batch.reset([slot(1), slot(700)], [scene(3), scene(2)])
    (told,) = moved(batch, [0], chunk((*goal_of(first), 0)))
    assert (told.step, told.done) == (2, False)
    later = moved(batch, [700, 1], chunk((0, 0, 0)), chunk((0, 0, 0)))
    assert [each.observation.state["level"].tolist() for each in later if each.observation] == [[2], [3]]
    assert [each.step for each in later] == [1, 1]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (ActionChunk(np.zeros((1, 2)), LAYOUT.name, 1), "wrong shape"),
        (ActionChunk(np.array([[0, 10.0, 0]]), LAYOUT.name, 1), r"got 10 in column; expected \[0, 9\]"),
        (ActionChunk(np.array([[0, 0, np.nan]]), LAYOUT.name, 1), "NaN or infinity in theta"),
        (ActionChunk(np.array([[0.5, 0, 0]]), LAYOUT.name, 1), "not whole in blockenv/grasp-10x10; got 0.5 in row"),
        (ActionChunk(np.zeros((1, 3)), "blockenv/grasp-20x20", 1), "another layout; got blockenv/grasp-20x20"),
    ],
)
def test_a_bad_chunk_is_its_own_episode_s_fault_and_costs_nothing(bad: ActionChunk, said: str) -> None:
    batch = BlockBatch("blockenv", 10, VIEW)
    seen = begun(batch, scene(0), scene(0))
    fault, told = batch.advance([slot(0), slot(1)], [bad, chunk((*goal_of(seen[1]), 1))])
    assert isinstance(fault, PolicyError)
    with pytest.raises(PolicyError, match=said):
        raise fault
    assert isinstance(told, Transition)
    assert told.success
    assert moved(batch, [0], chunk((0, 0, 0)))[0].step == 1


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (replace(scene(0), world="lane"), "a scene of another world; got lane/remove_goal"),
        (scene(0, grid=12), "expected blockenv/remove_goal of 10 x 10"),
        (scene(0).edit(Reveal(1)), "cannot carry this edit; got reveal; expected deepen"),
        (replace(scene(0), facts={"grid": 10}), "no such fact; got 'draw'"),
        (replace(scene(0), facts={"grid": 10, "draw": [0.5, 1.0]}), r"a scene's draw is none"),
        (replace(scene(0), facts={"grid": "10", "draw": [0, 0]}), "a scene's grid is none; got '10'"),
        (replace(scene(11, grid=12), facts={"grid": 10, "draw": [0, 0]}), "level 11 does not fit a grid of 10 x 10"),
    ],
)
def test_a_scene_of_another_kind_is_refused_alone(broken: Scene, said: str) -> None:
    fault, seen = BlockBatch("blockenv", 10, VIEW).reset([slot(0), slot(1)], [broken, scene(2)])
    assert isinstance(fault, SceneError)
    with pytest.raises(SceneError, match=said):
        raise fault
    assert isinstance(seen, Observation)


def test_a_start_depends_on_its_seed_alone_and_every_level_shares_its_draw() -> None:
    batch = BlockBatch("blockenv", 10, VIEW)
    assert batch.ground(TASK, 3, 8) == batch.ground(TASK, 5, 8) == ground("blockenv", 10, TASK, 8)
    assert batch.ground(TASK, 3, 8) != batch.ground(TASK, 3, 9)
    base = batch.ground(TASK, 0, 8)
    for level in range(10):
        assert BlockEnvDepth().at(base, level).fact("draw") == base.fact("draw")


def test_earlier_frames_are_shown_where_they_are_asked_for() -> None:
    batch = BlockBatch("blockenv", 10, View(max_steps=19, success="goal_removed", history=(1, 3)))
    (seen,) = begun(batch, scene(3))
    assert [frame.step for frame in seen.history] == [0, 0]
    goal = goal_of(seen)
    tip = (goal[0] + 1, goal[1] - 2, 0)
    (told,) = moved(batch, [0], chunk(tip, (*goal, 0)))
    assert told.observation is not None
    assert [frame.step for frame in told.observation.history] == [0, 1]
    blocks = [int((frame.state["grid"] > 0).sum()) for frame in told.observation.history]
    assert blocks == [7, 6]


def test_pictures_and_films_are_made_where_they_are_asked_for() -> None:
    view = View(max_steps=19, success="goal_removed", images={"top": (64, 48)}, video_every=2)
    batch = BlockBatch("blockenv", 10, view)
    (seen,) = begun(batch, scene(1))
    assert seen.images["top"].shape == (64, 48, 3)
    (told,) = moved(batch, [0], chunk((0, 0, 0), (0, 0, 1)))
    assert len(told.frames) == 10
    assert all(frame.shape == (256, 256, 3) for frame in told.frames)
    assert not moved(unfilmed(), [0], chunk((0, 0, 0)))[0].frames


def unfilmed() -> BlockBatch:
    batch = BlockBatch("blockenv", 10, VIEW)
    begun(batch, scene(1))
    return batch


def test_the_manifest_says_the_rules() -> None:
    told = BlockBatch("blockenv", 12, VIEW).manifest()
    assert told["grid"] == 12
    assert "2 * level + 1" in told["step_limit"]
    assert "costs its step" in told["illegal_grasp"]
    assert len(told["rules"]) == 64

"""The runner on a real (tiny) batch world: outcomes, errors, resume, common random numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from indgen.core import ActionChunk, EpisodeKey, Observation, Slot
from indgen.core.errors import SweepAborted
from indgen.policies import PolicyCard, PolicySpec
from indgen.runner.episodes import Episode, Outcome
from indgen.runner.folder import RunFolder
from indgen.runner.parts import Parts
from indgen.runner.plan import Plan
from indgen.runner.sweep import run_sweep

from .lane import FlagAxis, LaneWorld, Marcher, PitAxis, Watcher, lane_plan


def sweep(path: Path, parts: Parts, plan: Plan) -> list[Episode]:
    folder = RunFolder(path, plan)
    try:
        return run_sweep(plan, parts, folder, 1, Watcher())
    finally:
        folder.close()


def essence(episodes: Sequence[Episode]) -> list[tuple[EpisodeKey, str, int, str | None]]:
    return [(e.key, e.outcome.value, e.steps, e.cause) for e in episodes]


def test_a_marcher_breaks_where_its_steps_end(tmp_path: Path) -> None:
    episodes = sweep(tmp_path, Parts(LaneWorld(), Marcher(5), FlagAxis()), lane_plan())
    by_level = {level: Counter(e.outcome for e in episodes if e.level == level) for level in (-1, 0, 1, 2, 3)}
    assert by_level[0] == by_level[-1] == by_level[1] == {Outcome.SUCCESS: 8}
    assert by_level[3] == {Outcome.FAILURE: 8}
    assert {e.stage for e in episodes if e.level == 3} == {"walking"}


def test_every_level_and_policy_shares_its_starts(tmp_path: Path) -> None:
    plan = lane_plan()
    first = sweep(tmp_path / "a", Parts(LaneWorld(), Marcher(5), FlagAxis()), plan)
    other = sweep(tmp_path / "b", Parts(LaneWorld(), Marcher(2), FlagAxis()), plan)
    assert {e.key: e.seed for e in first} == {e.key: e.seed for e in other}
    assert {e.key: e.scene for e in first} == {e.key: e.scene for e in other}
    assert len({(e.task, e.rollout, e.seed) for e in first}) == len({(e.task, e.rollout) for e in first})
    assert len({e.seed for e in first}) == 8


def test_a_start_is_grounded_once_whatever_the_levels(tmp_path: Path) -> None:
    world = LaneWorld()
    sweep(tmp_path, Parts(world, Marcher(), FlagAxis()), lane_plan())
    assert Counter(world.opened[0].groundings) == {(t.name, r): 1 for t in world.tasks for r in range(4)}


def test_an_invalid_start_is_not_run_again(tmp_path: Path) -> None:
    plan = lane_plan(levels=(-5, 0))
    parts = Parts(LaneWorld(), Marcher(), FlagAxis())
    first = sweep(tmp_path, parts, plan)
    assert {e.outcome for e in first if e.level == -5} == {Outcome.INVALID}
    assert all("behind the start" in (e.cause or "") for e in first if e.level == -5)
    events = (tmp_path / "events.jsonl").read_bytes()
    assert essence(sweep(tmp_path, parts, plan)) == essence(first)
    assert (tmp_path / "events.jsonl").read_bytes() == events


def test_an_error_is_retried_once_and_then_never_a_failure(tmp_path: Path) -> None:
    faults = {("red_flag", 0, 0): 1, ("red_flag", 1, 0): 2}
    world = LaneWorld(faults)
    episodes = {e.key: e for e in sweep(tmp_path, Parts(world, Marcher(), FlagAxis()), lane_plan())}
    healed, broken = episodes[EpisodeKey("red_flag", 0, 0)], episodes[EpisodeKey("red_flag", 1, 0)]
    assert (healed.outcome, healed.attempt) == (Outcome.SUCCESS, 2)
    assert (broken.outcome, broken.attempt, broken.cause) == (Outcome.ERROR, 2, "the lane broke")
    assert Counter(e.outcome for e in episodes.values())[Outcome.ERROR] == 1


def test_the_same_command_again_tries_errors_only(tmp_path: Path) -> None:
    plan = lane_plan()
    sweep(tmp_path, Parts(LaneWorld({("red_flag", 1, 0): 2}), Marcher(), FlagAxis()), plan)
    policy = Marcher()
    again = {e.key: e for e in sweep(tmp_path, Parts(LaneWorld(), policy, FlagAxis()), plan)}
    mended = again[EpisodeKey("red_flag", 1, 0)]
    assert (mended.outcome, mended.attempt) == (Outcome.SUCCESS, 3)
    assert policy.looks == mended.steps


class Saboteur(Marcher):
    """Does something wrong in one episode, or in all of them."""

    def __init__(self, wrong: object, everywhere: bool = True) -> None:
        super().__init__()
        self.wrong, self.everywhere = wrong, everywhere

    def step(self, slot: Slot, seen: Observation) -> ActionChunk:
        if not self.everywhere and (slot.key.task, slot.key.rollout) != ("red_flag", 2):
            return super().step(slot, seen)
        if isinstance(self.wrong, Exception):
            raise self.wrong
        if isinstance(self.wrong, np.ndarray):
            return ActionChunk(self.wrong, "lane/step", 1)
        return self.wrong  # type: ignore[return-value]


WRONG = [
    (np.zeros((1, 2)), "wrong shape"),
    (np.full((1, 1), np.nan), "not finite"),
    (np.full((1, 1), 1.5), "leave the range"),
    (np.zeros((1, 1), dtype=object), "not numbers"),
    (ActionChunk(np.zeros((1, 1)), "other/layout", 1), "another layout"),
    (ActionChunk(np.zeros((1, 1)), "lane/step", 3), "does not hold"),
    ([0.0], "must return action chunks"),
    (RuntimeError("out of memory"), "RuntimeError: out of memory"),
]


@pytest.mark.parametrize(("wrong", "said"), WRONG, ids=[said for _, said in WRONG])
def test_a_broken_policy_stops_the_sweep_and_loses_nothing(tmp_path: Path, wrong: object, said: str) -> None:
    plan = lane_plan()
    with pytest.raises(SweepAborted, match=said):
        sweep(tmp_path, Parts(LaneWorld(), Saboteur(wrong), FlagAxis()), plan)
    episodes = sweep(tmp_path, Parts(LaneWorld(), Marcher(), FlagAxis()), plan)
    assert len(episodes) == plan.size
    assert Outcome.ERROR not in {e.outcome for e in episodes}


@pytest.mark.parametrize(("wrong", "said"), WRONG, ids=[said for _, said in WRONG])
def test_one_bad_episode_leaves_the_others_of_its_batch_alone(tmp_path: Path, wrong: object, said: str) -> None:
    plan = lane_plan(levels=(0,))
    good = sweep(tmp_path / "good", Parts(LaneWorld(), Marcher(), FlagAxis()), plan)
    mixed = sweep(tmp_path / "mixed", Parts(LaneWorld(), Saboteur(wrong, everywhere=False), FlagAxis()), plan)
    bad = [e for e in mixed if e.outcome is Outcome.ERROR]
    assert [e.key for e in bad] == [EpisodeKey("red_flag", 2, 0)]
    assert said in (bad[0].cause or "")
    assert [x for x in essence(mixed) if x[0] != bad[0].key] == [x for x in essence(good) if x[0] != bad[0].key]


def test_facts_sampled_at_grounding_are_frozen_and_nested(tmp_path: Path) -> None:
    """The contract RoboCasa needs: a sampler runs once, where the simulator lives; axes reveal what it drew."""
    plan = lane_plan("lane/pits-v1", levels=(0, 1, 2, 3), rollouts=30)
    world, axis = LaneWorld(), PitAxis()
    folder = RunFolder(tmp_path, plan)
    episodes = run_sweep(plan, Parts(world, Marcher(), axis), folder, 1, Watcher())
    scene = folder.scenes.get(("red_flag", 0))
    folder.close()
    assert len(world.opened[0].groundings) == 60
    assert len(scene.fact("pits")) == 3
    assert axis.at(scene, 2).facts == scene.facts
    fell = [sum(e.stage == "fell" for e in episodes if e.level == level) for level in (0, 1, 2, 3)]
    assert fell == sorted(fell)
    assert fell[0] == 0 < fell[3]


class Knowing(Marcher):
    """Walks to where simulator truth says the flag is."""

    def __init__(self) -> None:
        super().__init__()
        self.spec = PolicySpec(action="lane/step", privileged=("flag",))
        self.card = PolicyCard("knowing", "knows", trained_levels=())

    def step(self, slot: Slot, seen: Observation) -> ActionChunk:
        assert seen.privileged is not None
        ahead = seen.privileged["flag"] - seen.state["x"]
        return ActionChunk(np.clip(ahead, -1, 1)[None], "lane/step", 1)


def test_truth_reaches_only_a_policy_that_declares_it(tmp_path: Path) -> None:
    plan = lane_plan()
    world = LaneWorld()
    episodes = sweep(tmp_path / "a", Parts(world, Knowing(), FlagAxis()), plan)
    assert {e.outcome for e in episodes} == {Outcome.SUCCESS}
    sweep(tmp_path / "b", Parts(world, Marcher(), FlagAxis()), plan)
    assert [env.view.privileged for env in world.opened] == [True, False]

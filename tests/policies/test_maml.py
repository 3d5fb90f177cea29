from __future__ import annotations

from pathlib import Path

import numpy as np

from indgen.axes.depth import BlockEnvDepth
from indgen.blockenv.baselines import Seen
from indgen.blockenv.baselines.maml import SUPPORT, adapted, grasps
from indgen.blockenv.layout import world_layout
from indgen.blockenv.oracle import FORWARD, oracle_grasps
from indgen.blockenv.rules import arrange
from indgen.blockenv.scene import draw_of, ground
from indgen.core import EpisodeKey, Observation, Slot
from indgen.policies import Demonstration
from indgen.policies.maml import Maml, maml, maml_seen, replayed
from indgen.runner.folder import RunFolder
from indgen.runner.parts import load_parts
from indgen.runner.planning import make_plan
from indgen.runner.sweep import run_sweep

from ..runner.lane import Watcher

LAYOUT = world_layout(10)


def shown(level: int, count: int) -> list[Demonstration]:
    """The forward arm's demonstrations of a level."""
    found = []
    for number in range(count):
        scene = BlockEnvDepth().at(ground("blockenv", 10, "remove_goal", number), level)
        grids = arrange(np.array([level]), 10, np.array([draw_of(scene)]))
        actions = []
        for _ in range(level + 1):
            actions.append(oracle_grasps(grids, np.array([FORWARD]))[0])
            grids[0, actions[-1][0], actions[-1][1]] = 0
        found.append(Demonstration(scene, level, number, np.array(actions, float), LAYOUT.action.name, True))
    return found


def test_demonstrations_are_played_again_to_know_what_was_seen() -> None:
    seen = replayed(shown(3, 5))
    assert seen.grids.shape == (5, 4, 10, 10)
    assert (seen.grids.reshape(5, 4, -1) != 0).sum(axis=2).tolist() == [[7, 6, 5, 4]] * 5
    assert seen.lengths.tolist() == [4] * 5


def test_each_level_is_acted_in_by_its_own_parameters() -> None:
    policy = maml(LAYOUT)
    support = {level: shown(level, SUPPORT) for level in (1, 4)}
    policy.adapt([each for demos in support.values() for each in demos])
    grids = arrange(np.array([1, 4, 2] * 20), 10, np.random.default_rng(0).random((60, 2)))
    seen = Seen(grids[:, None], np.zeros((60, 1, 3), dtype=np.int64), np.array([1, 4, 2] * 20), np.ones(60, dtype=int))
    chosen = policy.choose(seen)
    for level in (1, 4, 2):
        params = adapted(policy.params, replayed(support[level])) if level in support else policy.params
        which = seen.levels == level
        part = Seen(seen.grids[which], seen.grasps[which], seen.levels[which], seen.lengths[which])
        assert np.array_equal(chosen[which], grasps(params, part))


def test_answers_from_before_an_adaptation_are_forgotten() -> None:
    policy = maml(LAYOUT)
    grids = arrange(np.full(40, 3), 10, np.random.default_rng(0).random((40, 2)))
    slots = [Slot(place, EpisodeKey("remove_goal", place, 3), True, place) for place in range(40)]
    looks = [Observation({}, {"grid": grid.reshape(-1), "level": np.array([3])}, "", 0) for grid in grids]
    policy.reset(slots)
    policy.act(slots, looks, 0.0)
    policy.adapt(shown(3, SUPPORT))
    after = np.stack([chunk.actions[0] for chunk in policy.act(slots, looks, 0.0)])
    ones = np.ones(40, dtype=np.int64)
    fresh = policy.choose(Seen(grids[:, None], np.zeros((40, 1, 3), dtype=np.int64), np.full(40, 3), ones))
    assert np.array_equal(after, fresh)
    assert not np.array_equal(fresh, grasps(policy.params, Seen(grids[:, None], fresh[:, None], np.full(40, 3), ones)))


def test_what_it_adapts_to_is_in_its_spec() -> None:
    assert maml(LAYOUT).spec.support is not None
    everywhere, seen_only = maml(LAYOUT).spec.support, maml_seen(LAYOUT).spec.support
    assert everywhere is not None and seen_only is not None
    assert everywhere.levels == tuple(range(10))
    assert seen_only.levels == (0, 1, 2)
    assert {(s.demonstrator, s.per_start, s.count) for s in (everywhere, seen_only)} == {("oracle", False, SUPPORT)}


def test_a_sweep_records_its_support_from_starts_that_are_not_evaluated(tmp_path: Path) -> None:
    parts = load_parts("blockenv", "maml_seen", "depth")
    plan = make_plan(parts, levels="0,1", rollouts=20)
    folder = RunFolder(tmp_path, plan)
    try:
        episodes = run_sweep(plan, parts, folder, 1, Watcher())
    finally:
        folder.close()
    names = sorted(path.name for path in (tmp_path / "demonstrations").iterdir())
    assert len(names) == 3 * SUPPORT
    assert names[0].startswith("remove_goal-020")
    assert isinstance(parts.policy, Maml)
    assert sum(episode.outcome == "success" for episode in episodes) > 30

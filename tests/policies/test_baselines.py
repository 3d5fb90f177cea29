from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from indgen.blockenv.baselines import METHODS, Seen
from indgen.blockenv.baselines.checkpoints import CARD, SHIPPED, find_checkpoint, read_checkpoint
from indgen.blockenv.demonstrations import demonstrate
from indgen.blockenv.layout import world_layout
from indgen.core.errors import LayoutError, UsageError
from indgen.core.observation import Observation
from indgen.core.slots import EpisodeKey, Slot
from indgen.policies import Policy, baselines, mismatches, policies
from indgen.policies.baselines import CHECKPOINTS, Baseline, checkpoint_of, gated_ind
from indgen.runner.parts import load_parts

LAYOUT = world_layout(10)
IDS = (*METHODS, "ind_gate0", "ind_gate1", "ind_gate3", "maml_seen")


def slot(place: int, level: int = 2) -> Slot:
    return Slot(place, EpisodeKey("remove_goal", place, level), True, place)


def look(grid: np.ndarray, level: int, step: int = 0) -> Observation:
    return Observation({}, {"grid": grid.reshape(-1), "level": np.array([level])}, "remove the goal block", step)


@pytest.mark.parametrize("id", IDS)
def test_every_one_is_registered_fits_the_world_and_says_what_it_was_trained_on(id: str) -> None:
    policy = policies.resolve(id).create(LAYOUT)
    assert isinstance(policy, Policy)
    assert mismatches(policy.spec, LAYOUT) == []
    assert policy.card.id == id
    assert policy.card.trained_levels == (0, 1, 2)
    assert policy.card.data.startswith("500 oracle demonstrations each of L0, L1, L2 on 10 x 10")
    assert "sha256:" in str(policy.card.checkpoint)


@pytest.mark.parametrize("id", METHODS)
def test_it_acts_on_its_whole_episode_and_forgets_it_at_reset(id: str) -> None:
    policy = policies.resolve(id).create(LAYOUT)
    demos = demonstrate(2, 4, seed=8)
    slots = [slot(place) for place in (5, 0, 3, 1)]
    taken = []
    for _ in range(2):
        policy.reset(slots)
        chunks = []
        for step in range(3):
            looks = [look(demos.grids[number, step], 2, step) for number in range(4)]
            chunks.append(np.stack([c.check(LAYOUT.action).actions[0] for c in policy.act(slots, looks, 0.0)]))
        taken.append(np.stack(chunks, axis=1).astype(np.int64))
    assert np.array_equal(taken[0], taken[1])
    seen = Seen(demos.grids, taken[0], np.full(4, 2), np.full(4, 3))
    expected = METHODS[id].grasps(read_checkpoint(find_checkpoint(id)).params, seen)
    assert np.array_equal(taken[0][:, 2], expected)


def test_slots_may_be_at_different_steps_and_none_may_be_looking() -> None:
    policy = baselines.rope(LAYOUT)
    demos = demonstrate(2, 2, seed=8)
    policy.reset([slot(0), slot(1)])
    assert policy.act([], [], 0.0) == []
    policy.act([slot(0)], [look(demos.grids[0, 0], 2)], 0.0)
    both = policy.act([slot(1), slot(0)], [look(demos.grids[1, 0], 2), look(demos.grids[0, 1], 2, 1)], 0.0)
    policy.reset([slot(1)])
    (alone,) = policy.act([slot(1)], [look(demos.grids[1, 0], 2)], 0.0)
    assert np.array_equal(alone.actions, both[0].actions)


@pytest.mark.parametrize("id", [id for id in IDS if id != "local"])
def test_another_grid_is_refused_with_what_would_train_for_it(id: str) -> None:
    method = id.split("_gate")[0].removesuffix("_seen")
    with pytest.raises(UsageError, match=f"10 x 10.*indgen train blockenv {method} --grid 20"):
        load_parts("blockenv20", id, "depth")


def test_local_takes_any_grid() -> None:
    assert load_parts("blockenv20", "local", "depth").policy.spec.action == "blockenv/grasp-20x20"


def test_another_world_is_refused_with_every_mismatch() -> None:
    with pytest.raises(LayoutError, match=r"ind does not fit world libero.*state grid.*state level"):
        load_parts("libero", "ind", "pick")


def test_other_checkpoints_are_taken_where_they_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHECKPOINTS, str(tmp_path))
    with pytest.raises(UsageError, match="no checkpoint of ind"):
        baselines.ind(LAYOUT)
    shipped = find_checkpoint("rope", SHIPPED)
    for file in (shipped, shipped.with_suffix(CARD)):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    assert checkpoint_of("rope").card == read_checkpoint(shipped).card
    monkeypatch.setenv(CHECKPOINTS, str(tmp_path / shipped.name))
    with pytest.raises(UsageError, match=r"another method's.*rope.*expected ind"):
        baselines.ind(LAYOUT)


def test_gates_are_those_that_are_reported() -> None:
    checkpoint = checkpoint_of("ind")
    with pytest.raises(UsageError, match=r"no such gate.*0, 1, 3, 10"):
        gated_ind(2, checkpoint, LAYOUT)
    seen_by = {id: policies.resolve(id).create(LAYOUT) for id in ("ind", "ind_gate0")}
    demos = demonstrate(5, 60, seed=1)
    seen = Seen(demos.grids[:, :1], demos.grasps[:, :1], np.full(60, 5), np.ones(60, dtype=np.int64))
    assert isinstance(seen_by["ind"], Baseline)
    assert not np.array_equal(seen_by["ind"].choose(seen), seen_by["ind_gate0"].choose(seen))

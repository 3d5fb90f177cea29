from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.core import ActionField, ActionLayout, EpisodeKey, Observation, Scene, Slot, WorldLayout
from indgen.core.errors import PolicyError
from indgen.policies import Adaptive, Demonstration
from indgen.policies.replay import Replay

LAYOUT = WorldLayout(ActionLayout("arm/delta", (ActionField("dx", -1, 1, "m"), ActionField("grip", -1, 1, "closes"))))


def shown(actions: np.ndarray, task: str = "milk", rollout: int = 0) -> Demonstration:
    return Demonstration(Scene("toy", task, "do it", (), 0, {}), 0, rollout, actions, "arm/delta", True)


def tape(length: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1, 1, (length, 2))


def look(policy: Replay, step: int, task: str = "milk", rollout: int = 0, level: int = 0) -> np.ndarray:
    slot = Slot(0, EpisodeKey(task, rollout, level), step == 0, 1)
    [chunk] = policy.act([slot], [Observation({}, {}, "do it", step)], 0.0)
    return chunk.check(LAYOUT.action).actions


@given(st.integers(1, 35))
def test_the_tape_is_played_exactly_across_chunks_and_then_it_holds_still(length: int) -> None:
    policy = Replay(LAYOUT)
    policy.adapt([shown(tape(length))])
    played = np.concatenate([look(policy, step) for step in range(0, 50, policy.spec.execute)])
    assert np.array_equal(played[:length], tape(length))
    assert np.array_equal(played[length:], np.tile([0.0, tape(length)[-1, -1]], (50 - length, 1)))


@given(st.integers(0, 60))
def test_the_place_on_the_tape_is_the_step_alone(step: int) -> None:
    policy = Replay(LAYOUT)
    policy.adapt([shown(tape(25))])
    expected = tape(25)[step] if step < 25 else [0.0, tape(25)[-1, -1]]
    assert np.array_equal(look(policy, step)[0], expected)


def test_each_start_has_its_own_tape_at_every_level() -> None:
    policy = Replay(LAYOUT)
    policy.adapt([shown(tape(20, 1), "milk", 0), shown(tape(20, 2), "milk", 1)])
    policy.adapt([shown(tape(20, 3), "soup", 0)])
    for seed, (task, rollout) in {1: ("milk", 0), 2: ("milk", 1), 3: ("soup", 0)}.items():
        for level in (-3, 0, 3):
            assert np.array_equal(look(policy, 0, task, rollout, level), tape(20, seed)[:10])


def test_slots_share_nothing() -> None:
    policy = Replay(LAYOUT)
    policy.adapt([shown(tape(20, 1), rollout=0), shown(tape(20, 2), rollout=1)])
    slots = [Slot(i, EpisodeKey("milk", i, 0), False, 0) for i in (1, 0)]
    first, second = policy.act(slots, [Observation({}, {}, "", 10), Observation({}, {}, "", 5)], 0.0)
    assert np.array_equal(first.actions, tape(20, 2)[10:])
    assert np.array_equal(second.actions, tape(20, 1)[5:15])


def test_playing_never_writes_on_the_tape() -> None:
    policy, kept = Replay(LAYOUT), tape(5)
    policy.adapt([shown(kept)])
    look(policy, 0)
    assert np.array_equal(kept, tape(5))


def test_without_a_tape_it_says_which_start_is_missing() -> None:
    policy = Replay(LAYOUT)
    policy.adapt([shown(tape(5), rollout=1)])
    with pytest.raises(PolicyError, match="replay has no recording of this start; got milk, rollout 0"):
        look(policy, 0)


def test_it_asks_for_one_expert_demonstration_at_tau_0_of_every_start() -> None:
    policy = Replay(LAYOUT)
    assert isinstance(policy, Adaptive)
    support = policy.spec.support
    assert support is not None
    assert (support.demonstrator, support.levels, support.per_start) == ("expert", (0,), True)
    assert policy.card.trained_levels == support.levels

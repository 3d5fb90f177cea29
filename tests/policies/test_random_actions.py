from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from indgen.core import ActionField, ActionLayout, EpisodeKey, Observation, Slot, WorldLayout
from indgen.policies.random_actions import RandomActions

LAYOUT = WorldLayout(ActionLayout("arm/mixed", (ActionField("dx", -2, 1, "m"), ActionField("grip", 0, 1, "closes"))))
SEEN = Observation({}, {}, "wander", 0)


def slot(place: int, seed: int, rollout: int = 0) -> Slot:
    return Slot(place, EpisodeKey("milk", rollout, 0), True, seed)


def tape(policy: RandomActions, slots: Sequence[Slot], steps: int) -> np.ndarray:
    """(slots, steps, d)"""
    policy.reset(slots)
    looks = [[chunk.actions[0] for chunk in policy.act(slots, [SEEN] * len(slots), 0.0)] for _ in range(steps)]
    return np.array(looks).swapaxes(0, 1)


def test_noise_depends_on_the_slot_s_seed_alone() -> None:
    alone = tape(RandomActions(LAYOUT), [slot(0, 42)], 5)[0]
    crowd = tape(RandomActions(LAYOUT), [slot(3, 1), slot(9, 42, rollout=7), slot(1, 2)], 5)
    assert np.array_equal(crowd[1], alone)
    assert not np.array_equal(crowd[0], alone)


def test_another_slot_s_end_changes_nothing() -> None:
    policy = RandomActions(LAYOUT)
    policy.reset([slot(0, 42), slot(1, 5)])
    first = policy.act([slot(0, 42), slot(1, 5)], [SEEN] * 2, 0.0)[0].actions
    policy.reset([slot(1, 6)])
    then = policy.act([slot(1, 6), slot(0, 42)], [SEEN] * 2, 0.0)[1].actions
    assert np.array_equal(np.stack([first[0], then[0]]), tape(RandomActions(LAYOUT), [slot(0, 42)], 2)[0])


def test_a_reset_starts_the_noise_anew() -> None:
    policy = RandomActions(LAYOUT)
    assert np.array_equal(tape(policy, [slot(0, 42)], 4), tape(policy, [slot(0, 42)], 4))


def test_actions_fill_every_range_and_never_leave_it() -> None:
    drawn = tape(RandomActions(LAYOUT), [slot(0, 7)], 500)[0]
    assert np.array_equal(LAYOUT.action.check(drawn), drawn)
    assert np.allclose(drawn.min(0), [-2, 0], atol=0.05)
    assert np.allclose(drawn.max(0), [1, 1], atol=0.05)


def test_whole_entries_are_drawn_uniformly_from_their_whole_numbers() -> None:
    fields = (ActionField("row", 0, 3, "cell", whole=True), ActionField("dx", -2, 1, "m"))
    layout = WorldLayout(ActionLayout("board/mixed", fields))
    drawn = tape(RandomActions(layout), [slot(0, 7)], 2000)[0]
    assert np.array_equal(layout.action.check(drawn), drawn)
    values, counts = np.unique(drawn[:, 0], return_counts=True)
    assert values.tolist() == [0, 1, 2, 3]
    assert counts.min() > 400
    assert not np.array_equal(drawn[:, 1], np.round(drawn[:, 1]))


def test_it_says_that_it_draws_noise() -> None:
    assert RandomActions(LAYOUT).spec.stochastic

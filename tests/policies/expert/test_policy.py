from __future__ import annotations

import numpy as np
import pytest

from indgen.core import EpisodeKey, Observation, Slot
from indgen.core.errors import PolicyError
from indgen.policies.expert import Expert
from indgen.policies.expert.policy import READS
from indgen.sim.libero.layout import LAYOUT


def slot(place: int) -> Slot:
    return Slot(place, EpisodeKey("milk", place, 0), True, 0)


def seen(x: float, y: float) -> Observation:
    truth = {
        "hand/pos": np.array([0.0, 0.0, 0.4]),
        "hand/quat": np.array([1.0, 0.0, 0.0, 0.0]),
        "gripper/qpos": np.array([0.04, -0.04]),
        "pick/pos": np.array([x, y, 0.04]),
        "pick/quat": np.array([0.0, 0.0, 0.0, 1.0]),
        "pick/box": np.array([[-0.02, -0.03, -0.04], [0.02, 0.03, 0.04]]),
        "goal/pos": np.array([0.0, 0.3, 0.06]),
        "goal/size": np.array([0.07, 0.07, 0.05]),
        "others/pos": np.zeros((0, 3)),
        "others/quat": np.zeros((0, 4)),
        "others/box": np.zeros((0, 2, 3)),
    }
    return Observation({}, {}, "pick up the milk", 0, privileged=truth)


def test_one_checked_action_per_slot_towards_its_own_object() -> None:
    expert, slots = Expert(LAYOUT), [slot(0), slot(1)]
    expert.reset(slots)
    first, second = (
        chunk.check(LAYOUT.action).actions for chunk in expert.act(slots, [seen(0.2, 0), seen(-0.2, 0)], 0)
    )
    assert first.shape == second.shape == (1, 7)
    assert first[0, 0] == 1.0
    assert second[0, 0] == -1.0


def test_slots_share_no_state() -> None:
    crowd, alone = Expert(LAYOUT), Expert(LAYOUT)
    crowd.reset([slot(0), slot(1)])
    alone.reset([slot(1)])
    for _ in range(3):
        together = crowd.act([slot(0), slot(1)], [seen(0.2, 0.1), seen(-0.1, 0.2)], 0)[1]
        assert np.array_equal(together.actions, alone.act([slot(1)], [seen(-0.1, 0.2)], 0)[0].actions)


def test_a_reset_forgets_the_grasp_that_was_chosen() -> None:
    used, fresh = Expert(LAYOUT), Expert(LAYOUT)
    used.reset([slot(0)])
    used.act([slot(0)], [seen(0.2, 0.1)], 0)
    used.reset([slot(0)])
    fresh.reset([slot(0)])
    again, first = (expert.act([slot(0)], [seen(-0.1, 0.2)], 0)[0].actions for expert in (used, fresh))
    assert np.array_equal(again, first)


def test_without_simulator_truth_it_refuses() -> None:
    expert = Expert(LAYOUT)
    expert.reset([slot(0)])
    with pytest.raises(PolicyError, match="the expert needs simulator truth; got an observation without it"):
        expert.act([slot(0)], [Observation({}, {}, "", 0)], 0)


def test_it_declares_everything_it_reads_and_libero_offers_it() -> None:
    assert set(Expert(LAYOUT).spec.privileged) == set(READS) == set(LAYOUT.privileged)
    assert set(READS) == set(seen(0, 0).privileged or ())

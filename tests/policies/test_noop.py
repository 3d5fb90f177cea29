from __future__ import annotations

import numpy as np

from indgen.core import ActionField, ActionLayout, EpisodeKey, Observation, Slot, WorldLayout
from indgen.policies import Policy
from indgen.policies.noop import Noop
from indgen.sim.libero.layout import LAYOUT as LIBERO

SEEN = Observation({}, {}, "wait", 0)


def test_noop_returns_the_middle_of_every_range_for_every_slot() -> None:
    layout = ActionLayout("arm/mixed", (ActionField("dx", -1, 1, "m"), ActionField("grip", 0, 1, "1 closes")))
    policy = Noop(WorldLayout(layout))
    slots = [Slot(i, EpisodeKey("milk", i, 0), True, i) for i in range(3)]
    policy.reset(slots)
    chunks = policy.act(slots, [SEEN] * 3, 0.0)
    assert [chunk.check(layout).actions.tolist() for chunk in chunks] == [[[0.0, 0.5]]] * 3


def test_noop_rounds_down_where_an_entry_must_be_whole() -> None:
    layout = ActionLayout("board/cell", (ActionField("row", 0, 9, "cell", whole=True), ActionField("dx", 0, 1, "m")))
    [chunk] = Noop(WorldLayout(layout)).act([Slot(0, EpisodeKey("milk", 0, 0), True, 0)], [SEEN], 0.0)
    assert chunk.check(layout).actions.tolist() == [[4.0, 0.5]]


def test_noop_moves_nothing_in_libero() -> None:
    policy = Noop(LIBERO)
    assert isinstance(policy, Policy)
    [chunk] = policy.act([Slot(0, EpisodeKey("milk", 0, 0), True, 0)], [SEEN], 0.0)
    assert np.array_equal(chunk.check(LIBERO.action).actions, np.zeros((1, 7)))

"""What an episode tells of the hand's acts, on LIBERO's own physics, and the following ratio made of it."""

from __future__ import annotations

import numpy as np
import pytest

from indgen.axes.goal import LiberoGoal
from indgen.axes.pick import LiberoPick
from indgen.core import Observation, Transition
from indgen.sim.worker.protocol import transition_from_dict, transition_to_dict

from .conftest import Remote

pytestmark = pytest.mark.libero
OPEN, CLOSED = -1.0, 1.0


def truth(seen: Observation | None, name: str) -> np.ndarray:
    assert seen is not None and seen.privileged is not None
    return seen.privileged[name]


def gripping(remote: Remote, command: float, count: int, push: float = 0.0) -> Transition:
    action = np.array([0.0, push, 0.0, 0.0, 0.0, 0.0, command])
    return remote.advance(np.tile(action, (count, 1)))


def test_it_acts_where_it_was_told_to(state_only: Remote) -> None:
    """Two closings and two openings: of each pair the one nearer to its target counts, where the hand was before."""
    start = state_only.reset(LiberoGoal().at(state_only.ground("milk"), 1))
    closings, openings = [], []
    for push in (0.5, 1.0):
        closings.append(gripping(state_only, OPEN, 20, push).observation)
        openings.append(gripping(state_only, CLOSED, 20, push).observation)
    done = gripping(state_only, OPEN, 200)
    assert done.done and done.observation is None
    assert {role: act.how for role, act in done.acts.items()} == {"pick": "command", "goal": "command"}
    for role, moments in (("pick", closings), ("goal", openings)):
        away = [np.linalg.norm(truth(seen, "hand/pos") - truth(seen, f"{role}/pos")) for seen in moments]
        nearer = moments[int(np.argmin(away))]
        np.testing.assert_array_equal(done.acts[role].hand, truth(nearer, "hand/pos"))
        np.testing.assert_array_equal(done.acts[role].target, truth(start, f"{role}/pos"))
        assert max(away) - min(away) > 0.02
    assert transition_from_dict(transition_to_dict(done)).acts == done.acts


def test_a_hand_that_still_holds_acts_at_the_end_and_one_that_never_closed_where_it_came_closest(
    state_only: Remote,
) -> None:
    scene = state_only.ground("milk")
    state_only.reset(scene)
    gripping(state_only, CLOSED, 279)
    held = gripping(state_only, CLOSED, 1)
    assert held.done and held.acts["goal"].how == "end"
    start = state_only.reset(scene)
    idle = gripping(state_only, OPEN, 280)
    assert {act.how for act in idle.acts.values()} == {"approach"}
    np.testing.assert_allclose(idle.acts["pick"].hand, truth(start, "hand/pos"), atol=0.02)


def test_acts_are_told_once_the_episode_is_over_and_begin_anew(state_only: Remote) -> None:
    scene = state_only.ground("milk")
    state_only.reset(scene)
    assert gripping(state_only, CLOSED, 5).acts == {}
    state_only.reset(LiberoPick().at(scene, 2))
    idle = gripping(state_only, OPEN, 280)
    assert {act.how for act in idle.acts.values()} == {"approach"}

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.policies.expert.grasp import Array, downward_hand
from indgen.policies.expert.readings import finger_room, highest, lowest, opening, turn_to

ANGLES = st.floats(-3.1, 3.1)


def about_z(yaw: float) -> Array:
    return np.array([0.0, 0.0, np.sin(yaw / 2), np.cos(yaw / 2)])


def scene(yaw: float = 0.0, aside: float = 0.0) -> dict[str, Array]:
    """A 5 x 7 x 8 cm block turned by `yaw`; fingers 8 cm open, closing along x, the hand 2 cm above and off in x."""
    return {
        "hand/pos": np.array([0.1 + aside, 0.2, 0.1]),
        "hand/quat": np.array([1.0, 0.0, 0.0, 0.0]),
        "gripper/qpos": np.array([0.04, -0.04]),
        "pick/pos": np.array([0.1, 0.2, 0.04]),
        "pick/quat": about_z(yaw),
        "pick/box": np.array([[-0.025, -0.035, -0.04], [0.025, 0.035, 0.04]]),
    }


def test_finger_room_is_half_of_what_the_opening_leaves_less_the_offset() -> None:
    assert opening(scene()) == pytest.approx(0.08)
    assert finger_room(scene()) == pytest.approx(0.015)
    assert finger_room(scene(aside=0.005)) == finger_room(scene(aside=-0.005)) == pytest.approx(0.010)
    assert finger_room(scene(aside=0.02)) == pytest.approx(-0.005)


def test_finger_room_follows_the_object_s_turn_and_the_hand_s() -> None:
    assert finger_room(scene(yaw=np.pi / 2)) == pytest.approx(0.005)
    turned = scene(yaw=np.pi / 2)
    turned["hand/quat"] = np.array([np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0])
    assert finger_room(turned) == pytest.approx(0.015)


@given(ANGLES)
def test_an_object_turned_about_the_vertical_keeps_its_heights(yaw: float) -> None:
    assert lowest(scene(yaw)) == pytest.approx(0.0)
    assert highest(scene(yaw)) == pytest.approx(0.08)


@given(st.floats(-1.5, 1.5))
def test_turn_to_is_the_way_from_the_hand_s_rotation(yaw: float) -> None:
    assert turn_to(scene(), downward_hand(yaw)) == pytest.approx([0.0, 0.0, yaw], abs=1e-9)

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.policies.expert.grasp import (
    MAX_WIDTH,
    Array,
    corners,
    downward_hand,
    gap,
    plan_grasp,
    rotation_matrix,
    rotation_vector,
)

UNIT = st.floats(-1, 1)
VECTORS = st.tuples(UNIT, UNIT, UNIT).map(np.array)
QUATS = st.tuples(UNIT, UNIT, UNIT, UNIT).map(np.array).filter(lambda q: np.linalg.norm(q) > 0.1)
ANGLES = st.floats(-3.1, 3.1)
HAND_DOWN = np.array([1.0, 0.0, 0.0, 0.0])
"""Half a turn about x: the palm looks down, x stays x (xyzw)."""


def about_z(yaw: float) -> Array:
    return np.array([0.0, 0.0, np.sin(yaw / 2), np.cos(yaw / 2)])


def box(x: float, y: float, z: float) -> Array:
    return np.array([[-x, -y, -z], [x, y, z]]) / 2


def scene(pick: Array, yaw: float = 0.0, others: tuple[tuple[float, float, float], ...] = ()) -> dict[str, Array]:
    """One object at (0.1, 0.2), standing on z = 0, and upright 5 x 5 x 20 cm neighbours at (x, y, yaw)."""
    return {
        "hand/pos": np.array([0.0, 0.0, 0.5]),
        "hand/quat": HAND_DOWN,
        "pick/pos": np.array([0.1, 0.2, pick[1, 2]]),
        "pick/quat": about_z(yaw),
        "pick/box": pick,
        "others/pos": np.array([[x, y, 0.1] for x, y, _ in others]).reshape(-1, 3),
        "others/quat": np.array([about_z(turn) for _, _, turn in others]).reshape(-1, 4),
        "others/box": np.array([box(0.05, 0.05, 0.2) for _ in others]).reshape(-1, 2, 3),
    }


@given(QUATS)
def test_a_quaternion_s_matrix_is_a_rotation_whatever_its_length_and_sign(quat: Array) -> None:
    matrix = rotation_matrix(quat)
    assert np.allclose(matrix @ matrix.T, np.eye(3))
    assert np.isclose(np.linalg.det(matrix), 1)
    assert np.allclose(rotation_matrix(-3 * quat), matrix)


@given(VECTORS.filter(lambda v: np.linalg.norm(v) > 0.1), st.floats(0, 3.1))
def test_rotation_vector_undoes_rotation_matrix(axis: Array, angle: float) -> None:
    axis = axis / np.linalg.norm(axis)
    quat = np.append(axis * np.sin(angle / 2), np.cos(angle / 2))
    assert np.allclose(rotation_vector(rotation_matrix(quat)), axis * angle, atol=1e-7)


def test_quaternions_are_xyzw_and_turn_right_handed() -> None:
    assert np.allclose(rotation_matrix(about_z(np.pi / 2)) @ [1, 0, 0], [0, 1, 0])


@given(ANGLES)
def test_a_downward_hand_points_down_and_closes_along_its_yaw(yaw: float) -> None:
    hand = downward_hand(yaw)
    assert np.allclose(hand @ hand.T, np.eye(3))
    assert np.isclose(np.linalg.det(hand), 1)
    assert np.allclose(hand[:, 0], [np.cos(yaw), np.sin(yaw), 0])
    assert np.allclose(hand[:, 2], [0, 0, -1])


@given(VECTORS, QUATS)
def test_corners_keep_their_distances_and_their_middle(pos: Array, quat: Array) -> None:
    points = corners(pos, quat, box(0.1, 0.2, 0.3))
    assert points.shape == (8, 3)
    assert np.allclose(points.mean(0), pos)
    assert np.allclose(np.linalg.norm(points - pos, axis=1), np.linalg.norm([0.05, 0.1, 0.15]))
    assert len({tuple(point) for point in points.round(9)}) == 8


def test_corners_of_an_unturned_box_are_its_own() -> None:
    points = corners(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]), np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]]))
    assert sorted(map(tuple, points)) == [(x, y, z) for x in (0, 1) for y in (0, 2) for z in (0, 3)]


SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@given(st.floats(-3, 3), st.floats(-3, 3))
def test_a_gap_is_symmetric_and_never_longer_than_the_distance(x: float, y: float) -> None:
    shifted = SQUARE + np.array([x, y])
    outside = np.maximum(np.abs([x, y]) - 1, 0)
    assert gap(SQUARE, shifted) == pytest.approx(gap(shifted, SQUARE))
    assert gap(SQUARE, shifted) <= np.linalg.norm(outside) + 1e-9
    if outside.any():
        assert gap(SQUARE, shifted) >= 0.999 * np.linalg.norm(outside) - 1e-9
    else:
        assert gap(SQUARE, shifted) <= 1e-9


@given(ANGLES, st.floats(0.02, 0.045), st.floats(0.012, 0.05))
def test_a_lone_object_is_gripped_where_it_is_narrowest(yaw: float, narrow: float, more: float) -> None:
    grasp = plan_grasp(scene(box(narrow, narrow + more, 0.08), yaw))
    assert grasp.width == pytest.approx(narrow)
    assert abs(grasp.rotation[:, 0] @ [np.cos(yaw), np.sin(yaw), 0]) == pytest.approx(1)
    assert np.allclose(grasp.rotation[:, 2], [0, 0, -1])


@given(ANGLES)
def test_the_hand_never_swings_more_than_its_wrist_allows(yaw: float) -> None:
    grasp = plan_grasp(scene(box(0.03, 0.06, 0.08), yaw))
    heading = np.rad2deg(np.arctan2(grasp.rotation[1, 0], grasp.rotation[0, 0]))
    assert -80 - 1e-6 <= heading <= 100 + 1e-6


@given(ANGLES)
def test_the_grip_lies_on_the_object_s_axis_and_above_the_floor(yaw: float) -> None:
    truth = scene(box(0.03, 0.06, 0.08), yaw)
    grasp = plan_grasp(truth)
    site = truth["pick/pos"] + grasp.offset
    assert np.allclose(site[:2], truth["pick/pos"][:2])
    assert 0.012 <= site[2] <= 0.08


def test_an_object_too_wide_one_way_is_gripped_the_other_way() -> None:
    assert plan_grasp(scene(box(0.12, 0.06, 0.05))).width < MAX_WIDTH


@pytest.mark.parametrize("side", [-1, 1])
def test_fingers_keep_clear_of_a_neighbour_beside_the_narrow_way(side: int) -> None:
    pick = box(0.04, 0.044, 0.08)
    free = plan_grasp(scene(pick))
    beside = plan_grasp(scene(pick, others=((0.1 + side * 0.06, 0.2, 0.0),)))
    assert abs(free.rotation[0, 0]) == pytest.approx(1)
    assert free.clearance == 1.0
    assert beside.clearance > 0.0
    assert abs(beside.rotation[0, 0]) < 0.5


def test_between_two_neighbours_the_hand_turns_across() -> None:
    grasp = plan_grasp(scene(box(0.04, 0.044, 0.08), others=((0.04, 0.2, 0.0), (0.16, 0.2, 0.0))))
    assert abs(grasp.rotation[1, 0]) == pytest.approx(1, abs=0.15)
    assert grasp.clearance > 0.0


def test_a_far_or_low_neighbour_changes_nothing() -> None:
    pick = box(0.04, 0.06, 0.08)
    free = plan_grasp(scene(pick))
    far = plan_grasp(scene(pick, others=((0.6, 0.2, 0.0),)))
    low = scene(pick, others=((0.16, 0.2, 0.0),))
    low["others/pos"][:, 2] = -0.099
    assert np.allclose(far.rotation, free.rotation)
    assert np.allclose(plan_grasp(low).rotation, free.rotation)

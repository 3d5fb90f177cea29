"""What an observation of simulator truth says: widths, heights, rooms. Metres, radians, world frame."""

from __future__ import annotations

import numpy as np

from .grasp import FINGER_TIP, Array, Truth, corners, neighbours, rotation_matrix, rotation_vector

_RIM = 0.006
"""How far the basket's rim stands above its contain region, metres."""


def opening(truth: Truth) -> float:
    """Return the opening between the fingers, metres."""
    return float(truth["gripper/qpos"][0] - truth["gripper/qpos"][1])


def in_hand(truth: Truth) -> Array:
    """Return the object's origin in the hand's frame, (3,), metres."""
    return rotation_matrix(truth["hand/quat"]).T @ (truth["pick/pos"] - truth["hand/pos"])


def lowest(truth: Truth) -> float:
    """Return the height of the object's lowest corner, metres."""
    points = corners(truth["pick/pos"], truth["pick/quat"], truth["pick/box"])
    return float(points[:, 2].min())


def highest(truth: Truth) -> float:
    """Return the height of the object's highest corner, metres."""
    points = corners(truth["pick/pos"], truth["pick/quat"], truth["pick/box"])
    return float(points[:, 2].max())


def finger_room(truth: Truth) -> float:
    """Return the smaller of the gaps between the object's box and the two fingers as they stand, metres.

    Measured along the hand's own closing direction, whatever its height; negative where a finger would land on the
    object if the hand went straight down.
    """
    points = corners(truth["pick/pos"], truth["pick/quat"], truth["pick/box"]) - truth["hand/pos"]
    closing = rotation_matrix(truth["hand/quat"])[:, 0]
    return opening(truth) / 2.0 - float(np.abs(points @ closing).max())


def rim_height(truth: Truth) -> float:
    """Return the height of the basket's rim, metres: a little above the contain region."""
    return float(truth["goal/pos"][2] + truth["goal/size"][2] + _RIM)


def travel_height(truth: Truth) -> float:
    """Return a grip site height, metres, at which open fingers pass over everything."""
    points = corners(truth["pick/pos"], truth["pick/quat"], truth["pick/box"])
    tops = [float(p[:, 2].max()) for p in [points, *neighbours(truth)]]
    return max([rim_height(truth), *tops]) + FINGER_TIP + 0.02


def is_inside(truth: Truth) -> bool:
    """Return whether the object's origin lies in the contain region."""
    return bool(np.all(np.abs(truth["pick/pos"] - truth["goal/pos"]) < truth["goal/size"]))


def turn_to(truth: Truth, rotation: Array) -> Array:
    """Return the (3,) world rotation vector, radians, that brings the hand to `rotation`."""
    return rotation_vector(rotation @ rotation_matrix(truth["hand/quat"]).T)

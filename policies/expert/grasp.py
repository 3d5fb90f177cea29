"""Geometry of a top-down grasp: boxes, clearances and the choice of a yaw.

All positions are metres in the world frame (z up), angles are radians and quaternions are xyzw.
A box is a (2, 3) array: the minimum and maximum corner in its body's frame.
The hand frame is the grip site's: x is the closing direction, z points out of the palm.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Truth = Mapping[str, NDArray[np.float64]]

FINGER_TIP = 0.009
"""How far the finger tips reach below the grip site, metres."""
PALM = 0.031
"""How far the palm lies above the grip site, metres."""
MAX_WIDTH = 0.078
"""The widest object that fits between the open fingers, metres."""
_PALM_HALF = (0.102, 0.022)
_FINGER_SPAN = (0.038, 0.065)
_FINGER_HALF = 0.011
_GRIP_DEPTH = 0.031
_FLOOR_MARGIN = 0.012
_CLEARANCE = 0.012
_YAW_GRID = 12
_SLIDES = (0.0, -0.01, 0.01, -0.02, 0.02)
_PAD_HALF = 0.009
_SWING_WEIGHT = 0.008
_SLIDE_WEIGHT = 0.3
_WIDE_WEIGHT = 20.0
_CLEARANCE_WEIGHT = 10.0
_SWING_RANGE = (np.deg2rad(-80.0), np.deg2rad(100.0))
_FAN = np.linspace(0.0, np.pi, 36, endpoint=False)
_DIRECTIONS = np.stack([np.cos(_FAN), np.sin(_FAN)])


@dataclass(frozen=True)
class Grasp:
    """A top-down grasp of one object.

    Attributes:
        offset: (3,) grip site minus the object's body origin, metres, world axes.
        rotation: (3, 3) the hand's axes in the world.
        width: the object's extent along the closing direction, metres.
        clearance: the smallest gap to a neighbour, metres; negative where they overlap.
    """

    offset: Array
    rotation: Array
    width: float
    clearance: float


def rotation_matrix(quat: Array) -> Array:
    """Return the (3, 3) rotation of a unit quaternion `quat` (4,), xyzw."""
    x, y, z, w = (float(v) for v in quat / np.linalg.norm(quat))
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def rotation_vector(matrix: Array) -> Array:
    """Return the (3,) axis times angle, radians, of a rotation `matrix` (3, 3) below pi."""
    twice_sine = np.array(
        [
            matrix[2, 1] - matrix[1, 2],
            matrix[0, 2] - matrix[2, 0],
            matrix[1, 0] - matrix[0, 1],
        ]
    )
    norm = float(np.linalg.norm(twice_sine))
    angle = float(np.arctan2(norm, np.trace(matrix) - 1.0))
    return twice_sine * (angle / norm if norm > 1e-9 else 0.5)


def downward_hand(yaw: float) -> Array:
    """Return the (3, 3) rotation of a hand that points down and closes along heading `yaw`."""
    x = np.array([np.cos(yaw), np.sin(yaw), 0.0])
    z = np.array([0.0, 0.0, -1.0])
    return np.stack([x, np.cross(z, x), z], axis=1)


def corners(pos: Array, quat: Array, box: Array) -> Array:
    """Return the (8, 3) world corners of a `box` (2, 3) whose body is at `pos`, `quat`."""
    pick = np.array(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij")).reshape(3, 8).T
    local = box[pick, np.arange(3)]
    return local @ rotation_matrix(quat).T + pos


def neighbours(truth: Truth) -> list[Array]:
    """Return the (8, 3) world corners of every object that is not to be picked."""
    rows = zip(truth["others/pos"], truth["others/quat"], truth["others/box"], strict=True)
    return [corners(pos, quat, box) for pos, quat, box in rows]


def gap(first: Array, second: Array) -> float:
    """Return the distance of two convex planar sets, (n, 2) and (m, 2); overlap is negative."""
    a, b = first @ _DIRECTIONS, second @ _DIRECTIONS
    apart = np.maximum(b.min(0) - a.max(0), a.min(0) - b.max(0))
    return float(apart.max())


def plan_grasp(truth: Truth) -> Grasp:
    """Choose the grasp of the object under ``pick/*``.

    The yaw is the one along which the object is narrowest, among those that leave room beside the
    neighbours; of nearly equal ones it is the smallest turn of the hand. Where a neighbour is in
    the way the fingers may close beside the object's middle.
    """
    points = corners(truth["pick/pos"], truth["pick/quat"], truth["pick/box"])
    others = neighbours(truth)
    closing = rotation_matrix(truth["hand/quat"])[:, 0]
    heading = float(np.arctan2(closing[1], closing[0]))
    best, best_cost = None, np.inf
    for angle in _yaws(truth["pick/quat"]):
        swing = (angle - heading - _SWING_RANGE[0]) % np.pi + _SWING_RANGE[0]
        rotation = downward_hand(heading + swing)
        width = float(np.ptp(points @ rotation[:, 0]))
        cost = width + _SWING_WEIGHT * abs(swing) / (np.pi / 2.0)
        cost += _WIDE_WEIGHT * max(0.0, width - MAX_WIDTH)
        room = max(0.0, float(np.ptp(points @ rotation[:, 1])) / 2.0 - _PAD_HALF)
        for slide in (s for s in _SLIDES if abs(s) <= room):
            site = _grip_site(points) + slide * rotation[:, 1]
            clearance = _hand_clearance(site, rotation, others)
            total = cost + _SLIDE_WEIGHT * abs(slide)
            total += _CLEARANCE_WEIGHT * max(0.0, _CLEARANCE - clearance)
            if total < best_cost:
                best_cost = total
                best = Grasp(site - truth["pick/pos"], rotation, width, clearance)
    assert best is not None
    return best


def _grip_site(points: Array) -> Array:
    """Return where to close on an object with corners `points` (8, 3): (3,), metres, world."""
    low, high = points.min(0), points.max(0)
    height = float(high[2] - low[2])
    rise = max(_FLOOR_MARGIN, height / 2.0, height - _GRIP_DEPTH)
    return np.array([(low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0, low[2] + rise])


def _yaws(quat: Array) -> list[float]:
    """Return the headings to try: the object's own horizontal axes, then an even fan."""
    axes = rotation_matrix(quat).T
    own = [float(np.arctan2(a[1], a[0])) for a in axes if abs(a[2]) < 0.7]
    return own + [float(a) for a in np.arange(_YAW_GRID) * np.pi / _YAW_GRID]


def _hand_clearance(site: Array, rotation: Array, others: list[Array]) -> float:
    """Return the smallest gap, metres, of the open hand at `site` to the objects around it."""
    near, far = _FINGER_SPAN
    fingers = [_rectangle((near, far), _FINGER_HALF), _rectangle((-far, -near), _FINGER_HALF)]
    palm = _rectangle((-_PALM_HALF[0], _PALM_HALF[0]), _PALM_HALF[1])
    smallest = 1.0
    for points in others:
        top = points[:, 2].max()
        parts = fingers if top > site[2] - FINGER_TIP - 0.005 else []
        parts = [*parts, palm] if top > site[2] + PALM - 0.005 else parts
        for part in parts:
            placed = part @ rotation[:2, :2].T + site[:2]
            smallest = min(smallest, gap(placed, points[:, :2]))
    return smallest


def _rectangle(along: tuple[float, float], half: float) -> Array:
    """Return the (4, 2) corners of a rectangle in the hand's x, y plane, metres."""
    return np.array([[x, y] for x in along for y in (-half, half)])

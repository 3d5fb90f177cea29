"""A scripted expert that picks one object and drops it in the basket.

The expert sees simulator truth (metres, world frame, quaternions xyzw) and answers with one
OSC_POSE delta a control step: +-1 is +-0.05 m or +-0.5 rad, gripper -1 opens and +1 closes.
"""

from __future__ import annotations

from enum import Enum

import numpy as np

from .grasp import (
    FINGER_TIP,
    Array,
    Grasp,
    Truth,
    corners,
    gap,
    neighbours,
    plan_grasp,
    rotation_matrix,
    rotation_vector,
)

_GAIN = 20.0
_TURN_GAIN = 2.0
_REACH_MARGIN = 0.03
_FUNNEL_SLOPE = 6.0
_AT_POINT = 0.004
_AT_HEIGHT = 0.003
_AT_ANGLE = 0.04
_STALL = 0.0008
_CLOSE_STEPS = (5, 14)
_STILL_WIDTH = 0.0006
_EMPTY_WIDTH = 0.006
_SLIP = 0.03
_RIM = 0.006
_RIM_MARGIN = 0.025
_CORRIDOR = 0.13
_OVER_GOAL = 0.02
_BASKET_FLOOR = 0.019
_TIP_BELOW_RIM = 0.034
_RELEASE_STEPS = 20
_FREE_WIDTH = 0.02
_FREE_PLAY = 0.013
_RETREAT = 0.08
_VERDICT_STEPS = 30


class Phase(Enum):
    """Where an episode stands."""

    REACH = "reach"
    CLOSE = "close"
    CARRY = "carry"
    LOWER = "lower"
    RELEASE = "release"
    HOLD = "hold"


class PickPlace:
    """One episode's state machine.

    Call `action` once a control step. An object that slips, or that misses the basket, is picked
    up again from where it lies.
    """

    def __init__(self) -> None:
        self._phase = Phase.REACH
        self._steps = 0
        self._retries = 0
        self._grasp: Grasp | None = None
        self._travel = 0.0
        self._held = np.zeros(3)
        self._held_width = 0.0
        self._anchor = np.zeros(3)
        self._last_width = 0.0
        self._last_height = 0.0

    def action(self, truth: Truth) -> Array:
        """Return the next action.

        Args:
            truth: ``hand/pos`` (3,) and ``hand/quat`` (4,) of the grip site, ``gripper/qpos``
                (2,), ``pick/pos`` (3,), ``pick/quat`` (4,) and ``pick/box`` (2, 3) of the object,
                ``goal/pos`` (3,) and ``goal/size`` (3,) of the contain region, ``others/pos``
                (n, 3), ``others/quat`` (n, 4) and ``others/box`` (n, 2, 3).

        Returns:
            (7,) dx, dy, dz, dax, day, daz, gripper, each in [-1, 1].
        """
        if self._grasp is None:
            self._grasp = plan_grasp(truth)
            self._travel = _travel_height(truth)
        steps = {
            Phase.REACH: self._reach,
            Phase.CLOSE: self._close,
            Phase.CARRY: self._carry,
            Phase.LOWER: self._lower,
            Phase.RELEASE: self._release,
            Phase.HOLD: self._hold,
        }
        phase = self._phase
        target, grip = steps[phase](truth, self._grasp)
        self._steps = self._steps + 1 if self._phase is phase else 0
        self._last_height = float(truth["hand/pos"][2])
        self._last_width = _width(truth)
        return _command(truth, target, self._grasp_rotation(truth), grip)

    def _grasp_rotation(self, truth: Truth) -> Array:
        return self._grasp.rotation if self._grasp else rotation_matrix(truth["hand/quat"])

    def _enter(self, phase: Phase, truth: Truth) -> None:
        self._phase = phase
        self._anchor = truth["hand/pos"].copy()

    def _retry(self, truth: Truth) -> tuple[Array, float]:
        self._enter(Phase.REACH, truth)
        self._grasp = None
        self._retries += 1
        return truth["hand/pos"].copy(), -1.0

    def _reach(self, truth: Truth, grasp: Grasp) -> tuple[Array, float]:
        hand = truth["hand/pos"]
        site = truth["pick/pos"] + grasp.offset
        away = float(np.linalg.norm(hand[:2] - site[:2]))
        turn = float(np.linalg.norm(_turn(truth, grasp.rotation)))
        travel = max(self._travel, float(site[2]))
        error = max(0.0, away - _AT_POINT) + 0.05 * max(0.0, turn - _AT_ANGLE)
        target = site.copy()
        target[2] = min(travel, site[2] + _FUNNEL_SLOPE * error)
        if away > _REACH_MARGIN and hand[2] < travel - 0.02:
            # Rise before moving sideways, or the fingers sweep what stands around.
            target = np.array([hand[0], hand[1], travel])
        near = away < 2 * _AT_POINT and turn < 2 * _AT_ANGLE
        down = hand[2] - site[2]
        stalled = abs(hand[2] - self._last_height) < _STALL and self._steps > 5
        if near and (down < _AT_HEIGHT or (down < 0.03 and stalled)):
            self._enter(Phase.CLOSE, truth)
            return self._anchor, 1.0
        return target, -1.0

    def _close(self, truth: Truth, grasp: Grasp) -> tuple[Array, float]:
        width = _width(truth)
        still = abs(width - self._last_width) < _STILL_WIDTH
        least, most = _CLOSE_STEPS
        if (self._steps >= least and still) or self._steps >= most:
            if width < _EMPTY_WIDTH:
                return self._retry(truth)
            self._enter(Phase.CARRY, truth)
            self._held, self._held_width = _in_hand(truth), width
        return self._anchor, 1.0

    def _carry(self, truth: Truth, grasp: Grasp) -> tuple[Array, float]:
        if self._slipped(truth):
            return self._retry(truth)
        hand, goal = truth["hand/pos"], truth["goal/pos"]
        bottom = _bottom(truth)
        ahead = goal[:2] - truth["pick/pos"][:2]
        away = float(np.linalg.norm(ahead))
        rim = _rim(truth)
        height = hand[2] + rim + _RIM_MARGIN - bottom
        reach = float(np.linalg.norm(truth["goal/size"][:2])) + 0.06
        low = bottom < self._corridor_height(truth) or (away < reach and bottom < rim + 0.01)
        xy = self._anchor[:2] if low else hand[:2] + ahead
        if not low:
            self._anchor = hand.copy()
        if away < _OVER_GOAL:
            self._enter(Phase.LOWER, truth)
        return np.array([xy[0], xy[1], height]), 1.0

    def _corridor_height(self, truth: Truth) -> float:
        """Return how high the object must hang before it may move sideways, metres."""
        start, goal = truth["pick/pos"][:2], truth["goal/pos"][:2]
        path = np.stack([start, goal])
        tops = [p[:, 2].max() for p in neighbours(truth) if gap(path, p[:, :2]) < _CORRIDOR / 2]
        return max([0.02, *(float(t) + 0.015 for t in tops)])

    def _lower(self, truth: Truth, grasp: Grasp) -> tuple[Array, float]:
        if self._slipped(truth):
            return self._hold_open(truth)
        hand, goal = truth["hand/pos"], truth["goal/pos"]
        floor = goal[2] - truth["goal/size"][2] + _BASKET_FLOOR
        standing = floor + hand[2] - _bottom(truth)
        height = max(standing, _rim(truth) + FINGER_TIP - _TIP_BELOW_RIM)
        xy = hand[:2] + goal[:2] - truth["pick/pos"][:2]
        stalled = abs(hand[2] - self._last_height) < _STALL and self._steps > 5
        if hand[2] - height < _AT_HEIGHT or stalled:
            self._enter(Phase.RELEASE, truth)
            return self._anchor, -1.0
        return np.array([xy[0], xy[1], height]), 1.0

    def _hold_open(self, truth: Truth) -> tuple[Array, float]:
        self._enter(Phase.RELEASE, truth)
        return self._anchor, -1.0

    def _release(self, truth: Truth, grasp: Grasp) -> tuple[Array, float]:
        target = self._centred(truth, grasp)
        centred = float(np.linalg.norm(target - truth["hand/pos"])) < 2 * _AT_POINT
        freed = centred and _width(truth) > self._held_width + _FREE_WIDTH
        if freed or self._steps >= _RELEASE_STEPS:
            anchor = self._anchor
            self._enter(Phase.HOLD, truth)
            self._anchor = anchor
        return target, -1.0

    def _hold(self, truth: Truth, grasp: Grasp) -> tuple[Array, float]:
        if self._steps > _VERDICT_STEPS and not _inside(truth):
            return self._retry(truth)
        return self._centred(truth, grasp) + np.array([0.0, 0.0, _RETREAT]), -1.0

    def _centred(self, truth: Truth, grasp: Grasp) -> Array:
        """Return the anchor, moved so that the object hangs on neither of the opened fingers."""
        points = corners(truth["pick/pos"], truth["pick/quat"], truth["pick/box"])
        tip = truth["hand/pos"][2] - FINGER_TIP
        if _width(truth) < self._held_width + _FREE_WIDTH / 2 or tip > points[:, 2].max():
            return self._anchor.copy()
        closing = grasp.rotation[:, 0]
        middle = (points.min(0) + points.max(0)) / 2.0
        shift = float(np.clip((middle - self._anchor) @ closing, -_FREE_PLAY, _FREE_PLAY))
        return self._anchor + shift * closing

    def _slipped(self, truth: Truth) -> bool:
        moved = float(np.linalg.norm(_in_hand(truth) - self._held))
        return moved > _SLIP or _width(truth) < _EMPTY_WIDTH


def _width(truth: Truth) -> float:
    """Return the opening between the fingers, metres."""
    return float(truth["gripper/qpos"][0] - truth["gripper/qpos"][1])


def _in_hand(truth: Truth) -> Array:
    """Return the object's origin in the hand's frame, (3,), metres."""
    return rotation_matrix(truth["hand/quat"]).T @ (truth["pick/pos"] - truth["hand/pos"])


def _bottom(truth: Truth) -> float:
    """Return the height of the object's lowest corner, metres."""
    points = corners(truth["pick/pos"], truth["pick/quat"], truth["pick/box"])
    return float(points[:, 2].min())


def _rim(truth: Truth) -> float:
    """Return the height of the basket's rim, metres: a little above the contain region."""
    return float(truth["goal/pos"][2] + truth["goal/size"][2] + _RIM)


def _travel_height(truth: Truth) -> float:
    """Return a grip site height, metres, at which open fingers pass over everything."""
    points = corners(truth["pick/pos"], truth["pick/quat"], truth["pick/box"])
    tops = [float(p[:, 2].max()) for p in [points, *neighbours(truth)]]
    return max([_rim(truth), *tops]) + FINGER_TIP + 0.02


def _inside(truth: Truth) -> bool:
    """Return whether the object's origin lies in the contain region."""
    return bool(np.all(np.abs(truth["pick/pos"] - truth["goal/pos"]) < truth["goal/size"]))


def _turn(truth: Truth, rotation: Array) -> Array:
    """Return the (3,) world rotation vector, radians, that brings the hand to `rotation`."""
    return rotation_vector(rotation @ rotation_matrix(truth["hand/quat"]).T)


def _command(truth: Truth, target: Array, rotation: Array, grip: float) -> Array:
    """Return the (7,) action that servoes the grip site to `target` (3,) and `rotation` (3, 3)."""
    move = _GAIN * (target - truth["hand/pos"])
    move[:2] /= max(1.0, float(np.abs(move[:2]).max()))
    turn = _TURN_GAIN * _turn(truth, rotation)
    return np.clip(np.concatenate([move, turn, [grip]]), -1.0, 1.0)

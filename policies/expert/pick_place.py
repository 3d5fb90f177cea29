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
)
from .readings import (
    finger_room,
    highest,
    in_hand,
    is_inside,
    lowest,
    opening,
    rim_height,
    travel_height,
    turn_to,
)

_GAIN = 20.0
_TURN_GAIN = 2.0
_REACH_MARGIN = 0.03
_HOVER = 0.01
_FIT_ROOM = 0.003
_FIT_SHARE = 0.5
_FIT_PATIENCE = 60
_FUNNEL_SLOPE = 6.0
_AT_POINT = 0.004
_AT_HEIGHT = 0.003
_AT_ANGLE = 0.04
_STALL = 0.0008
_CLOSE_STEPS = (5, 14)
_STILL_WIDTH = 0.0006
_EMPTY_WIDTH = 0.006
_SLIP = 0.03
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
        self._last_hand = np.zeros(3)
        self._waited = 0

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
            self._travel = travel_height(truth)
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
        self._last_hand = truth["hand/pos"].copy()
        self._last_width = opening(truth)
        return _command(truth, target, self._grasp_rotation(truth), grip)

    def _grasp_rotation(self, truth: Truth) -> Array:
        return self._grasp.rotation if self._grasp else rotation_matrix(truth["hand/quat"])

    def _enter(self, phase: Phase, truth: Truth) -> None:
        self._phase = phase
        self._anchor = truth["hand/pos"].copy()

    def _retry(self, truth: Truth) -> tuple[Array, float]:
        self._enter(Phase.REACH, truth)
        self._grasp = None
        self._waited = 0
        self._retries += 1
        return truth["hand/pos"].copy(), -1.0

    def _reach(self, truth: Truth, grasp: Grasp) -> tuple[Array, float]:
        hand = truth["hand/pos"]
        site = truth["pick/pos"] + grasp.offset
        away = float(np.linalg.norm(hand[:2] - site[:2]))
        turn = float(np.linalg.norm(turn_to(truth, grasp.rotation)))
        travel = max(self._travel, float(site[2]))
        error = max(0.0, away - _AT_POINT) + 0.05 * max(0.0, turn - _AT_ANGLE)
        target = site.copy()
        target[2] = min(travel, site[2] + _FUNNEL_SLOPE * error)
        hover = highest(truth) + FINGER_TIP + _HOVER
        if hand[2] > hover - 2 * _HOVER and not self._fits(truth, grasp, away):
            target[2] = max(target[2], hover)
        if away > _REACH_MARGIN and hand[2] < travel - 0.02:
            # Rise before moving sideways, or the fingers sweep what stands around.
            target = np.array([hand[0], hand[1], travel])
        near = away < 2 * _AT_POINT and turn < 2 * _AT_ANGLE
        down = hand[2] - site[2]
        stalled = abs(hand[2] - self._last_hand[2]) < _STALL and self._steps > 5
        if near and (down < _AT_HEIGHT or (down < 0.03 and stalled)):
            self._enter(Phase.CLOSE, truth)
            return self._anchor, 1.0
        return target, -1.0

    def _fits(self, truth: Truth, grasp: Grasp, away: float) -> bool:
        """Return whether the fingers, going straight down from here, would pass the object on both sides.

        The room asked for shrinks with what the grasp leaves, and a hand that waited long goes down anyway.
        """
        spare = (opening(truth) - grasp.width) / 2.0
        need = min(_FIT_ROOM, _FIT_SHARE * spare)
        drift = abs(float((truth["hand/pos"] - self._last_hand) @ grasp.rotation[:, 0]))
        fits = finger_room(truth) - drift >= need
        self._waited += not fits and away < _REACH_MARGIN
        return fits or self._waited > _FIT_PATIENCE

    def _close(self, truth: Truth, grasp: Grasp) -> tuple[Array, float]:
        width = opening(truth)
        still = abs(width - self._last_width) < _STILL_WIDTH
        least, most = _CLOSE_STEPS
        if (self._steps >= least and still) or self._steps >= most:
            if width < _EMPTY_WIDTH:
                return self._retry(truth)
            self._enter(Phase.CARRY, truth)
            self._held, self._held_width = in_hand(truth), width
        return self._anchor, 1.0

    def _carry(self, truth: Truth, grasp: Grasp) -> tuple[Array, float]:
        if self._slipped(truth):
            return self._retry(truth)
        hand, goal = truth["hand/pos"], truth["goal/pos"]
        bottom = lowest(truth)
        ahead = goal[:2] - truth["pick/pos"][:2]
        away = float(np.linalg.norm(ahead))
        rim = rim_height(truth)
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
        standing = floor + hand[2] - lowest(truth)
        height = max(standing, rim_height(truth) + FINGER_TIP - _TIP_BELOW_RIM)
        xy = hand[:2] + goal[:2] - truth["pick/pos"][:2]
        stalled = abs(hand[2] - self._last_hand[2]) < _STALL and self._steps > 5
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
        freed = centred and opening(truth) > self._held_width + _FREE_WIDTH
        if freed or self._steps >= _RELEASE_STEPS:
            anchor = self._anchor
            self._enter(Phase.HOLD, truth)
            self._anchor = anchor
        return target, -1.0

    def _hold(self, truth: Truth, grasp: Grasp) -> tuple[Array, float]:
        if self._steps > _VERDICT_STEPS and not is_inside(truth):
            return self._retry(truth)
        return self._centred(truth, grasp) + np.array([0.0, 0.0, _RETREAT]), -1.0

    def _centred(self, truth: Truth, grasp: Grasp) -> Array:
        """Return the anchor, moved so that the object hangs on neither of the opened fingers."""
        points = corners(truth["pick/pos"], truth["pick/quat"], truth["pick/box"])
        tip = truth["hand/pos"][2] - FINGER_TIP
        if opening(truth) < self._held_width + _FREE_WIDTH / 2 or tip > points[:, 2].max():
            return self._anchor.copy()
        closing = grasp.rotation[:, 0]
        middle = (points.min(0) + points.max(0)) / 2.0
        shift = float(np.clip((middle - self._anchor) @ closing, -_FREE_PLAY, _FREE_PLAY))
        return self._anchor + shift * closing

    def _slipped(self, truth: Truth) -> bool:
        moved = float(np.linalg.norm(in_hand(truth) - self._held))
        return moved > _SLIP or opening(truth) < _EMPTY_WIDTH


def _command(truth: Truth, target: Array, rotation: Array, grip: float) -> Array:
    """Return the (7,) action that servoes the grip site to `target` (3,) and `rotation` (3, 3)."""
    move = _GAIN * (target - truth["hand/pos"])
    move[:2] /= max(1.0, float(np.abs(move[:2]).max()))
    turn = _TURN_GAIN * turn_to(truth, rotation)
    return np.clip(np.concatenate([move, turn, [grip]]), -1.0, 1.0)

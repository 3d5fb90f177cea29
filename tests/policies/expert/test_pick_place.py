"""The expert's state machine, on a hand that goes where it is told and fingers that hold what they close on."""

from __future__ import annotations

import numpy as np
import pytest

from indgen.policies.expert.grasp import Array
from indgen.policies.expert.pick_place import PickPlace

OPEN, NARROW = 0.08, 0.04
HOVER = 0.099
"""Where the finger tips stand 1 cm over the block, metres."""


class Table:
    """A 4 x 7 x 8 cm block and a basket; kinematics only: whatever is let go falls straight down."""

    def __init__(self, block: tuple[float, float], goal: tuple[float, float], hand_height: float = 0.4) -> None:
        self.hand = np.array([0.0, 0.0, hand_height])
        self.block = np.array([*block, 0.04])
        self.goal = np.array([*goal, 0.06])
        self.width, self.held = OPEN, False

    def truth(self) -> dict[str, Array]:
        return {
            "hand/pos": self.hand.copy(),
            "hand/quat": np.array([1.0, 0.0, 0.0, 0.0]),
            "gripper/qpos": np.array([self.width, -self.width]) / 2,
            "pick/pos": self.block.copy(),
            "pick/quat": np.array([0.0, 0.0, 0.0, 1.0]),
            "pick/box": np.array([[-0.02, -0.035, -0.04], [0.02, 0.035, 0.04]]),
            "goal/pos": self.goal.copy(),
            "goal/size": np.array([0.07, 0.07, 0.05]),
            "others/pos": np.zeros((0, 3)),
            "others/quat": np.zeros((0, 4)),
            "others/box": np.zeros((0, 2, 3)),
        }

    def step(self, action: Array) -> None:
        move = 0.05 * action[:3]
        self.hand = self.hand + move
        if self.held:
            self.block = self.block + move
        between = bool(np.all(np.abs(self.hand - self.block) < [0.02, 0.02, 0.04]))
        least = NARROW if between else 0.0
        self.width = float(np.clip(self.width + (0.01 if action[6] < 0 else -0.01), least, OPEN))
        self.held = between and self.width == NARROW
        if not self.held:
            self.block[2] = 0.04

    @property
    def delivered(self) -> bool:
        return bool(np.all(np.abs(self.block - self.goal) < [0.07, 0.07, 0.05])) and not self.held


def play(table: Table, steps: int, machine: PickPlace | None = None) -> list[Array]:
    machine = machine or PickPlace()
    actions = []
    for _ in range(steps):
        actions.append(machine.action(table.truth()))
        table.step(actions[-1])
    return actions


@pytest.mark.parametrize("block", [(0.2, 0.1), (-0.15, 0.2), (0.1, -0.25)])
def test_the_first_action_moves_towards_the_object_with_open_fingers(block: tuple[float, float]) -> None:
    action = PickPlace().action(Table(block, (0.0, 0.3)).truth())
    towards = np.array(block) / np.linalg.norm(block)
    assert action[:2] @ towards / np.linalg.norm(action[:2]) == pytest.approx(1)
    assert np.abs(action[:2]).max() == pytest.approx(1)
    assert action[6] == -1.0


def test_a_low_hand_rises_before_it_sweeps_sideways() -> None:
    action = PickPlace().action(Table((0.2, 0.1), (0.0, 0.3), hand_height=0.05).truth())
    assert action[2] > 0
    assert np.allclose(action[:2], 0)


@pytest.mark.parametrize("block", [(0.2, 0.1), (-0.15, 0.2), (0.1, -0.25)])
@pytest.mark.parametrize("goal", [(0.0, 0.3), (-0.2, -0.3)])
def test_it_carries_the_object_into_the_basket_and_leaves_it(
    block: tuple[float, float], goal: tuple[float, float]
) -> None:
    table = Table(block, goal)
    actions = np.array(play(table, 200))
    assert table.delivered
    assert np.abs(actions).max() <= 1.0
    assert {-1.0, 1.0} == set(actions[:, 6])
    assert table.hand[2] > table.block[2] + 0.05


def test_an_object_that_is_taken_away_is_picked_up_again() -> None:
    table, machine = Table((0.2, 0.1), (0.0, 0.3)), PickPlace()
    while not table.held:
        play(table, 1, machine)
    play(table, 6, machine)
    table.block = np.array([-0.2, -0.1, 0.04])
    table.held = False
    play(table, 250, machine)
    assert table.delivered


def test_the_same_truth_gives_the_same_actions() -> None:
    first, second = (play(Table((0.2, 0.1), (0.0, 0.3)), 120) for _ in range(2))
    assert np.array_equal(first, second)


def test_a_turned_hand_is_turned_back_while_it_moves() -> None:
    truth = Table((0.2, 0.1), (0.0, 0.3)).truth()
    truth["hand/quat"] = np.array([np.cos(0.1), np.sin(0.1), 0.0, 0.0])  # a yaw of 0.2 rad
    action = PickPlace().action(truth)
    assert action[5] == pytest.approx(-0.4, abs=1e-6)
    assert np.allclose(action[3:5], 0)


def above_a_wide_block(extra: float, aside: float = 0.0, yaw: float = 0.0) -> dict[str, Array]:
    """The hand over a block as wide both ways as the open fingers less `extra` metres; it is off by `aside`, `yaw`."""
    truth = Table((0.2, 0.1), (0.0, 0.3)).truth()
    side = (OPEN - extra) / 2
    truth["pick/box"] = np.array([[-side, -side, -0.04], [side, side, 0.04]])
    truth["hand/pos"] = np.array([0.2 + aside, 0.1, HOVER])
    truth["hand/quat"] = np.array([np.cos(yaw / 2), np.sin(yaw / 2), 0.0, 0.0])
    return truth


def vertical_move(truth: dict[str, Array], looks: int = 2) -> float:
    """What a hand that stands still is told to do along z at the last of some equal looks."""
    machine = PickPlace()
    return float([machine.action(truth) for _ in range(looks)][-1][2])


def test_above_a_wide_object_the_hand_waits_until_its_fingers_pass_on_both_sides() -> None:
    assert vertical_move(above_a_wide_block(0.005)) < -0.5
    assert vertical_move(above_a_wide_block(0.005, aside=0.002)) > -0.1
    assert vertical_move(above_a_wide_block(0.020, aside=0.002)) < -0.5


def test_above_a_wide_object_the_hand_waits_until_it_is_turned() -> None:
    assert vertical_move(above_a_wide_block(0.005, yaw=0.06)) > -0.1
    assert vertical_move(above_a_wide_block(0.020, yaw=0.06)) < -0.5


def test_above_a_wide_object_the_hand_waits_until_the_fingers_are_open() -> None:
    truth = above_a_wide_block(0.005)
    truth["gripper/qpos"] *= 0.9
    assert vertical_move(truth) > -0.1


def test_above_a_wide_object_a_hand_that_still_drifts_waits() -> None:
    machine = PickPlace()
    before, now = above_a_wide_block(0.005, aside=-0.006), above_a_wide_block(0.005)
    machine.action(before)
    assert machine.action(now)[2] > -0.1
    assert machine.action(now)[2] < -0.5


def test_it_waits_for_a_fit_but_not_for_ever() -> None:
    too_wide = above_a_wide_block(-0.002)
    assert vertical_move(too_wide, looks=20) > -0.1
    assert vertical_move(too_wide, looks=100) < -0.5


def test_fingers_that_landed_on_the_object_rise_again() -> None:
    truth = above_a_wide_block(0.005, aside=0.006)
    truth["hand/pos"][2] = 0.09
    assert vertical_move(truth) > 0.1

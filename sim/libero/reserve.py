"""The reserve of distractors: groceries a scene does not hold, each with a place clear of the task's objects.

They are drawn once, when a start is grounded, so that revealing one more of them draws nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ...core.seeds import derive_seed

SIZE = 3
"""Distractors in a reserve."""


@dataclass(frozen=True)
class Grocery:
    """How a grocery stands on the floor in the published starts.

    Attributes:
        quat: orientation, wxyz, world frame.
        height: of its body's origin above the floor, metres.
        half: half sizes of its footprint along x and y, metres.
    """

    quat: tuple[float, float, float, float]
    height: float
    half: tuple[float, float]


_UPRIGHT = (0.5, 0.5, 0.5, 0.5)
_TURNED = (0.0, 0.0, 0.7071068, 0.7071068)
_FLAT = (0.0, 0.0, 0.0, 1.0)
GROCERIES = {
    "alphabet_soup": Grocery(_TURNED, 0.038, (0.031, 0.031)),
    "bbq_sauce": Grocery((0.7071068, 0.0, 0.0, 0.7071068), 0.055, (0.015, 0.023)),
    "butter": Grocery(_FLAT, 0.009, (0.038, 0.020)),
    "chocolate_pudding": Grocery(_FLAT, 0.013, (0.041, 0.023)),
    "cream_cheese": Grocery(_FLAT, 0.009, (0.041, 0.021)),
    "ketchup": Grocery(_UPRIGHT, 0.072, (0.019, 0.029)),
    "milk": Grocery(_UPRIGHT, 0.070, (0.026, 0.027)),
    "orange_juice": Grocery(_UPRIGHT, 0.070, (0.026, 0.027)),
    "salad_dressing": Grocery(_UPRIGHT, 0.073, (0.018, 0.027)),
    "tomato_sauce": Grocery(_TURNED, 0.038, (0.031, 0.031)),
}
"""LIBERO-Object's ten groceries, as its published starts leave them."""

_REGION = ((-0.25, 0.32), (-0.38, 0.38))
"""Floor (x, y ranges, metres) that the agentview camera sees and the arm's base leaves free."""
_GRID = 0.01
_CLEARANCE = 0.02
_PICK_ROOM = (0.08, 0.08)
_GOAL_ROOM = (0.12, 0.115)
"""Room along x and y, metres: across y for levels -3..3 of the pick and goal axes, along x so that nothing stands
between the camera and the task's objects, or hidden behind the basket."""


@dataclass(frozen=True)
class Footprint:
    """A rectangle on the floor, metres, world frame."""

    centre: tuple[float, float]
    half: tuple[float, float]

    def grown(self, by: tuple[float, float]) -> Footprint:
        """This one, wider by so much on every side."""
        return Footprint(self.centre, (self.half[0] + by[0], self.half[1] + by[1]))

    def apart(self, other: Footprint) -> bool:
        """Whether the two lie clear of one another, with some room between them."""
        gaps = (
            abs(a - b) - (first + second)
            for a, b, first, second in zip(self.centre, other.centre, self.half, other.half, strict=True)
        )
        return max(gaps) >= _CLEARANCE


def draw_reserve(
    task: str, seed: int, bodies: Mapping[str, Footprint], pick: str, goal: str
) -> tuple[dict[str, object], ...]:
    """Groceries that a start does not hold, in the order in which they appear.

    Which ones, and in which order, is the task's; where they stand is the start's.

    Args:
        task: full task name.
        seed: the start's.
        bodies: instance name to footprint, of everything that stands on the floor.
        pick: instance name of the object to pick; its whole way along the pick axis is kept clear.
        goal: likewise, of the body that holds the goal.

    Returns:
        Up to :data:`SIZE` times ``{"kind": ..., "pose": (x, y, z, qw, qx, qy, qz)}``; fewer where the floor is full.
    """
    room = {pick: _PICK_ROOM, goal: _GOAL_ROOM}
    taken = [footprint.grown(room.get(name, (0.0, 0.0))) for name, footprint in bodies.items()]
    rng = np.random.default_rng(derive_seed(seed, "distractors"))
    reserve: list[dict[str, object]] = []
    for kind in absent_kinds(task, bodies)[:SIZE]:
        grocery = GROCERIES[kind]
        for place in _places(rng):
            footprint = Footprint(place, grocery.half)
            if all(footprint.apart(other) for other in taken):
                taken.append(footprint)
                reserve.append({"kind": kind, "pose": (*place, grocery.height, *grocery.quat)})
                break
    return tuple(reserve)


def absent_kinds(task: str, bodies: Iterable[str]) -> list[str]:
    """The groceries of which a task's scene holds none, in the task's own order."""
    held = {name.rpartition("_")[0] for name in bodies}
    absent = [kind for kind in GROCERIES if kind not in held]
    order = np.random.default_rng(derive_seed(0, "distractors", task)).permutation(len(absent))
    return [absent[index] for index in order]


def _places(rng: np.random.Generator) -> Iterator[tuple[float, float]]:
    """Every place of a grid over the region, in random order."""
    xs, ys = (np.arange(low, high, _GRID) for low, high in _REGION)
    for index in rng.permutation(len(xs) * len(ys)):
        yield round(float(xs[index // len(ys)]), 4), round(float(ys[index % len(ys)]), 4)

"""Transformer + Goal/Action: RoPE's, with the first grid as a goal token and the last grasp in each look."""

from __future__ import annotations

import numpy as np

from .encoding import Seen, look, look_width, one_hot
from .heads import three_initial
from .initial import Initial
from .method import Method
from .ops import Array, Params, concatenate, like, linear
from .sequence import three_headed
from .trunk import WIDTH, encode, rotary_trunk, trunk_initial


def initial(rng: np.random.Generator, grid: int) -> dict[str, np.ndarray]:
    """The trunk for looks with a grasp beside them, a goal token's encoder, three heads."""
    made = Initial(rng)
    trunk_initial(made, look_width(grid) + 3)
    made.linear("goal", 2 * grid * grid, WIDTH)
    three_initial(made, WIDTH, grid)
    return made.params


def previous_grasps(seen: Seen) -> np.ndarray:
    """(n, t, 3) float32: the grasp before each look, in [0, 1]; zeros before the first."""
    scale = np.array([seen.grid - 1, seen.grid - 1, 1]).clip(1)
    earlier = np.zeros(seen.grasps.shape, dtype=np.float32)
    earlier[:, 1:] = seen.grasps[:, :-1] / scale
    return earlier


def features(params: Params, seen: Seen) -> Array:
    """(n, t, d) features of the looks, each of which attends to the goal token too."""
    tokens = encode(params, np.concatenate([look(seen), previous_grasps(seen)], axis=-1))
    first = like(one_hot(seen.grids[:, :1]), params["goal.weight"])
    return rotary_trunk(params, concatenate([linear(params, "goal", first), tokens], axis=1))[:, 1:]


_objective, _grasps = three_headed(features)
METHOD = Method("goal_action", "RoPE's with a goal token and the last grasp", initial, _objective, _grasps)

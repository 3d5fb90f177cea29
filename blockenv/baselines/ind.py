"""Ind: RoPE's trunk, a joint action head, and a legality head that gates it (paper Appendix A).

The legality head says per cell and orientation whether a grasp is unobstructed; its target follows from the grid seen
and asks no oracle. When acting, cells without a block are masked, and ``gate`` times the log-probability that a grasp
is unobstructed is added to its logit. Gate 10 is the primary one; it was chosen after a prototype had seen L3 to L8.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ..rules import legality
from .encoding import Seen, look_width, occupied
from .heads import at_end, joint_grasps, joint_initial, joint_logits, joint_loss
from .initial import Initial
from .method import Data, Method, Objective
from .ops import Params, like, log_sigmoid, namespace
from .sequence import BATCH
from .trunk import WIDTH, rotary_features, trunk_initial

GATE = 10.0
GATES = (0.0, 1.0, 3.0, GATE)
"""Gates that are reported; 0 leaves the mask alone."""
LEGALITY = "head.legality"


def initial(rng: np.random.Generator, grid: int, planes: int = 2) -> dict[str, np.ndarray]:
    """The trunk and two heads over (row, column, theta)."""
    made = Initial(rng)
    trunk_initial(made, look_width(grid, planes))
    joint_initial(made, WIDTH, grid)
    joint_initial(made, WIDTH, grid, LEGALITY)
    return made.params


def objective(planes: int = 2) -> Objective:
    """Imitate the demonstrated grasps, and tell the legal grasps of blocks from the blocked ones."""

    def loss(params: Params, data: Data) -> Any:
        seen = data.draw(BATCH)
        features = rotary_features(params, seen, planes)
        imitation = joint_loss(joint_logits(params, features), seen)
        return imitation + legality_loss(joint_logits(params, features, LEGALITY), seen)

    return loss


def legality_loss(logits: Any, seen: Seen) -> Any:
    """Binary cross entropy of the legality of every grasp of a block; the mean over them."""
    torch = namespace(logits)
    mask = seen.mask
    grids = seen.grids[mask]
    on_block = np.repeat(occupied(grids).reshape(len(grids), -1), 2, axis=1)
    truth = like(legality(grids).reshape(len(grids), -1).astype(np.float32), logits)
    return torch.nn.functional.binary_cross_entropy_with_logits(logits[mask][on_block], truth[on_block])


def gated(pick: np.ndarray, unobstructed: np.ndarray, grids: np.ndarray, gate: float) -> np.ndarray:
    """Pick logits (n, 2 G G) with those of empty cells at -inf and the gate added to the others."""
    on_block = np.repeat(occupied(grids).reshape(len(grids), -1), 2, axis=1)
    return np.where(on_block, pick + gate * log_sigmoid(unobstructed), -np.inf)


def grasps(params: Params, seen: Seen, gate: float = GATE, planes: int = 2) -> np.ndarray:
    """(n, 3): the likeliest grasp of a block behind the gate."""
    features = at_end(rotary_features(params, seen, planes), seen.lengths)
    pick, unobstructed = joint_logits(params, features), joint_logits(params, features, LEGALITY)
    return joint_grasps(gated(pick, unobstructed, seen.last(), gate), seen.grid)


def with_gate(gate: float) -> Any:
    """:func:`grasps` behind another gate."""
    return partial(grasps, gate=gate)


METHOD = Method("ind", "RoPE's with a joint head behind a learned legality gate", initial, objective, grasps, seeds=5)
THREE_PLANES = Method(
    "ind_three_planes",
    "control: Ind with a third one-hot plane, for empty cells",
    partial(initial, planes=3),
    partial(objective, planes=3),
    partial(grasps, planes=3),
    seeds=5,
)
"""What the coding of empty cells alone makes of Ind."""

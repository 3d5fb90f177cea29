"""Control: RoPE's trunk with one joint head over cells and orientations, and nothing of legality.

What Ind gains over RoPE comes from two changes, its head and its gate; this one tells them apart.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .encoding import Seen, look_width
from .heads import at_end, joint_grasps, joint_initial, joint_logits, joint_loss
from .initial import Initial
from .method import Data, Method, Objective
from .ops import Params
from .sequence import BATCH
from .trunk import WIDTH, rotary_features, trunk_initial


def initial(rng: np.random.Generator, grid: int) -> dict[str, np.ndarray]:
    """The trunk and a joint head."""
    made = Initial(rng)
    trunk_initial(made, look_width(grid))
    joint_initial(made, WIDTH, grid)
    return made.params


def objective() -> Objective:
    """Imitate the demonstrated grasps."""

    def loss(params: Params, data: Data) -> Any:
        seen = data.draw(BATCH)
        return joint_loss(joint_logits(params, rotary_features(params, seen)), seen)

    return loss


def grasps(params: Params, seen: Seen) -> np.ndarray:
    """(n, 3): the likeliest grasp."""
    return joint_grasps(joint_logits(params, at_end(rotary_features(params, seen), seen.lengths)), seen.grid)


METHOD = Method("rope_joint", "control: RoPE's with a joint head, no legality", initial, objective, grasps)

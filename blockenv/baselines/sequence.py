"""Policies with three independent heads on features of the episode so far."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .encoding import Seen
from .heads import at_end, three_grasps, three_logits, three_loss
from .method import Data, Objective
from .ops import Array, Params

BATCH = 64
"""Demonstrations in one update."""
Features = Callable[[Params, Seen], Array]
"""From parameters and what was seen to (n, t, d) features, those of a look from it and earlier ones alone."""


def three_headed(features: Features) -> tuple[Callable[[], Objective], Callable[[Params, Seen], np.ndarray]]:
    """A method's objective and grasps: imitate the demonstrated rows, columns and orientations."""

    def objective(params: Params, data: Data) -> Any:
        seen = data.draw(BATCH)
        return three_loss(three_logits(params, features(params, seen)), seen)

    def grasps(params: Params, seen: Seen) -> np.ndarray:
        return three_grasps(three_logits(params, at_end(features(params, seen), seen.lengths)))

    return lambda: objective, grasps

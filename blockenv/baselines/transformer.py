"""Transformer: causal attention over the looks, learned absolute positions, three heads (paper Appendix A)."""

from __future__ import annotations

import numpy as np

from ..rules import step_limit
from .encoding import Seen, look, look_width
from .heads import three_initial
from .initial import Initial
from .method import Method
from .ops import Array, Params
from .sequence import three_headed
from .trunk import WIDTH, absolute_trunk, encode, trunk_initial


def initial(rng: np.random.Generator, grid: int) -> dict[str, np.ndarray]:
    """The trunk, as many positions as the longest episode has looks, three heads.

    Training shows the first few positions only; the others stay as they were drawn.
    """
    made = Initial(rng)
    trunk_initial(made, look_width(grid))
    made.normal("positions", step_limit(grid - 1), WIDTH)
    three_initial(made, WIDTH, grid)
    return made.params


def features(params: Params, seen: Seen) -> Array:
    """(n, t, d) features of the looks."""
    return absolute_trunk(params, encode(params, look(seen)))


_objective, _grasps = three_headed(features)
METHOD = Method("transformer", "causal Transformer, absolute positions, three heads", initial, _objective, _grasps)

"""Transformer + RoPE: rotary positions and pre-norm in place of absolute positions (paper Appendix A)."""

from __future__ import annotations

import numpy as np

from .encoding import look_width
from .heads import three_initial
from .initial import Initial
from .method import Method
from .sequence import three_headed
from .trunk import WIDTH, rotary_features, trunk_initial


def initial(rng: np.random.Generator, grid: int) -> dict[str, np.ndarray]:
    """The trunk and three heads; rotary positions have no parameters."""
    made = Initial(rng)
    trunk_initial(made, look_width(grid))
    three_initial(made, WIDTH, grid)
    return made.params


_objective, _grasps = three_headed(rotary_features)
METHOD = Method("rope", "causal Transformer, rotary positions, three heads", initial, _objective, _grasps)

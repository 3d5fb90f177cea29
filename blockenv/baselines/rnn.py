"""RNN: an LSTM of two layers over the looks, three independent heads (paper Appendix A)."""

from __future__ import annotations

import numpy as np

from .encoding import Seen, look, look_width
from .heads import three_initial
from .initial import Initial
from .method import Method, Recipe
from .ops import Array, Params, lstm
from .sequence import three_headed
from .trunk import WIDTH, encode


def initial(rng: np.random.Generator, grid: int) -> dict[str, np.ndarray]:
    """An encoder, two LSTM layers, three heads."""
    made = Initial(rng)
    made.mlp("encoder", look_width(grid), WIDTH, WIDTH)
    made.lstm("lstm0", WIDTH, WIDTH)
    made.lstm("lstm1", WIDTH, WIDTH)
    three_initial(made, WIDTH, grid)
    return made.params


def features(params: Params, seen: Seen) -> Array:
    """(n, t, d): the second layer's hidden state after each look."""
    return lstm(params, "lstm1", lstm(params, "lstm0", encode(params, look(seen))))


_objective, _grasps = three_headed(features)
METHOD = Method("rnn", "LSTM of two layers, three heads", initial, _objective, _grasps, Recipe(updates=2400))

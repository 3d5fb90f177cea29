"""The sequence trunk that four Transformers share: looks encoded, then causal attention over the episode so far."""

from __future__ import annotations

import numpy as np

from .encoding import Seen, look
from .initial import Initial
from .ops import Array, Params, attention, layer_norm, like, mlp

WIDTH, LAYERS, HEADS, HIDDEN = 128, 2, 4, 256


def trunk_initial(initial: Initial, look_width: int) -> None:
    """An encoder of looks and ``LAYERS`` Transformer layers."""
    initial.mlp("encoder", look_width, WIDTH, WIDTH)
    for layer in range(LAYERS):
        initial.linear(f"layer{layer}.attention.in", WIDTH, 3 * WIDTH)
        initial.linear(f"layer{layer}.attention.out", WIDTH, WIDTH)
        initial.mlp(f"layer{layer}.feed", WIDTH, HIDDEN, WIDTH)
        initial.norm(f"layer{layer}.norm0", WIDTH)
        initial.norm(f"layer{layer}.norm1", WIDTH)
    initial.norm("norm", WIDTH)


def encode(params: Params, looks: np.ndarray) -> Array:
    """(n, t, i) looks to (n, t, WIDTH) tokens."""
    return mlp(params, "encoder", like(looks, params["encoder.0.weight"]))


def rotary_trunk(params: Params, tokens: Array) -> Array:
    """Tokens (n, t, WIDTH) to features: rotary positions, normalised before each part (pre-norm)."""
    for layer in range(LAYERS):
        name = f"layer{layer}"
        normed = layer_norm(params, f"{name}.norm0", tokens)
        tokens = tokens + attention(params, f"{name}.attention", normed, HEADS, rotary=True, causal=True)
        tokens = tokens + mlp(params, f"{name}.feed", layer_norm(params, f"{name}.norm1", tokens))
    return layer_norm(params, "norm", tokens)


def absolute_trunk(params: Params, tokens: Array) -> Array:
    """Tokens (n, t, WIDTH) to features: learned absolute positions, normalised after each part (post-norm)."""
    tokens = tokens + params["positions"][: tokens.shape[1]]
    for layer in range(LAYERS):
        name = f"layer{layer}"
        attended = attention(params, f"{name}.attention", tokens, HEADS, rotary=False, causal=True)
        tokens = layer_norm(params, f"{name}.norm0", tokens + attended)
        tokens = layer_norm(params, f"{name}.norm1", tokens + mlp(params, f"{name}.feed", tokens))
    return layer_norm(params, "norm", tokens)


def rotary_features(params: Params, seen: Seen, planes: int = 2) -> Array:
    """(n, t, WIDTH) features of an episode's looks, each of so many one-hot planes."""
    return rotary_trunk(params, encode(params, look(seen, planes)))

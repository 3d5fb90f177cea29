"""What networks are made of, on NumPy arrays and torch tensors alike: one forward pass to train and to evaluate.

Each network is written once over these functions. Given torch tensors they call torch's own kernels, which is where
gradients come from; given NumPy arrays they need no torch at all.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = Any
"""A NumPy array or a torch tensor; everything in one call is of one kind."""
Params: TypeAlias = Mapping[str, Any]
"""Name to parameter."""
_EPSILON = 1e-5


def is_torch(x: Array) -> bool:
    """Whether ``x`` is a tensor."""
    return not isinstance(x, np.ndarray)


def namespace(x: Array) -> Any:
    """The module whose functions take ``x``."""
    return sys.modules["torch"] if is_torch(x) else np


def like(values: np.ndarray, x: Array) -> Array:
    """``values`` as an array of ``x``'s kind, and of its precision where they are floats."""
    if is_torch(x):
        moved = namespace(x).from_numpy(np.ascontiguousarray(values))
        return moved.to(x.dtype) if moved.is_floating_point() else moved
    return values.astype(x.dtype) if values.dtype.kind == "f" else values


def linear(params: Params, name: str, x: Array) -> Array:
    """(..., i) to (..., o)."""
    return x @ params[f"{name}.weight"] + params[f"{name}.bias"]


def relu(x: Array) -> Array:
    """max(x, 0)."""
    return namespace(x).relu(x) if is_torch(x) else np.maximum(x, 0)


def sigmoid(x: Array) -> Array:
    """1 / (1 + exp(-x)), without overflow."""
    return namespace(x).sigmoid(x) if is_torch(x) else 0.5 * (1 + np.tanh(0.5 * x))


def log_sigmoid(x: Array) -> Array:
    """log(sigmoid(x)), without overflow."""
    return namespace(x).nn.functional.logsigmoid(x) if is_torch(x) else -np.logaddexp(0, -x)


def softmax(x: Array) -> Array:
    """Over the last axis."""
    if is_torch(x):
        return x.softmax(-1)
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def layer_norm(params: Params, name: str, x: Array) -> Array:
    """Zero mean and unit variance over the last axis, then scaled and shifted."""
    weight, bias = params[f"{name}.weight"], params[f"{name}.bias"]
    if is_torch(x):
        return namespace(x).nn.functional.layer_norm(x, x.shape[-1:], weight, bias, _EPSILON)
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + _EPSILON) * weight + bias


def rms_norm(x: Array) -> Array:
    """Unit root mean square over the last axis."""
    return x / ((x * x).mean(axis=-1, keepdims=True) + _EPSILON) ** 0.5


def concatenate(arrays: Sequence[Array], axis: int = -1) -> Array:
    """Along an axis."""
    return namespace(arrays[0]).concatenate(list(arrays), axis=axis)


def mlp(params: Params, name: str, x: Array, layers: int = 2) -> Array:
    """Linear layers ``name.0``, ``name.1``, ... with a ReLU after each but the last."""
    for number in range(layers):
        x = linear(params, f"{name}.{number}", relu(x) if number else x)
    return x


def neighbourhoods(x: Array) -> Array:
    """3 x 3 windows: (n, G, G, c) to (n, G, G, 9 c), zeros beyond the edge. A 3 x 3 convolution is a linear of it."""
    count, size, _, channels = x.shape
    wide = namespace(x).zeros((count, size + 2, size + 2, channels), dtype=x.dtype)
    wide[:, 1:-1, 1:-1] = x
    return concatenate([wide[:, r : r + size, c : c + size] for r in range(3) for c in range(3)])


def rotate(x: Array, base: float = 10000.0) -> Array:
    """Rotary position embedding of (n, heads, t, d): entry pairs (i, i + d / 2) turned by the position's angles."""
    steps, half = x.shape[-2], x.shape[-1] // 2
    angles = np.arange(steps)[:, None] * base ** (-np.arange(half) / half)
    cos, sin = like(np.cos(angles), x), like(np.sin(angles), x)
    first, second = x[..., :half], x[..., half:]
    return concatenate([first * cos - second * sin, first * sin + second * cos])


def attention(params: Params, name: str, x: Array, heads: int, *, rotary: bool, causal: bool) -> Array:
    """Self-attention over (n, t, d); where it is causal, each place looks at itself and those before it alone."""
    count, steps, width = x.shape

    def split(part: Array) -> Array:
        return part.reshape(count, steps, heads, width // heads).swapaxes(1, 2)

    mixed = linear(params, f"{name}.in", x)
    query, key, value = (split(mixed[..., i * width : (i + 1) * width]) for i in range(3))
    if rotary:
        query, key = rotate(query), rotate(key)
    seen = _attend(query, key, value, causal).swapaxes(1, 2).reshape(count, steps, width)
    return linear(params, f"{name}.out", seen)


def _attend(query: Array, key: Array, value: Array, causal: bool) -> Array:
    """Scaled dot-product attention over (n, heads, t, d)."""
    if is_torch(query):
        return namespace(query).nn.functional.scaled_dot_product_attention(query, key, value, is_causal=causal)
    scores = query @ key.swapaxes(-1, -2) / query.shape[-1] ** 0.5
    if causal:
        scores = scores + np.triu(np.full(scores.shape[-2:], -1e9, dtype=scores.dtype), k=1)
    return softmax(scores) @ value


def lstm(params: Params, name: str, x: Array) -> Array:
    """One LSTM layer over (n, t, i), gates in the order input, forget, cell, output: (n, t, d)."""
    recurrent = params[f"{name}.recurrent"]
    driven = linear(params, name, x)
    width = recurrent.shape[0]
    hidden = cell = driven[:, 0, :width] * 0
    states = []
    for step in range(x.shape[1]):
        gates = driven[:, step] + hidden @ recurrent
        enter, keep, fresh, leave = (gates[:, i * width : (i + 1) * width] for i in range(4))
        cell = sigmoid(keep) * cell + sigmoid(enter) * namespace(x).tanh(fresh)
        hidden = sigmoid(leave) * namespace(x).tanh(cell)
        states.append(hidden)
    return namespace(x).stack(states, 1)

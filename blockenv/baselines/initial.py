"""Initial parameters, drawn with NumPy: the same on every machine and for every version of torch."""

from __future__ import annotations

from itertools import pairwise

import numpy as np


class Initial:
    """Collects parameters by name.

    Args:
        rng: where draws come from.

    Attributes:
        params: name to float32 array, in the order they were asked for.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self.params: dict[str, np.ndarray] = {}

    def linear(self, name: str, fan_in: int, fan_out: int) -> None:
        """A weight (fan_in, fan_out) uniform within 1 / sqrt(fan_in), and a bias likewise."""
        self._uniform(f"{name}.weight", (fan_in, fan_out), fan_in)
        self._uniform(f"{name}.bias", (fan_out,), fan_in)

    def mlp(self, name: str, *widths: int) -> None:
        """Linear layers ``name.0``, ``name.1``, ... between these widths."""
        for number, (before, after) in enumerate(pairwise(widths)):
            self.linear(f"{name}.{number}", before, after)

    def norm(self, name: str, width: int) -> None:
        """A layer norm that does nothing yet."""
        self.params[f"{name}.weight"] = np.ones(width, dtype=np.float32)
        self.params[f"{name}.bias"] = np.zeros(width, dtype=np.float32)

    def normal(self, name: str, *shape: int, scale: float = 0.02) -> None:
        """Normal entries."""
        self.params[name] = (scale * self._rng.standard_normal(shape)).astype(np.float32)

    def lstm(self, name: str, fan_in: int, width: int) -> None:
        """An LSTM layer, uniform within 1 / sqrt(width)."""
        self._uniform(f"{name}.weight", (fan_in, 4 * width), width)
        self._uniform(f"{name}.bias", (4 * width,), width)
        self._uniform(f"{name}.recurrent", (width, 4 * width), width)

    def _uniform(self, name: str, shape: tuple[int, ...], fan_in: int) -> None:
        bound = fan_in**-0.5
        self.params[name] = self._rng.uniform(-bound, bound, shape).astype(np.float32)

"""Named layouts: what an action vector, a state entry or an image means.

Bare vectors never cross a boundary without their layout's name: two 7-vectors with opposite gripper signs
look the same and fail silently.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from .errors import PolicyError

RANGE_SLACK = 1e-6
"""How far an action may leave its range before it is refused: float32 rounding, no more."""


@dataclass(frozen=True)
class ActionField:
    """One entry of an action vector: name, inclusive range, what its ends mean, and whether it has to be whole."""

    name: str
    low: float
    high: float
    meaning: str
    whole: bool = False


@dataclass(frozen=True)
class ActionLayout:
    """An action vector's entries in order.

    Attributes:
        name: e.g. ``libero/osc-pose-delta``.
        fields: entries in order.
        rate: control steps per second of simulated or real time; None for turn-based worlds.
    """

    name: str
    fields: tuple[ActionField, ...]
    rate: float | None = None

    @property
    def dim(self) -> int:
        """Length of one action vector."""
        return len(self.fields)

    @property
    def low(self) -> np.ndarray:
        """Lower bounds, shape (dim,)."""
        return np.array([entry.low for entry in self.fields])

    @property
    def high(self) -> np.ndarray:
        """Upper bounds, shape (dim,)."""
        return np.array([entry.high for entry in self.fields])

    @property
    def whole(self) -> np.ndarray:
        """Which entries take whole numbers only, shape (dim,) bool."""
        return np.array([entry.whole for entry in self.fields])

    def check(self, actions: np.ndarray) -> np.ndarray:
        """``actions`` as float64 of shape (n, dim), clipped within float rounding.

        Raises:
            PolicyError: wrong shape or dtype, NaN, out of range, or a fraction where whole numbers are asked for.
        """
        try:
            array = np.asarray(actions)
        except ValueError as cause:
            raise PolicyError("actions are no array", got=str(cause), expected=f"(n, {self.dim}) numbers") from cause
        if array.dtype.kind not in "fiu":
            raise PolicyError("actions are not numbers", got=f"dtype {array.dtype}", expected="float")
        if array.ndim != 2 or array.shape[1] != self.dim or not len(array):
            raise PolicyError(
                "actions have the wrong shape", got=array.shape, expected=f"(n >= 1, {self.dim}) in {self.name}"
            )
        array = array.astype(np.float64)
        if not np.isfinite(array).all():
            raise PolicyError(
                "actions are not finite",
                got=f"NaN or infinity in {self._where(~np.isfinite(array))}",
                expected=self.name,
            )
        outside = (array < self.low - RANGE_SLACK) | (array > self.high + RANGE_SLACK)
        if outside.any():
            column = int(np.argmax(outside.any(axis=0)))
            entry = self.fields[column]
            strays = array[outside[:, column], column]
            worst = strays[np.argmax(np.abs(strays))]
            raise PolicyError(
                f"actions leave the range of {self.name}",
                got=f"{worst:.6g} in {entry.name}",
                expected=f"[{entry.low:g}, {entry.high:g}] ({entry.meaning})",
            )
        broken = self.whole & (array != np.round(array))
        if broken.any():
            column = int(np.argmax(broken.any(axis=0)))
            raise PolicyError(
                f"actions are not whole in {self.name}",
                got=f"{array[broken[:, column], column][0]:.6g} in {self.fields[column].name}",
                expected=f"a whole number ({self.fields[column].meaning})",
            )
        return np.clip(array, self.low, self.high)

    def _where(self, bad: np.ndarray) -> str:
        return ", ".join(self.fields[i].name for i in np.flatnonzero(bad.any(axis=0)))


@dataclass(frozen=True)
class StateField:
    """One named state entry: shape, unit and frame."""

    shape: tuple[int | None, ...]
    unit: str
    frame: str = ""


@dataclass(frozen=True)
class ImageField:
    """One camera: the largest size the world renders, in pixels, and what it looks at."""

    height: int
    width: int
    view: str


@dataclass(frozen=True)
class WorldLayout:
    """What a world offers to a policy and takes from it."""

    action: ActionLayout
    images: Mapping[str, ImageField] = field(default_factory=dict)
    state: Mapping[str, StateField] = field(default_factory=dict)
    privileged: Mapping[str, StateField] = field(default_factory=dict)

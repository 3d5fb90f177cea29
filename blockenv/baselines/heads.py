"""Action heads: three independent ones, or one that scores cells and orientations jointly."""

from __future__ import annotations

from typing import Any

import numpy as np

from .encoding import Seen
from .initial import Initial
from .ops import Array, Params, linear, namespace

_THREE = ("row", "column", "theta")


def three_initial(initial: Initial, width: int, grid: int) -> None:
    """Heads over rows, columns and orientations, each of them blind to the others."""
    for name, classes in zip(_THREE, (grid, grid, 2), strict=True):
        initial.linear(f"head.{name}", width, classes)


def three_logits(params: Params, x: Array) -> list[Array]:
    """(..., d) to (..., G), (..., G) and (..., 2)."""
    return [linear(params, f"head.{name}", x) for name in _THREE]


def three_loss(logits: list[Any], seen: Seen) -> Any:
    """Cross entropies of the demonstrated row, column and orientation, summed; the mean over looks."""
    mask = seen.mask
    labels = seen.grasps[mask]
    return sum(cross_entropy(each[mask], labels[:, number]) for number, each in enumerate(logits))


def three_grasps(logits: list[np.ndarray]) -> np.ndarray:
    """(n, 3): the likeliest row, column and orientation, each for itself."""
    return np.stack([each.argmax(axis=-1) for each in logits], axis=-1)


def joint_initial(initial: Initial, width: int, grid: int, name: str = "head.joint") -> None:
    """One head over all (row, column, theta)."""
    initial.linear(name, width, 2 * grid * grid)


def joint_logits(params: Params, x: Array, name: str = "head.joint") -> Array:
    """(..., d) to (..., 2 G G), in the order of :func:`joint_labels`."""
    return linear(params, name, x)


def joint_labels(grasps: np.ndarray, grid: int) -> np.ndarray:
    """(..., 3) grasps to (...) numbers of classes."""
    return (grasps[..., 0] * grid + grasps[..., 1]) * 2 + grasps[..., 2]


def joint_loss(logits: Any, seen: Seen) -> Any:
    """Cross entropy of the demonstrated grasp; the mean over looks."""
    mask = seen.mask
    return cross_entropy(logits[mask], joint_labels(seen.grasps[mask], seen.grid))


def joint_grasps(logits: np.ndarray, grid: int) -> np.ndarray:
    """(n, 2 G G) to (n, 3): the likeliest grasp."""
    return np.stack(np.unravel_index(logits.argmax(axis=-1), (grid, grid, 2)), axis=-1)


def cross_entropy(logits: Any, labels: np.ndarray) -> Any:
    """Mean over (n, classes) tensors."""
    torch = namespace(logits)
    return torch.nn.functional.cross_entropy(logits, torch.from_numpy(labels))


def at_end(x: Array, lengths: np.ndarray) -> Array:
    """(n, t, d) to (n, d): each episode at its latest look."""
    return x[np.arange(len(lengths)), lengths - 1]

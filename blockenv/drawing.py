"""BlockEnv for people: text, pictures and short films, as in the paper's Figures 5 and 8."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import numpy as np
from PIL import Image

from .rules import DISTRACTOR, EMPTY, GOAL

SIZE = 256
TURN_FRAMES = 5
"""Frames of a film that show one grasp: half a second at ten a second, so that a turn can be followed."""
_CLOSING = 3
_COLOURS = {EMPTY: (255, 255, 255), DISTRACTOR: (32, 148, 148), GOAL: (250, 200, 40)}
_OUTSIDE = (240, 242, 244)
_MARGIN = 0.5
"""Cells around the grid, so that a gripper at its edge is seen."""
_LINE, _OPEN, _REFUSED = (214, 218, 222), (60, 64, 72), (200, 48, 48)
_LETTERS = {EMPTY: ".", DISTRACTOR: "#", GOAL: "O"}


def text(grid: np.ndarray, grasp: Sequence[int] | None = None) -> str:
    """A grid (G, G) as G lines: ``.`` empty, ``#`` distractor, ``O`` goal; a grasp's fingers as ``=`` or ``|``."""
    rows = [[_LETTERS[int(value)] for value in row] for row in grid]
    for r, c in _fingers(grasp, len(grid)):
        rows[r][c] = "|" if grasp is not None and grasp[2] else "="
    return "\n".join(" ".join(row) for row in rows)


def picture(
    grid: np.ndarray, height: int = SIZE, width: int = SIZE, grasp: Sequence[int] | None = None, legal: bool = True
) -> np.ndarray:
    """A grid (G, G) from above: goal yellow, distractors teal, a gripper's two jaws on either side of what it grasps.

    Args:
        grid: (G, G).
        height: pixels.
        width: pixels.
        grasp: (row, column, theta) to show the gripper at; None for no gripper.
        legal: whether the grasp is legal; the jaws of an illegal one are red.

    Returns:
        uint8 (height, width, 3) RGB.
    """
    size = len(grid)
    y, x = _places(height, size), _places(width, size)
    rows, columns = np.floor(y).astype(int) + 1, np.floor(x).astype(int) + 1
    palette = np.array([*(_COLOURS[value] for value in (EMPTY, DISTRACTOR, GOAL)), _OUTSIDE], dtype=np.uint8)
    image = palette[np.pad(grid, 1, constant_values=len(_COLOURS))[rows[:, None], columns[None, :]]]
    if min(height, width) >= 8 * (size + 2 * _MARGIN):
        image[np.diff(rows, prepend=0) > 0] = _LINE
        image[:, np.diff(columns, prepend=0) > 0] = _LINE
    if grasp is not None:
        image[_jaws(y[:, None], x[None, :], grasp)] = _OPEN if legal else _REFUSED
    return image


def film(
    before: np.ndarray,
    after: np.ndarray,
    grasp: Sequence[int],
    legal: bool,
    height: int = SIZE,
    width: int = SIZE,
) -> list[np.ndarray]:
    """One grasp as ``TURN_FRAMES`` pictures: the gripper at the block, then what it left."""
    closing = picture(before, height, width, grasp, legal)
    return [closing] * _CLOSING + [picture(after, height, width)] * (TURN_FRAMES - _CLOSING)


def gif(frames: Sequence[np.ndarray], rate: float = 10.0) -> bytes:
    """An endless GIF.

    Args:
        frames: uint8 (H, W, 3), all of one size, one at least.
        rate: frames per second.
    """
    images = [Image.fromarray(frame) for frame in frames]
    buffer = BytesIO()
    images[0].save(buffer, format="gif", save_all=True, append_images=images[1:], duration=round(1000 / rate), loop=0)
    return buffer.getvalue()


def _places(pixels: int, size: int) -> np.ndarray:
    """Each pixel's middle, in cells from the grid's edge."""
    return (np.arange(pixels) + 0.5) * (size + 2 * _MARGIN) / pixels - _MARGIN


def _jaws(y: np.ndarray, x: np.ndarray, grasp: Sequence[int]) -> np.ndarray:
    """Two bars just outside the grasped cell's faces; ``y`` and ``x`` in cells."""
    along, across = (x - grasp[1], y - grasp[0]) if grasp[2] else (y - grasp[0], x - grasp[1])
    beside = ((along >= -0.3) & (along < -0.05)) | ((along >= 1.05) & (along < 1.3))
    return beside & (across >= 0.1) & (across < 0.9)


def _fingers(grasp: Sequence[int] | None, size: int) -> list[tuple[int, int]]:
    """Cells in the grid on both sides of a grasp."""
    if grasp is None:
        return []
    r, c, theta = (int(value) for value in grasp)
    sides = ((r - 1 + theta, c - theta), (r + 1 - theta, c + theta))
    return [(row, column) for row, column in sides if 0 <= row < size and 0 <= column < size]

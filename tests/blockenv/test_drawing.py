from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageSequence

from indgen.blockenv.drawing import TURN_FRAMES, film, gif, picture, text
from indgen.blockenv.rules import DISTRACTOR, EMPTY, GOAL, arrange

GRID = arrange(np.array([1]), 3, np.array([[0.0, 0.0]]))[0]


def test_text_shows_blocks_and_the_gripper() -> None:
    assert text(GRID) == ". # .\n# O .\n. . ."
    assert text(GRID, (1, 0, 0)) == "= # .\n# O .\n= . ."
    assert text(GRID, (0, 1, 1)) == "| # |\n# O .\n. . ."


def middle(image: np.ndarray, row: float, column: float, cells: int) -> tuple[int, ...]:
    """The colour at a place, in cells from the grid's edge; half a cell is around it."""
    height, width = image.shape[:2]
    y, x = (row + 0.5) / (cells + 1) * height, (column + 0.5) / (cells + 1) * width
    return tuple(image[int(y), int(x)].tolist())


@pytest.mark.parametrize(("height", "width"), [(256, 256), (64, 48), (512, 512), (31, 33)])
def test_a_picture_shows_every_cell_in_its_place(height: int, width: int) -> None:
    image = picture(GRID, height, width)
    assert (image.shape, image.dtype) == ((height, width, 3), np.uint8)
    colours = {value: set() for value in (EMPTY, DISTRACTOR, GOAL)}
    for (r, c), value in np.ndenumerate(GRID):
        colours[int(value)].add(middle(image, r + 0.5, c + 0.5, 3))
    assert all(len(found) == 1 for found in colours.values())
    assert len(set.union(*colours.values())) == 3
    (red, green, blue) = colours[GOAL].pop()
    assert min(red, green) > 2 * blue
    (red, green, blue) = colours[DISTRACTOR].pop()
    assert min(green, blue) > 2 * red


def test_the_gripper_stands_on_both_sides_of_what_it_grasps() -> None:
    bare = picture(GRID)
    for grasp, sides in (((0, 1, 0), ((-0.2, 1.5), (1.2, 1.5))), ((0, 1, 1), ((0.5, 0.8), (0.5, 2.2)))):
        shown = picture(GRID, grasp=grasp)
        jaws = {middle(shown, r, c, 3) for r, c in sides}
        assert len(jaws) == 1
        assert jaws != {middle(picture(GRID, grasp=grasp, legal=False), *sides[0], 3)}
        assert middle(shown, 0.5, 1.5, 3) == middle(bare, 0.5, 1.5, 3)


def test_a_turn_is_filmed_before_and_after() -> None:
    after = GRID.copy()
    after[0, 1] = EMPTY
    frames = film(GRID, after, (0, 1, 1), True)
    assert len(frames) == TURN_FRAMES
    assert np.array_equal(frames[0], picture(GRID, grasp=(0, 1, 1)))
    assert np.array_equal(frames[-1], picture(after))


def test_a_film_becomes_an_animated_gif() -> None:
    after = GRID.copy()
    after[0, 1] = EMPTY
    with Image.open(BytesIO(gif([picture(GRID), picture(after)], rate=4))) as read:
        assert (read.format, sum(1 for _ in ImageSequence.Iterator(read)), read.size) == ("GIF", 2, (256, 256))
        assert (read.info["duration"], read.info["loop"]) == (250, 0)

"""BlockEnv's scenes: where the arrangement lies is drawn at grounding, how deep it is comes from edits."""

from __future__ import annotations

import numpy as np

from ..core.edits import Deepen
from ..core.errors import SceneError, UsageError
from ..core.scene import Scene
from .rules import check_level

TASK = "remove_goal"
INSTRUCTION = "remove the goal block"


def ground(world: str, grid: int, task: str, seed: int) -> Scene:
    """Tau_0: the goal block alone; the draw that places it places every deeper level as well."""
    draw = [float(value) for value in np.random.default_rng(seed).random(2)]
    return Scene(world, task, INSTRUCTION, (), seed, {"grid": grid, "draw": draw})


def level_of(scene: Scene) -> int:
    """How many blocks each chain has.

    Raises:
        SceneError: for an edit of another kind, or a level that the scene's grid does not hold.
    """
    strange = [edit.kind for edit in scene.edits if not isinstance(edit, Deepen)]
    if strange:
        raise SceneError("BlockEnv cannot carry this edit", got=strange[0], expected=Deepen.kind)
    level = sum(edit.k for edit in scene.edits)
    try:
        check_level(level, grid_of(scene))
    except UsageError as cause:
        raise SceneError(str(cause)) from cause
    return level


def grid_of(scene: Scene) -> int:
    """The grid's size G.

    Raises:
        SceneError: if the scene is no BlockEnv's.
    """
    grid = scene.fact("grid")
    if isinstance(grid, bool) or not isinstance(grid, int) or grid < 1:
        raise SceneError("a scene's grid is none", got=repr(grid), expected="1 or more cells a side")
    return grid


def draw_of(scene: Scene) -> tuple[float, float]:
    """The placing draw, two numbers in [0, 1).

    Raises:
        SceneError: if the scene has none.
    """
    draw = scene.fact("draw")
    if not isinstance(draw, tuple | list) or len(draw) != 2 or not all(_is_draw(value) for value in draw):
        raise SceneError("a scene's draw is none", got=repr(draw), expected="two numbers in [0, 1)")
    return draw[0], draw[1]


def _is_draw(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value < 1.0

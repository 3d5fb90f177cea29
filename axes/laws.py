"""The laws every transform axis keeps; plugin authors run :func:`check_axis` on their own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations

from ..core.errors import UsageError
from ..core.scene import Scene
from .composition import Composed
from .contract import Axis, AxisCard


class AxisLawBroken(UsageError):
    """An axis breaks one of its laws; the message names the law, the level and the scene."""


def check_axis(axis: Axis, scenes: Iterable[Scene]) -> int:
    """Check the laws on grounded tau_0 scenes at every level the axis defines.

    Of any axis: level 0 is the identity, the same level twice gives the same scene, another level is another scene,
    nothing but edits changes. Of a registered axis besides: level -k undoes level k, level k is k single steps. Of a
    composition, whose further parts are at ``|k|`` on both sides, instead: level k is its parts' edits together, in
    whatever order they are applied.

    Args:
        axis: the axis.
        scenes: grounded scenes without edits.

    Returns:
        How many (scene, level) pairs were checked.

    Raises:
        AxisLawBroken: at the first law that does not hold exactly.
    """
    levels, checked = axis.card.levels, 0
    check_levels(axis.card)
    for scene in scenes:
        _demand(axis.at(scene, 0) == scene, axis, scene, 0, "level 0 is the identity")
        for k in levels:
            moved = axis.at(scene, k)
            if not isinstance(axis, Composed):
                _demand(axis.at(moved, -k) == scene, axis, scene, k, "level -k undoes level k")
            _demand(axis.at(scene, k) == moved, axis, scene, k, "the same level twice gives the same scene")
            _demand(k == 0 or moved != scene, axis, scene, k, "another level is another scene")
            _demand(replace(moved, edits=scene.edits) == scene, axis, scene, k, "nothing but edits changes")
            if isinstance(axis, Composed):
                _check_parts(axis, scene, k, moved)
            else:
                _demand(moved == _stepwise(axis, scene, k), axis, scene, k, "level k is k single steps")
            checked += 1
    return checked


def check_levels(card: AxisCard) -> None:
    """The levels of an axis are distinct, ascending, and 0 is among them.

    Raises:
        AxisLawBroken: if they are not.
    """
    if 0 not in card.levels or list(card.levels) != sorted(set(card.levels)):
        raise AxisLawBroken(f"{card.id}: levels", got=card.levels, expected="distinct, ascending, with 0 among them")


def _check_parts(axis: Composed, scene: Scene, k: int, moved: Scene) -> None:
    edits = [edit for part, level in axis.each(k) for edit in part.at(scene, level).edits]
    _demand(moved == scene.edit(*edits), axis, scene, k, "level k is its parts' edits together")
    for parts in permutations(axis.each(k)):
        turned = scene
        for part, level in parts:
            turned = part.at(turned, level)
        _demand(moved == turned, axis, scene, k, "the order of the parts does not matter")


def _stepwise(axis: Axis, scene: Scene, k: int) -> Scene:
    for _ in range(abs(k)):
        scene = axis.at(scene, 1 if k > 0 else -1)
    return scene


def _demand(holds: bool, axis: Axis, scene: Scene, k: int, law: str) -> None:
    if not holds:
        raise AxisLawBroken(f"{axis.card.id} breaks a law: {law}", got=f"level {k} of {scene.world}/{scene.task}")

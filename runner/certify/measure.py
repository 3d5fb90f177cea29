"""Measure one task of an axis: every start at every level beside tau_0's, wherever starts are instantiated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from ...axes import Axis
from ...axes.certificates import Geometry
from ...core.errors import SceneError
from ...core.inspection import Inspection
from ...core.scene import Scene
from ..scenes import at_level
from .geometry import Pair, judge

Geometries = dict[int, Geometry]
"""Level to verdict."""
OnStart = Callable[[int, bool], None]
"""Told the level, and whether the start is sound."""


class Inspector(Protocol):
    """Where starts are instantiated."""

    def ground(self, task: str, start: int) -> Scene:
        """The grounded tau_0 of a start."""
        ...

    def inspect(self, scene: Scene) -> Inspection:
        """What a start is, sound or not."""
        ...


@dataclass(frozen=True)
class Survey:
    """What to measure of each task.

    Attributes:
        axis: the axis.
        levels: which of its levels.
        starts: rollout numbers.
        on_start: told of every start that was instantiated, from any thread.
    """

    axis: Axis
    levels: Sequence[int]
    starts: Sequence[int]
    on_start: OnStart


def measure(survey: Survey, task: str, inspector: Inspector) -> Geometries:
    """The geometric verdict of each level of a task.

    Raises:
        IndgenError: whatever the inspector meets.
    """
    scenes = {start: inspector.ground(task, start) for start in survey.starts}
    bases = {start: inspector.inspect(scene) for start, scene in scenes.items()}
    found: Geometries = {}
    for level in sorted(survey.levels, key=lambda k: (abs(k), k)):
        pairs = []
        for start, scene in scenes.items():
            pairs.append(_pair(survey.axis, inspector, scene, start, level, bases[start]))
            survey.on_start(level, pairs[-1].found.problem is None)
        inner = found.get(level - 1 if level > 0 else level + 1)
        found[level] = judge(pairs, inner.distance if inner else None, level)
    return found


def _pair(axis: Axis, inspector: Inspector, scene: Scene, start: int, level: int, base: Inspection) -> Pair:
    """A start that the axis cannot make is a broken one, in the axis' own words."""
    try:
        moved = at_level(axis, scene, level)
    except SceneError as problem:
        return Pair(start, scene, base, replace(base, problem=str(problem)))
    return Pair(start, moved, base, inspector.inspect(moved))

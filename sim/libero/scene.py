"""LIBERO's view of a scene's facts: which bodies a task is about and where they came to rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from ...core.edits import Deepen, Edit, Reveal, Scale, Translate
from ...core.errors import SceneError
from ...core.scene import Scene
from .tasks import ROLES

WORLD = "libero"


@dataclass(frozen=True)
class LiberoFacts:
    """What grounding a LIBERO rollout measured.

    Attributes:
        start: index of the published init state.
        pick: the one body (instance name) to pick, e.g. ``milk_1``; None where there are several, or none.
        goal: the one body or fixture to place on or in, e.g. ``basket_1``.
        region: site of the goal region, e.g. ``basket_1_contain_region``; None where ``goal`` as a whole is meant.
        rest: instance name to (x, y, z, qw, qx, qy, qz) after tau_0's settle; metres, world frame.
        reserve: distractors in the order in which they appear: ``kind`` and ``pose``, as in ``rest``.
        fixtures: fixture to pose, likewise: robosuite samples them, no init state holds them.
    """

    start: int
    pick: str | None
    goal: str | None
    region: str | None
    rest: Mapping[str, tuple[float, ...]]
    reserve: tuple[Mapping[str, Any], ...] = ()
    fixtures: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, scene: Scene) -> LiberoFacts:
        """The facts of a LIBERO scene.

        Raises:
            SceneError: for a scene of another world.
        """
        if scene.world != WORLD:
            raise SceneError("not a LIBERO scene", got=f"world {scene.world!r}", expected=repr(WORLD))
        known = {name: scene.fact(name) for name in ("start", "pick", "goal", "region", "rest")}
        others = {name: scene.facts[name] for name in ("reserve", "fixtures") if name in scene.facts}
        return cls(**known, **others)

    def named(self, role: Literal["pick", "goal"]) -> str:
        """The body of a role.

        Raises:
            SceneError: for a task that has none.
        """
        body = self.pick if role == "pick" else self.goal
        if body is None:
            raise SceneError(f"this task has no single {role} body", got=None, expected="a body's name")
        return body


def displacements(edits: Iterable[Edit]) -> dict[str, np.ndarray]:
    """Instance name to displacement (3,) in metres, world frame."""
    moved: dict[str, np.ndarray] = {}
    for edit in edits:
        if isinstance(edit, Translate):
            offset = np.eye(3)["xyz".index(edit.axis)] * edit.metres
            moved[edit.body] = moved.get(edit.body, np.zeros(3)) + offset
    return moved


def scales(edits: Iterable[Edit]) -> dict[str, float]:
    """Instance name to its size over tau_0's.

    Raises:
        SceneError: for a size of nothing or less.
    """
    sizes: dict[str, float] = {}
    for edit in edits:
        if isinstance(edit, Scale):
            sizes[edit.body] = sizes.get(edit.body, 1.0) * edit.factor
    vanished = [body for body, factor in sizes.items() if factor <= 0]
    if vanished:
        raise SceneError(f"{vanished[0]} would have no size", got=sizes[vanished[0]], expected="a factor above 0")
    return sizes


def revealed(scene: Scene) -> tuple[Mapping[str, Any], ...]:
    """The distractors a scene shows.

    Raises:
        SceneError: if it asks for more of them than could be placed, or for fewer than none.
    """
    shown = sum(edit.k for edit in scene.edits if isinstance(edit, Reveal))
    reserve = LiberoFacts.of(scene).reserve
    if not 0 <= shown <= len(reserve):
        raise SceneError(
            f"{scene.task} cannot show so many distractors",
            got=shown,
            expected=f"0 to {len(reserve)}, as many as found a place clear of the task's objects",
        )
    return reserve[:shown]


def check_edits(scene: Scene) -> None:
    """LIBERO moves and scales the bodies that came to rest at tau_0, and shows distractors of the reserve.

    Raises:
        SceneError: for any other body or kind of edit, or for too many distractors.
    """
    if any(isinstance(edit, Deepen) for edit in scene.edits):
        raise SceneError(f"{scene.task} is made by no recursion", got=Deepen.kind)
    known = LiberoFacts.of(scene).rest
    for body in sorted({edit.body for edit in scene.edits if isinstance(edit, Translate | Scale)}):
        if body not in known:
            raise SceneError(f"{scene.task} has no such body", got=body, exists=sorted(known))
        bound = ROLES[scene.task].bound(body) if scene.task in ROLES else None
        if bound:
            raise SceneError(f"{scene.task} cannot carry this edit alone", got=bound)
    revealed(scene)

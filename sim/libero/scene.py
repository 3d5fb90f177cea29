"""LIBERO's view of a scene's facts: which bodies a task is about and where they came to rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from ...core.edits import Edit, Translate
from ...core.errors import SceneError
from ...core.scene import Scene

WORLD = "libero"


@dataclass(frozen=True)
class LiberoFacts:
    """What grounding a LIBERO rollout measured.

    Attributes:
        start: index of the published init state.
        pick: body (instance name) to pick, e.g. ``milk_1``.
        goal: body that holds the goal region, e.g. ``basket_1``.
        region: site of the goal region, e.g. ``basket_1_contain_region``.
        rest: instance name to (x, y, z, qw, qx, qy, qz) after tau_0's settle; metres, world frame.
    """

    start: int
    pick: str
    goal: str
    region: str
    rest: Mapping[str, tuple[float, ...]]

    @classmethod
    def of(cls, scene: Scene) -> LiberoFacts:
        """The facts of a LIBERO scene.

        Raises:
            SceneError: for a scene of another world.
        """
        if scene.world != WORLD:
            raise SceneError("not a LIBERO scene", got=f"world {scene.world!r}", expected=repr(WORLD))
        return cls(**{name: scene.fact(name) for name in ("start", "pick", "goal", "region", "rest")})


def displacements(edits: Iterable[Edit]) -> dict[str, np.ndarray]:
    """Instance name to displacement (3,) in metres, world frame.

    Raises:
        SceneError: for an edit that LIBERO does not carry.
    """
    moved: dict[str, np.ndarray] = {}
    for edit in edits:
        if not isinstance(edit, Translate):
            raise SceneError("LIBERO does not carry this edit", got=edit.kind, exists=[Translate.kind])
        offset = np.eye(3)["xyz".index(edit.axis)] * edit.metres
        moved[edit.body] = moved.get(edit.body, np.zeros(3)) + offset
    return moved

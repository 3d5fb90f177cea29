"""Grounded starts, kept in the run folder so that a resumed run starts from the very same ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from ..axes import Axis
from ..core.errors import PLUGIN_FAULTS, IndgenError, SceneError, SimulatorError
from ..core.scene import Scene
from ..core.text import describe
from .agenda import Group
from .files import write_atomically


def at_level(axis: Axis, base: Scene, level: int) -> Scene:
    """A start at a level of an axis; nothing but its edits may differ from tau_0's.

    Raises:
        SceneError: if the axis raises, or changes anything else.
    """
    try:
        moved = axis.at(base, level)
        kept = replace(moved, edits=()) == base
    except IndgenError:
        raise
    except PLUGIN_FAULTS as error:
        raise SceneError(f"axis {axis.card.id} raised at level {level}", got=describe(error)) from error
    if not kept:
        raise SceneError(f"axis {axis.card.id} changes more than edits", got=f"level {level}")
    return moved


class SceneStore:
    """One JSON file per grounded tau_0.

    A file that cannot be read, or that no longer holds what was grounded, counts as missing and is grounded
    again; what comes out then must be what was grounded before.

    Args:
        folder: where they lie; created when the first one is put.
        digests: digest of each start that was grounded before.
        on_ground: told of each start that is grounded for the first time.
    """

    def __init__(
        self,
        folder: Path,
        digests: Mapping[Group, str] | None = None,
        on_ground: Callable[[Group, str], None] = lambda group, digest: None,
    ) -> None:
        self._folder = folder
        self._digests = dict(digests or {})
        self._on_ground = on_ground
        self._known: dict[Group, Scene] = {}
        self._files = {path.name for path in folder.glob("*.json")}

    def has(self, group: Group) -> bool:
        """Whether a start has been grounded."""
        if group not in self._known and self._path(group).name in self._files:
            self._load(group)
        return group in self._known

    def get(self, group: Group) -> Scene:
        """A start that :meth:`has` knows."""
        if not self.has(group):
            raise SceneError("this start has not been grounded", got=f"{group[0]}, rollout {group[1]}")
        return self._known[group]

    def put(self, group: Group, scene: Scene) -> None:
        """Keep a start.

        Raises:
            SimulatorError: if it was grounded before, as another scene.
        """
        known = self._digests.setdefault(group, scene.digest)
        if known != scene.digest:
            raise SimulatorError(
                f"grounding {group[0]}, rollout {group[1]} again gave another scene",
                got=scene.digest[:12],
                expected=known[:12],
                hint="the world has changed since this run began: begin another one with --out",
            )
        self._on_ground(group, scene.digest)
        self._known[group] = scene
        self._folder.mkdir(exist_ok=True)
        write_atomically(self._path(group), json.dumps(scene.to_dict()), durable=False)

    def _path(self, group: Group) -> Path:
        task, rollout = group
        return self._folder / f"{task}-{rollout:03d}.json"

    def _load(self, group: Group) -> None:
        try:
            scene = Scene.from_dict(json.loads(self._path(group).read_text()))
        except (OSError, ValueError, TypeError, RecursionError, SceneError):
            self._files.discard(self._path(group).name)
            return
        if scene.digest == self._digests.get(group):
            self._known[group] = scene
        else:
            self._files.discard(self._path(group).name)

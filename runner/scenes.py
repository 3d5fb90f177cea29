"""Grounded starts, kept in the run folder so that a resumed run starts from the very same ones."""

from __future__ import annotations

import json
from pathlib import Path

from ..core.errors import SceneError
from ..core.scene import Scene
from .agenda import Group
from .files import write_atomically


class SceneStore:
    """One JSON file per grounded tau_0; a file that cannot be read counts as missing and is grounded again.

    Args:
        folder: where they lie; created when the first one is put.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
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
        """Keep a start."""
        self._known[group] = scene
        self._folder.mkdir(exist_ok=True)
        write_atomically(self._path(group), json.dumps(scene.to_dict()), durable=False)

    def _path(self, group: Group) -> Path:
        task, rollout = group
        return self._folder / f"{task}-{rollout:03d}.json"

    def _load(self, group: Group) -> None:
        try:
            self._known[group] = Scene.from_dict(json.loads(self._path(group).read_text()))
        except (OSError, ValueError, TypeError, SceneError):
            self._files.discard(self._path(group).name)

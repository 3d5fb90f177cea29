"""Demonstrations on disk: recorded once per start, read back on resume."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np

from ..core.scene import Scene
from ..core.slots import EpisodeKey
from ..policies.contract import Demonstration
from .files import write_atomically


class DemonstrationStore:
    """One npz file per demonstrated episode.

    Args:
        folder: where they lie; created when the first one is put.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, key: EpisodeKey) -> Path:
        """Where a key's demonstration lies."""
        return self._folder / f"{key.task}-{key.rollout:03d}{key.level:+d}.npz"

    def put(self, key: EpisodeKey, actions: np.ndarray, layout: str, success: bool) -> None:
        """Keep a demonstration: (steps, d) actions in ``layout``."""
        self._folder.mkdir(exist_ok=True)
        buffer = BytesIO()
        np.savez_compressed(buffer, actions=actions, layout=np.array(layout), success=np.array(success))
        write_atomically(self.path(key), buffer.getvalue(), durable=False)

    def get(self, key: EpisodeKey, scene: Scene) -> Demonstration | None:
        """A key's demonstration from ``scene``; None if it is missing or cannot be read."""
        try:
            with np.load(self.path(key), allow_pickle=False) as archive:
                return Demonstration(
                    scene=scene,
                    level=key.level,
                    rollout=key.rollout,
                    actions=archive["actions"],
                    layout=str(archive["layout"]),
                    success=bool(archive["success"]),
                )
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None

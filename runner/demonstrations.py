"""Demonstrations on disk: recorded once per start, read back on resume."""

from __future__ import annotations

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

    def has(self, key: EpisodeKey) -> bool:
        """Whether a key's demonstration can be read."""
        return self._read(key) is not None

    def get(self, key: EpisodeKey, scene: Scene) -> Demonstration | None:
        """A key's demonstration from ``scene``; None if it is missing or cannot be read."""
        found = self._read(key)
        if found is None:
            return None
        actions, layout, success = found
        return Demonstration(scene, key.level, key.rollout, actions, layout, success)

    def _read(self, key: EpisodeKey) -> tuple[np.ndarray, str, bool] | None:
        try:
            with np.load(BytesIO(self.path(key).read_bytes()), allow_pickle=False) as archive:
                return archive["actions"], str(archive["layout"]), bool(archive["success"])
        except Exception:  # A garbled archive raises whatever its layers raise: zlib.error, KeyError, RuntimeError.
            return None

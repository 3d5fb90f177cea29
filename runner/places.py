"""Places in which episodes run: the one interface the engine knows, whatever stands behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..core.errors import IndgenError
from ..core.observation import ActionChunk, Observation, Transition
from ..core.scene import Scene
from ..core.slots import EpisodeKey, Slot


@dataclass(frozen=True)
class Grounded:
    """A start was grounded."""

    scene: Scene


@dataclass(frozen=True)
class Started:
    """An episode stands at its start."""

    observation: Observation


@dataclass(frozen=True)
class Moved:
    """A chunk was executed."""

    transition: Transition


@dataclass(frozen=True)
class Fault:
    """What was asked for did not happen."""

    error: IndgenError


News = Grounded | Started | Moved | Fault


class Places(Protocol):
    """``capacity`` numbered places; each takes one call at a time and answers through :meth:`poll`."""

    capacity: int
    compiles: bool
    """Whether a place compiles a model per scene, so that like episodes should follow one another."""
    manifest: Mapping[str, Any]

    def ground(self, place: int, key: EpisodeKey, seed: int) -> None:
        """Ask for the grounded tau_0 of a key's start."""
        ...

    def start(self, slot: Slot, scene: Scene) -> None:
        """Ask for an episode's start in the slot's place."""
        ...

    def advance(self, slots: Sequence[Slot], chunks: Sequence[ActionChunk]) -> None:
        """Ask for one chunk per slot to be executed."""
        ...

    def poll(self, wait_s: float) -> list[tuple[int, News]]:
        """Answers that have arrived, waiting up to ``wait_s`` seconds for the first one."""
        ...

    def close(self) -> None:
        """Let everything go."""
        ...

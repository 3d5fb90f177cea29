"""Episode: the record of one rollout, and the fold that makes episodes from events."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from ..core.errors import LedgerError
from ..core.slots import EpisodeKey
from .ledger import Event


class Outcome(StrEnum):
    """How an episode ended (DESIGN section 2)."""

    SUCCESS = "success"
    FAILURE = "failure"
    ERROR = "error"
    INVALID = "invalid"


class Episode(BaseModel):
    """One rollout. Every line of ``episodes.jsonl`` is one of these; field order is part of the format."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    policy: str
    """Registered id of the policy."""
    axis: str
    """Registered id of the axis."""
    level: int
    """Level k of the axis; 0 is tau_0."""
    task: str
    """Full task name."""
    rollout: int
    """Which start of the task, from 0."""
    outcome: Outcome
    """``success`` and ``failure`` count; ``error`` is retried; ``invalid`` is a broken start."""
    cause: str | None
    """Why, for anything but a success."""
    steps: int
    """Control steps the policy got."""
    stage: str | None = None
    """How far the task came, in the world's words."""
    seed: int
    """Seed of the start: the same at every level and for every policy."""
    policy_seed: int
    """Seed of the policy's own noise."""
    attempt: int
    """1 for the first try; more after errors."""
    judge: Literal["predicate", "human"] = "predicate"
    """Who decided the outcome."""
    scene: str | None = None
    """SHA-256 of the scene it started from."""
    started: str
    """UTC, ISO 8601."""
    wall_s: float
    """Seconds from reset to end."""
    policy_s: float
    """Seconds spent waiting for the policy."""
    video: str | None = None
    """Path of its video, relative to the run folder."""

    @property
    def key(self) -> EpisodeKey:
        """The cell and rollout; unique within a run."""
        return EpisodeKey(task=self.task, rollout=self.rollout, level=self.level)


def fold(events: Iterable[Event]) -> dict[EpisodeKey, Episode]:
    """The episodes that stand after all events, sorted by key.

    ``episode`` sets a key (a later attempt replaces an earlier one), ``amend`` changes fields of it with a
    reason, ``void`` takes it back so that it runs again. Nothing in the ledger is ever rewritten.

    Raises:
        LedgerError: for an amendment of an episode that is not there.
    """
    standing: dict[EpisodeKey, Episode] = {}
    for event in events:
        if event.kind == "episode":
            episode = Episode.model_validate(event.data)
            standing[episode.key] = episode
        elif event.kind in ("amend", "void"):
            key = EpisodeKey(**event.data["key"])
            if key not in standing:
                raise LedgerError(f"event {event.seq} would {event.kind} an episode that is not there", got=str(key))
            if event.kind == "void":
                del standing[key]
            else:
                changed = {**standing[key].model_dump(), **event.data["fields"]}
                standing[key] = _amended(key, changed, event.seq)
    return dict(sorted(standing.items()))


def _amended(key: EpisodeKey, changed: dict[str, Any], seq: int) -> Episode:
    episode = Episode.model_validate(changed)
    if episode.key != key:
        raise LedgerError(f"event {seq} would move an episode", got=str(episode.key), expected=str(key))
    return episode

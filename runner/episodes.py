"""Episode: the record of one rollout, and the fold that makes episodes from events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from enum import StrEnum
from sys import intern
from typing import Any, Literal

from pydantic import ConfigDict, FiniteFloat, ValidationError
from pydantic.dataclasses import dataclass

from ..core.errors import LedgerError
from ..core.observation import Act
from ..core.slots import EpisodeKey
from ..core.text import one_line
from .ledger import Event


class Outcome(StrEnum):
    """How an episode ended."""

    SUCCESS = "success"
    FAILURE = "failure"
    ERROR = "error"
    INVALID = "invalid"


Point = tuple[FiniteFloat, FiniteFloat, FiniteFloat]
_ACT_DIGITS = 5


@dataclass(frozen=True, slots=True, kw_only=True, config=ConfigDict(extra="forbid"))
class Acted:
    """A :class:`~indgen.core.Act` as an episode keeps it: metres, world frame, rounded to 1e-5 m."""

    hand: Point
    """Where the hand was when it acted."""
    target: Point
    """Where its target stood at the start."""
    how: Literal["command", "end", "approach"]
    """What counted as acting."""

    @classmethod
    def of(cls, act: Act) -> Acted:
        """The record of an act."""
        hand, target = (tuple(round(float(value), _ACT_DIGITS) for value in place) for place in (act.hand, act.target))
        return cls(hand=hand, target=target, how=act.how)  # type: ignore[arg-type]

    def to_data(self) -> dict[str, Any]:
        """Plain JSON data, fields in order."""
        return {"hand": list(self.hand), "target": list(self.target), "how": self.how}


@dataclass(frozen=True, slots=True, kw_only=True, config=ConfigDict(extra="forbid"))
class Episode:
    """One rollout. Every line of ``episodes.jsonl`` is one of these; field order is part of the format."""

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
    acts: dict[str, Acted] | None = None
    """By role, where the hand acted and where its target was; None where the world does not tell."""

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Episode:
        """Read one back; texts that many episodes share are kept once.

        Raises:
            LedgerError: if it is no episode.
        """
        try:
            fields = dict(data)
            for name in _SHARED:
                # ``type`` and not ``isinstance``: intern takes nothing else.
                if type(text := fields.get(name)) is str:
                    fields[name] = intern(text)
            return cls(**fields)
        except (ValidationError, TypeError) as cause:
            raise LedgerError("this is no episode", got=str(cause).replace("\n", " ")[:200]) from cause

    def to_data(self) -> dict[str, Any]:
        """Plain JSON data, fields in order."""
        acts = None if self.acts is None else {role: act.to_data() for role, act in self.acts.items()}
        return {**{name: getattr(self, name) for name in FIELDS}, "outcome": self.outcome.value, "acts": acts}

    @property
    def key(self) -> EpisodeKey:
        """The cell and rollout; unique within a run."""
        return EpisodeKey(task=self.task, rollout=self.rollout, level=self.level)


FIELDS = tuple(field.name for field in fields(Episode))  # type: ignore[arg-type]
_SHARED = ("policy", "axis", "task", "cause", "stage", "judge")


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
            episode = Episode.from_data(event.data)
            standing[episode.key] = episode
        elif event.kind in ("amend", "void"):
            key = _key(event)
            if key not in standing:
                raise LedgerError(f"event {event.seq} would {event.kind} an episode that is not there", got=str(key))
            if event.kind == "void":
                del standing[key]
            else:
                standing[key] = _amended(standing[key], event)
    # Keys as plain tuples: a run of a million episodes sorts ten times as fast.
    return {key: standing[key] for key in sorted(standing, key=lambda key: (key.task, key.rollout, key.level))}


def _key(event: Event) -> EpisodeKey:
    data = event.data.get("key")
    if not isinstance(data, Mapping) or set(data) != {"task", "rollout", "level"}:
        raise LedgerError(f"event {event.seq} names no episode", got=one_line(repr(data), 80))
    return EpisodeKey(**data)


def _amended(episode: Episode, event: Event) -> Episode:
    changed = Episode.from_data({**episode.to_data(), **_fields(event)})
    if changed.key != episode.key:
        raise LedgerError(f"event {event.seq} would move an episode", got=str(changed.key), expected=str(episode.key))
    return changed


def _fields(event: Event) -> Mapping[str, Any]:
    fields = event.data.get("fields")
    if not isinstance(fields, Mapping):
        raise LedgerError(f"event {event.seq} amends nothing", got=one_line(repr(fields), 80), expected="fields")
    return fields

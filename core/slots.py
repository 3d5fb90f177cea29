"""Slots: many episodes are in flight, and a policy keeps its state per slot."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class EpisodeKey:
    """The cell and the rollout an episode belongs to; unique within a run."""

    task: str
    rollout: int
    level: int

    def __str__(self) -> str:
        return f"{self.task}/{self.rollout}/{self.level:+d}" if self.level else f"{self.task}/{self.rollout}/0"


@dataclass(frozen=True)
class Slot:
    """One place in which an episode runs.

    Attributes:
        id: stable number of the place; refilled with one episode after another.
        key: the episode running in it now.
        is_first: whether this is the episode's first look.
        seed: seed of the policy's own noise in this episode.
    """

    id: int
    key: EpisodeKey
    is_first: bool
    seed: int

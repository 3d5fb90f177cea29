"""From a plan to places: what the environments must provide, where they run, and which seeds they get."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..core.seeds import derive_seed
from ..core.slots import EpisodeKey
from ..core.world import BatchEnv, View, WorkerSpec, World
from ..policies.contract import PolicySpec
from .batch_places import BatchPlaces
from .places import Places
from .plan import Plan
from .video import EVERY
from .worker_places import WorkerPlaces

BATCH = 256
"""Places of a batch world."""


def view_of(spec: PolicySpec, plan: Plan) -> View:
    """What the environments have to provide."""
    return View(
        max_steps=plan.max_steps,
        success=plan.success,
        images=spec.images,
        privileged=bool(spec.privileged),
        history=spec.history,
        video_every=EVERY if plan.video else 0,
    )


def open_places(world: World, view: View, workers: int, logs: Path) -> Places:
    """Places for a world's episodes: worker processes, or this process for a batch world."""
    opened = world.open(view)
    if isinstance(opened, WorkerSpec):
        return WorkerPlaces(opened, view, workers, logs)
    batch: BatchEnv = opened
    return BatchPlaces(batch, BATCH)


def seeds_of(plan: Plan, policy: str) -> Callable[[EpisodeKey], tuple[int, int]]:
    """Episode key to (seed of its start, seed of the policy's noise); neither depends on the level."""

    def seeds(key: EpisodeKey) -> tuple[int, int]:
        start = derive_seed(plan.seed, plan.world, key.task, key.rollout)
        return start, derive_seed(plan.seed, "policy", policy, plan.world, key.task, key.rollout)

    return seeds

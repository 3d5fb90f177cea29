"""Sweep: policy x axis x levels x tasks x rollouts to episodes in a run folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import numpy as np

from ..core.seeds import derive_seed
from ..core.slots import EpisodeKey
from ..core.world import BatchEnv, View, WorkerSpec, World
from ..policies.contract import Adaptive, Demonstration, PolicySpec
from .agenda import Agenda, group_of
from .batch_places import BatchPlaces
from .demonstrations import DemonstrationStore
from .engine import Ended, Engine
from .episodes import Episode, Outcome
from .folder import RunFolder
from .manifest import make_manifest
from .places import Places
from .plan import Plan
from .planning import Parts, load_parts
from .video import EVERY, write_video
from .worker_places import WorkerPlaces

BATCH = 256
"""Places of a batch world."""


class Observer(Protocol):
    """Whoever watches a sweep."""

    def phase(self, text: str, total: int) -> None:
        """Another stretch of work begins, of ``total`` episodes."""
        ...

    def ended(self, level: int, outcome: Outcome, final: bool) -> None:
        """An attempt ended; ``final`` unless it is retried."""
        ...

    def tick(self) -> None:
        """A moment to redraw."""
        ...


def run_sweep(plan: Plan, parts: Parts, folder: RunFolder, workers: int, observer: Observer) -> list[Episode]:
    """Run what is missing of a plan; finished episodes are never repeated, errors are tried again.

    Args:
        plan: the frozen request.
        parts: world, policy and axis.
        folder: the run folder, open.
        workers: how many worker processes (a batch world has none).
        observer: is told about progress.

    Returns:
        The episodes that stand at the end, sorted by key.

    Raises:
        IndgenError: if something is broken for good; whatever finished is in the ledger.
    """
    done = {episode.key: episode for episode in folder.episodes() if episode.outcome is not Outcome.ERROR}
    missing = [key for key in plan.episode_keys() if key not in done]
    if not missing:
        folder.write_episodes()
        return folder.episodes()
    try:
        _adapt(plan, parts, folder, missing, workers, observer)
        _roll_out(plan, parts, folder, missing, workers, observer)
    finally:
        folder.ledger.commit()
        folder.write_episodes()
    return folder.episodes()


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


def _seeds(plan: Plan, policy: str) -> Callable[[EpisodeKey], tuple[int, int]]:
    def seeds(key: EpisodeKey) -> tuple[int, int]:
        start = derive_seed(plan.seed, plan.world, key.task, key.rollout)
        return start, derive_seed(plan.seed, "policy", policy, plan.world, key.task, key.rollout)

    return seeds


def _roll_out(
    plan: Plan, parts: Parts, folder: RunFolder, keys: list[EpisodeKey], workers: int, observer: Observer
) -> None:
    """The sweep itself."""
    observer.phase("rollouts", len(keys))
    places = open_places(parts.world, view_of(parts.policy.spec, plan), min(workers, len(keys)), folder.path / "logs")
    earlier = Counter(Episode.model_validate(event.data).key for event in folder.ledger if event.kind == "episode")
    seeds = _seeds(plan, plan.policy)

    def record(ended: Ended) -> None:
        episode = _episode(plan, ended, earlier[ended.key], seeds(ended.key)[0])
        video = _film(plan, parts, folder, ended)
        folder.ledger.append("episode", episode.model_copy(update={"video": video}).model_dump(mode="json"))
        observer.ended(ended.key.level, ended.outcome, not ended.retried)

    def after_round() -> None:
        folder.ledger.commit()
        observer.tick()

    try:
        manifest = make_manifest(plan, parts, places.manifest)
        folder.adopt_manifest(manifest)
        folder.ledger.append("started", {"manifest": manifest, "workers": workers, "missing": len(keys)})
        engine = Engine(places, parts.policy, parts.axis, parts.world, folder.scenes, seeds, record, after_round)
        engine.run(Agenda(keys))
        folder.ledger.append("ended", {"episodes": len(keys)})
    finally:
        places.close()


def _episode(plan: Plan, ended: Ended, earlier: int, start_seed: int) -> Episode:
    moved = ended.transition
    return Episode(
        policy=plan.policy,
        axis=plan.axis,
        level=ended.key.level,
        task=ended.key.task,
        rollout=ended.key.rollout,
        outcome=ended.outcome,
        cause=ended.cause,
        steps=moved.step if moved else 0,
        stage=moved.stage if moved else None,
        seed=start_seed,
        policy_seed=ended.policy_seed,
        attempt=earlier + ended.attempt,
        scene=ended.scene.digest if ended.scene else None,
        started=ended.started,
        wall_s=round(ended.wall_s, 4),
        policy_s=round(ended.policy_s, 4),
    )


def _film(plan: Plan, parts: Parts, folder: RunFolder, ended: Ended) -> str | None:
    if not plan.video or not ended.frames:
        return None
    name = f"videos/{ended.key.task}-{ended.key.rollout:03d}{ended.key.level:+d}.mp4"
    write_video(folder.path / name, ended.frames, (parts.world.layout.action.rate or EVERY * 10) / EVERY)
    return name


def _adapt(
    plan: Plan, parts: Parts, folder: RunFolder, keys: list[EpisodeKey], workers: int, observer: Observer
) -> None:
    """Record the demonstrations the policy asks for, unless they lie there, and hand them over."""
    support = parts.policy.spec.support
    if support is None or not isinstance(parts.policy, Adaptive):
        return
    wanted = sorted({replace(key, level=level) for key in keys for level in support.levels})
    store = DemonstrationStore(folder.path / "demonstrations")
    missing = [key for key in wanted if not store.has(key)]
    if missing:
        teacher = load_parts(plan.world, support.demonstrator, plan.axis)
        _record(plan, teacher, folder, missing, workers, observer, store)
    parts.policy.adapt(list(_stored(store, folder, parts, wanted)))


def _stored(
    store: DemonstrationStore, folder: RunFolder, parts: Parts, wanted: Iterable[EpisodeKey]
) -> Iterable[Demonstration]:
    for key in wanted:
        if not folder.scenes.has(group_of(key)):
            continue
        found = store.get(key, parts.axis.at(folder.scenes.get(group_of(key)), key.level))
        if found is not None:
            yield found


def _record(
    plan: Plan,
    teacher: Parts,
    folder: RunFolder,
    keys: list[EpisodeKey],
    workers: int,
    observer: Observer,
    store: DemonstrationStore,
) -> None:
    observer.phase(f"demonstrations by {teacher.policy.card.id}", len(keys))
    layout = teacher.world.layout.action

    def record(ended: Ended) -> None:
        if ended.actions and ended.outcome in (Outcome.SUCCESS, Outcome.FAILURE) and ended.transition:
            actions = np.concatenate(ended.actions)[: ended.transition.step]
            store.put(ended.key, actions, layout.name, ended.outcome is Outcome.SUCCESS)
        observer.ended(ended.key.level, ended.outcome, not ended.retried)

    view = view_of(teacher.policy.spec, plan.model_copy(update={"video": False}))
    places = open_places(teacher.world, view, min(workers, len(keys)), folder.path / "logs")
    try:
        seeds = _seeds(plan, teacher.policy.card.id)
        tick = observer.tick
        Engine(places, teacher.policy, teacher.axis, teacher.world, folder.scenes, seeds, record, tick).run(
            Agenda(keys)
        )
    finally:
        places.close()

"""Sweep: policy x axis x levels x tasks x rollouts to episodes in a run folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from ..core.errors import IndgenError
from ..core.slots import EpisodeKey
from ..core.text import one_line
from .adaptation import adapt
from .agenda import Agenda
from .engine import Ended, Engine
from .episodes import Acted, Episode, Outcome
from .folder import RunFolder
from .manifest import CARDS, cards, make_manifest
from .observer import Observer
from .opening import open_places, seeds_of, view_of
from .parts import Parts
from .plan import Plan
from .top_up import log_top_up, topped_levels
from .video import EVERY, write_video

Frontier = Callable[[Sequence[Episode]], Sequence[int]]
"""From the episodes so far to the levels that are still undecided and decide the break level."""


def run_sweep(
    plan: Plan, parts: Parts, folder: RunFolder, workers: int, observer: Observer, frontier: Frontier | None = None
) -> list[Episode]:
    """Run what is missing of a plan; finished episodes are never repeated, errors are tried again.

    Args:
        plan: the frozen request.
        parts: world, policy and axis.
        folder: the run folder, open.
        workers: how many worker processes (a batch world has none).
        observer: is told about progress.
        frontier: which levels to top up, if the plan has a second stage.

    Returns:
        The episodes that stand at the end, sorted by key.

    Raises:
        IndgenError: if something is broken for good; whatever finished is in the ledger.
    """
    topped = topped_levels(folder.ledger)
    # Also where nothing is left to run: what stands there is another policy's by now.
    folder.check_manifest(cards(parts), CARDS)
    try:
        while True:
            _run_missing(plan, parts, folder, topped, workers, observer)
            fresh = _undecided(plan, folder, topped, frontier)
            if not fresh:
                break
            log_top_up(folder.ledger, plan, fresh)
            topped = (*topped, *fresh)
    except BaseException:
        # What went wrong matters more than a fold that cannot be written because of it.
        with suppress(IndgenError, OSError):
            folder.ledger.commit()
            folder.write_episodes()
        raise
    folder.ledger.commit()
    folder.write_episodes()
    return folder.episodes()


def _undecided(plan: Plan, folder: RunFolder, topped: Sequence[int], frontier: Frontier | None) -> list[int]:
    if plan.top_up is None or frontier is None:
        return []
    return [level for level in frontier(folder.episodes()) if level not in topped]


def _run_missing(
    plan: Plan, parts: Parts, folder: RunFolder, topped: Sequence[int], workers: int, observer: Observer
) -> None:
    done = {episode.key for episode in folder.episodes() if episode.outcome is not Outcome.ERROR}
    missing = [key for key in plan.episode_keys(topped) if key not in done]
    if missing:
        adapt(plan, parts, folder, list(plan.episode_keys(topped)), workers, observer)
        _roll_out(plan, parts, folder, missing, workers, observer)


def _roll_out(
    plan: Plan, parts: Parts, folder: RunFolder, keys: list[EpisodeKey], workers: int, observer: Observer
) -> None:
    """The sweep itself."""
    observer.phase("rollouts", len(keys))
    places = open_places(parts.world, view_of(parts.policy.spec, plan), min(workers, len(keys)), folder.path / "logs")
    earlier = Counter(Episode.from_data(event.data).key for event in folder.ledger if event.kind == "episode")
    seeds = seeds_of(plan, plan.policy)

    def record(ended: Ended) -> None:
        episode = _episode(plan, ended, earlier[ended.key], seeds(ended.key)[0])
        video = _film(plan, parts, folder, ended)
        folder.ledger.append("episode", replace(episode, video=video).to_data())
        observer.ended(ended.key.level, ended.outcome, not ended.retried)

    def after_round() -> None:
        folder.ledger.commit()
        observer.tick()

    try:
        manifest = make_manifest(plan, parts, places.manifest)
        folder.adopt_manifest(manifest)
        folder.ledger.append("started", {"manifest": manifest, "workers": workers, "missing": len(keys)})
        Engine(
            places=places,
            policy=parts.policy,
            axis=parts.axis,
            world=parts.world,
            max_steps=plan.max_steps,
            scenes=folder.scenes,
            seeds=seeds,
            on_end=record,
            after_round=after_round,
        ).run(Agenda(keys))
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
        cause=None if ended.cause is None else one_line(ended.cause),
        steps=moved.step if moved else 0,
        stage=moved.stage if moved else None,
        seed=start_seed,
        policy_seed=ended.policy_seed,
        attempt=earlier + ended.attempt,
        scene=ended.scene.digest if ended.scene else None,
        started=ended.started,
        wall_s=round(ended.wall_s, 4),
        policy_s=round(ended.policy_s, 4),
        acts={role: Acted.of(act) for role, act in moved.acts.items()} if moved and moved.acts else None,
    )


def _film(plan: Plan, parts: Parts, folder: RunFolder, ended: Ended) -> str | None:
    if not plan.video or not ended.frames:
        return None
    name = f"videos/{ended.key.task}-{ended.key.rollout:03d}{ended.key.level:+d}.mp4"
    write_video(folder.path / name, ended.frames, (parts.world.layout.action.rate or EVERY * 10) / EVERY)
    return name

"""Before a sweep: record the demonstrations a policy asks for, once, and hand them over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from ..core.errors import PLUGIN_FAULTS, IndgenError, PolicyError, UsageError
from ..core.slots import EpisodeKey
from ..core.text import describe
from ..policies.contract import Adaptive, Demonstration, Support
from .agenda import Agenda, group_of
from .demonstrations import DemonstrationStore
from .engine import Ended, Engine
from .episodes import Outcome
from .folder import RunFolder
from .observer import Observer
from .opening import open_places, seeds_of, view_of
from .parts import Parts, load_parts
from .plan import Plan


def adapt(
    plan: Plan, parts: Parts, folder: RunFolder, keys: Sequence[EpisodeKey], workers: int, observer: Observer
) -> None:
    """Record the demonstrations the policy asks for, unless they lie there, and hand them over.

    The support is the plan's, whatever of it has run already: a resumed run adapts to the very same.

    Args:
        plan: the frozen request.
        parts: world, policy and axis.
        folder: the run folder, open.
        keys: every episode of the run, finished or not.
        workers: how many worker processes.
        observer: is told about progress.

    Raises:
        UsageError: if the world has not enough starts for a support disjoint from the evaluation's.
        PolicyError: if the policy's ``adapt`` raises.
    """
    support = parts.policy.spec.support
    if support is None or not isinstance(parts.policy, Adaptive):
        return
    wanted = sorted(_support_keys(support, plan, parts, keys))
    store = DemonstrationStore(folder.path / "demonstrations")
    # A crash may keep a demonstration and lose the event that vouches for its start.
    missing = [key for key in wanted if not (folder.scenes.has(group_of(key)) and store.has(key))]
    if missing:
        teacher = load_parts(plan.world, support.demonstrator, plan.axis)
        _record(plan, teacher, folder, missing, workers, observer, store)
    shown = list(_stored(store, folder, parts, wanted))
    try:
        parts.policy.adapt(shown)
    except IndgenError:
        raise
    except PLUGIN_FAULTS as error:
        raise PolicyError(f"adapt() of policy {parts.policy.card.id} raised", got=describe(error)) from error


def _support_keys(support: Support, plan: Plan, parts: Parts, keys: Sequence[EpisodeKey]) -> set[EpisodeKey]:
    if support.per_start:
        return {replace(key, level=level) for key in keys for level in support.levels}
    evaluated = plan.top_up or plan.rollouts
    first = plan.first + evaluated
    limits = [limit for limit in map(parts.world.starts, plan.tasks) if limit is not None]
    if limits and first + support.count > min(limits):
        raise UsageError(
            f"policy {plan.policy} adapts to {support.count} starts that are not evaluated",
            got=f"starts up to {first - 1} evaluated, of {min(limits)} published ones",
            expected=f"the last {support.count} left to demonstrate on: fewer --rollouts, or a lower --first-start",
        )
    extra = range(first, first + support.count)
    return {EpisodeKey(task, number, level) for task in plan.tasks for number in extra for level in support.levels}


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

    def after_round() -> None:
        folder.ledger.commit()
        observer.tick()

    view = view_of(teacher.policy.spec, plan.model_copy(update={"video": False}))
    places = open_places(teacher.world, view, min(workers, len(keys)), folder.path / "logs")
    try:
        Engine(
            places=places,
            policy=teacher.policy,
            axis=teacher.axis,
            world=teacher.world,
            max_steps=plan.max_steps,
            scenes=folder.scenes,
            seeds=seeds_of(plan, teacher.policy.card.id),
            on_end=record,
            after_round=after_round,
        ).run(Agenda(keys))
    finally:
        places.close()

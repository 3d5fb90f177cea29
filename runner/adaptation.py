"""Before a sweep: record the demonstrations a policy asks for, once, and hand them over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ..core.slots import EpisodeKey
from ..policies.contract import Adaptive, Demonstration
from .agenda import Agenda, group_of
from .demonstrations import DemonstrationStore
from .engine import Ended, Engine
from .episodes import Outcome
from .folder import RunFolder
from .observer import Observer
from .opening import open_places, seeds_of, view_of
from .plan import Plan
from .planning import Parts, load_parts


def adapt(
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
        seeds = seeds_of(plan, teacher.policy.card.id)
        tick = observer.tick
        Engine(places, teacher.policy, teacher.axis, teacher.world, folder.scenes, seeds, record, tick).run(
            Agenda(keys)
        )
    finally:
        places.close()

"""Certify an axis: what was measured on every start, and what an expert made of some, cell by cell."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ...axes.certificates import Cell, Certificate, ExpertVerdict, Geometry
from ...core.errors import RunFolderError, SweepAborted
from ..episodes import Episode, Outcome
from ..files import write_atomically
from ..folder import RunFolder
from ..observer import Observer
from ..parts import Parts
from ..plan import Plan
from ..sweep import run_sweep
from .audit import check_inspectable, open_auditors
from .measure import Geometries, Survey

OWN = frozenset({"geometry", "expert", "logs", "pictures", "certificate.json", "certificate.md"})
"""What a certification's folder holds."""
_GEOMETRIES = TypeAdapter(dict[int, Geometry])


@dataclass(frozen=True)
class Certification:
    """One certification, resumable in its folder.

    Attributes:
        parts: world, expert and axis.
        plan: the expert's sweep: its tasks, levels and starts.
        starts: how many starts, from 0, are instantiated at every level.
        folder: where the work is kept: ``geometry/`` and the expert's run folder ``expert/``.
    """

    parts: Parts
    plan: Plan
    starts: int
    folder: Path


def certify(asked: Certification, workers: int, observer: Observer) -> Certificate:
    """Instantiate, compare, let the expert try; what was done before is not done again.

    Args:
        asked: what to certify.
        workers: how many worker processes.
        observer: is told about progress.

    Raises:
        RunFolderError: if the folder is another's, in use, or cannot be written.
        IndgenError: if the world or the expert met an error that is not a start's; the same call resumes.
    """
    plan = asked.plan
    check_inspectable(asked.parts.world)
    _claim(asked.folder)
    # The expert's run folder first: it refuses another request, or a second process, before anything is measured.
    run = RunFolder(asked.folder / "expert", plan)
    try:
        geometries, manifest = _measure(asked, workers, observer)
        episodes = run_sweep(plan, asked.parts, run, workers, observer)
    finally:
        run.close()
    verdicts = _verdicts(plan, episodes)
    cells = (
        Cell(task=task, level=level, geometry=geometries[task][level], expert=verdicts.get((task, level)))
        for task in plan.tasks
        for level in plan.levels
    )
    card = asked.parts.axis.card
    return Certificate(
        axis=card.id,
        world=plan.world,
        step=card.step,
        unit=card.unit,
        expert=plan.policy,
        expert_starts=(plan.first, plan.first + plan.rollouts - 1),
        manifest=dict(manifest),
        cells=tuple(cells),
    )


def _claim(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        strangers = sorted(
            name for name in {entry.name for entry in folder.iterdir()} - OWN if not name.startswith(".certificate.")
        )
        if strangers:
            raise RunFolderError(
                "this folder holds something else",
                got=f"{folder} with {', '.join(strangers[:3])}",
                expected="an empty folder, or a certification's",
                hint="choose another one with --out",
            )
        (folder / "geometry").mkdir(exist_ok=True)
    except OSError as cause:
        raise RunFolderError(
            "the folder cannot be written", got=f"{folder}: {cause.strerror}", hint="choose another one with --out"
        ) from cause


def _measure(
    asked: Certification, workers: int, observer: Observer
) -> tuple[Mapping[str, Geometries], Mapping[str, Any]]:
    plan, folder = asked.plan, asked.folder / "geometry"
    auditors = open_auditors(asked.parts.world, plan.seed, min(workers, len(plan.tasks)), asked.folder / "logs")
    try:
        basis = {
            "axis": asked.parts.axis.card.id,
            "levels": list(plan.levels),
            "starts": asked.starts,
            "seed": plan.seed,
            "world": auditors.manifest,
        }
        found = {task: kept for task in plan.tasks if (kept := _read(folder / f"{task}.json", basis))}
        missing = [task for task in plan.tasks if task not in found]
        observer.phase("starts instantiated", len(missing) * len(plan.levels) * asked.starts)

        def on_start(level: int, sound: bool) -> None:
            observer.ended(level, Outcome.SUCCESS if sound else Outcome.INVALID, True)

        survey = Survey(asked.parts.axis, plan.levels, range(asked.starts), on_start)
        for task, geometries in auditors.run(survey, missing, observer.tick):
            _write(folder / f"{task}.json", basis, geometries)
            found[task] = geometries
        return found, auditors.manifest
    finally:
        auditors.close()


def _read(path: Path, basis: Mapping[str, Any]) -> Geometries | None:
    """What was measured before; None where that was something else, or cannot be read."""
    try:
        kept = json.loads(path.read_text())
        found = _GEOMETRIES.validate_python(kept["cells"])
        return found if kept["basis"] == basis and sorted(found) == basis["levels"] else None
    except (OSError, ValueError, KeyError, TypeError, ValidationError):
        return None


def _write(path: Path, basis: Mapping[str, Any], geometries: Geometries) -> None:
    cells = _GEOMETRIES.dump_python(geometries, mode="json")
    write_atomically(path, json.dumps({"basis": dict(basis), "cells": cells}, indent=1))


def _verdicts(plan: Plan, episodes: Sequence[Episode]) -> dict[tuple[str, int], ExpertVerdict]:
    """Cell to what the expert did in it.

    Raises:
        SweepAborted: if an episode ended in an error: it is nobody's failure, and leaving it out is nobody's success.
    """
    errors = [episode for episode in episodes if episode.outcome is Outcome.ERROR]
    if errors:
        raise SweepAborted(
            f"{len(errors)} of {plan.policy}'s episodes ended in an error, e.g. {errors[0].key}",
            got=errors[0].cause,
            hint="nothing finished is lost; mend the cause and run the same command again to resume",
        )
    judged: dict[tuple[str, int], list[Episode]] = defaultdict(list)
    for episode in episodes:
        if episode.outcome in (Outcome.SUCCESS, Outcome.FAILURE):
            judged[episode.task, episode.level].append(episode)
    return {cell: _verdict(found) for cell, found in judged.items()}


def _verdict(episodes: Sequence[Episode]) -> ExpertVerdict:
    failed = sorted(episode.rollout for episode in episodes if episode.outcome is Outcome.FAILURE)
    return ExpertVerdict(successes=len(episodes) - len(failed), n=len(episodes), failed=tuple(failed))

"""Tally: from episodes and a plan to counts per level and per task.

The rules, once, for every number in a report:

- ``success`` and ``failure`` make up n. ``error`` and ``invalid`` stay outside n and are counted apart.
- A start (task, rollout) that is ``invalid`` at any level is dropped at every level, so that all levels
  compare the same starts. Its episodes that would have counted are ``dropped``.
- An ``error`` costs its own level only: the start stays at the others.
- A cell (task, level) with more than 10 % invalid starts is an invalid cell and is listed by name.
- An episode that is planned but has no record is ``pending``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scipy.stats import binomtest

from ..core.errors import RunFolderError
from ..core.slots import EpisodeKey
from ..runner.episodes import Episode, Outcome
from ..runner.plan import Plan
from .model import Counts, InvalidCell, InvalidStart, LevelResult, TaskResult

CONFIDENCE = 0.95
"""Confidence of the intervals."""
INVALID_CELL = 0.10
"""A cell is invalid when a larger share than this of its planned starts is."""

Start = tuple[str, int]
"""Task and rollout."""


@dataclass(frozen=True)
class Tally:
    """All counts of a run.

    Attributes:
        levels: ascending.
        tasks: in the plan's order.
        invalid_starts: dropped at every level, in the plan's order.
        invalid_cells: in the plan's order.
        error_causes: number of errors by cause, the most frequent first.
    """

    levels: tuple[LevelResult, ...]
    tasks: tuple[TaskResult, ...]
    invalid_starts: tuple[InvalidStart, ...]
    invalid_cells: tuple[InvalidCell, ...]
    error_causes: dict[str, int]

    @property
    def pending(self) -> int:
        """Planned episodes without a record."""
        return sum(level.pending for level in self.levels)


def tally(plan: Plan, episodes: Iterable[Episode], trained_levels: Collection[int] | None = None) -> Tally:
    """Count a run's episodes by the rules above; their order does not matter.

    Args:
        plan: what was asked for.
        episodes: what stands in the ledger, at most one per key.
        trained_levels: levels the policy was trained on; None where unknown.

    Raises:
        RunFolderError: if an episode is not one of the plan's.
    """
    known = {episode.key: episode for episode in episodes}
    planned = list(plan.episode_keys())
    _check_planned(plan, planned, known)
    starts = _invalid_starts(plan, known.values())
    dropped = {(start.task, start.rollout) for start in starts}
    levels = sorted(plan.levels)
    cells = {(task, level): Counter[str]() for task in plan.tasks for level in levels}
    for key in planned:
        cells[key.task, key.level].update(_contribution(known.get(key), (key.task, key.rollout) in dropped))
    return Tally(
        levels=tuple(_level(level, [cells[task, level] for task in plan.tasks], trained_levels) for level in levels),
        tasks=tuple(
            TaskResult(task=task, levels=tuple(Counts(**_counts(level, cells[task, level])) for level in levels))
            for task in plan.tasks
        ),
        invalid_starts=starts,
        invalid_cells=tuple(
            InvalidCell(task=task, level=level, invalid=cell["invalid"], starts=plan.rollouts)
            for (task, level), cell in cells.items()
            if cell["invalid"] / plan.rollouts > INVALID_CELL
        ),
        error_causes=_error_causes(known.values()),
    )


def interval(successes: int, n: int, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """The Clopper-Pearson interval of a success rate; None where n is 0."""
    if n == 0:
        return None
    found = binomtest(successes, n).proportion_ci(confidence_level=confidence, method="exact")
    return float(found.low), float(found.high)


def _check_planned(plan: Plan, planned: Iterable[EpisodeKey], known: Mapping[EpisodeKey, Episode]) -> None:
    foreign = sorted(known.keys() - set(planned))
    if foreign:
        raise RunFolderError(
            "the ledger holds episodes that the plan does not",
            got=f"{foreign[0]} and {len(foreign) - 1} more" if len(foreign) > 1 else foreign[0],
            expected=f"tasks, levels and rollouts of plan {plan.hash[:12]}",
            hint="plan.json or events.jsonl comes from another run",
        )


def _invalid_starts(plan: Plan, episodes: Iterable[Episode]) -> tuple[InvalidStart, ...]:
    broken: dict[Start, dict[int, str]] = defaultdict(dict)
    for episode in episodes:
        if episode.outcome is Outcome.INVALID:
            broken[episode.task, episode.rollout][episode.level] = episode.cause or "no cause recorded"
    place = {task: number for number, task in enumerate(plan.tasks)}
    return tuple(
        InvalidStart(
            task=task,
            rollout=rollout,
            levels=tuple(sorted(causes)),
            cause="; ".join(dict.fromkeys(causes[level] for level in sorted(causes))),
        )
        for (task, rollout), causes in sorted(broken.items(), key=lambda item: (place[item[0][0]], item[0][1]))
    )


def _contribution(episode: Episode | None, dropped: bool) -> dict[str, int]:
    """What one planned episode adds to its cell."""
    if episode is None:
        return {"pending": 1}
    if episode.outcome is Outcome.ERROR:
        return {"errors": 1}
    if episode.outcome is Outcome.INVALID:
        return {"invalid": 1}
    if dropped:
        return {"dropped": 1}
    return {"successes" if episode.outcome is Outcome.SUCCESS else "failures": 1, "n": 1, "steps": episode.steps}


def _counts(level: int, cell: Counter[str]) -> dict[str, Any]:
    names = ("successes", "failures", "n", "errors", "invalid", "dropped", "pending")
    rate = cell["successes"] / cell["n"] if cell["n"] else None
    return {"level": level, **{name: cell[name] for name in names}, "rate": rate}


def _level(level: int, cells: Iterable[Counter[str]], trained_levels: Collection[int] | None) -> LevelResult:
    total: Counter[str] = Counter()
    for cell in cells:
        total.update(cell)
    return LevelResult.model_validate(
        {
            **_counts(level, total),
            "ci": interval(total["successes"], total["n"]),
            "mean_steps": total["steps"] / total["n"] if total["n"] else None,
            "in_distribution": None if trained_levels is None else level in trained_levels,
        }
    )


def _error_causes(episodes: Iterable[Episode]) -> dict[str, int]:
    causes = Counter(episode.cause or "no cause recorded" for episode in episodes if episode.outcome is Outcome.ERROR)
    return dict(sorted(causes.items(), key=lambda item: (-item[1], item[0])))

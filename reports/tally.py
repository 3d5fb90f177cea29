"""Tally: from episodes and a plan to counts per level and per task.

The rules, once, for every number in a report:

- ``success`` and ``failure`` make up n. ``error`` and ``invalid`` stay outside n and are counted apart.
- A start (task, rollout) that is ``invalid`` at any level is dropped at every level, so that all levels
  compare the same starts. Its episodes that would have counted are ``dropped``.
- An ``error`` costs its own level only: the start stays at the others.
- A cell (task, level) with more than 10 % invalid starts is an invalid cell and is listed by name.
- An episode that is planned but has no record is ``pending``.
- A cell that the axis' certificate does not vouch for counts nowhere, run or not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..runner.episodes import Episode
from ..runner.plan import Plan
from .model import Counts, InvalidCell, InvalidStart, LevelResult, TaskResult
from .outcomes import ERROR, FAILURE, INVALID, PENDING, SUCCESS, UNPLANNED, Outcomes, collect
from .stats import CONFIDENCE, interval, wilson

INVALID_CELL = 0.10
"""A cell is invalid when a larger share than this of its planned starts is."""
NEAR_REPLICATES = 0.20
"""A level has near-replicates when no larger share than this of its episodes is distinct."""
_FEW, _MANY = 10, 50


@dataclass(frozen=True)
class Tally:
    """All counts of a run.

    Attributes:
        levels: ascending.
        tasks: in the plan's order.
        invalid_starts: dropped at every level, in the plan's order.
        invalid_cells: in the plan's order.
        error_causes: number of errors by cause, the most frequent first.
        near_replicates: levels with few distinct episodes, ascending (see :func:`_near_replicates`).
        first_looks: for a plan with a second stage, successes and n of the first one at each topped level.
        outcomes: what all of this was counted from.
    """

    levels: tuple[LevelResult, ...]
    tasks: tuple[TaskResult, ...]
    invalid_starts: tuple[InvalidStart, ...]
    invalid_cells: tuple[InvalidCell, ...]
    error_causes: dict[str, int]
    near_replicates: tuple[int, ...]
    first_looks: dict[int, tuple[int, int]] | None
    outcomes: Outcomes = field(compare=False, repr=False)

    @property
    def pending(self) -> int:
        """Planned episodes without a record."""
        return sum(level.pending for level in self.levels)


def tally(
    plan: Plan,
    episodes: Iterable[Episode],
    trained_levels: Collection[int] | None = None,
    *,
    topped: Collection[int] = (),
    confidence: float = CONFIDENCE,
) -> Tally:
    """Count a run's episodes by the rules above; their order does not matter.

    Args:
        plan: what was asked for.
        episodes: what stands in the ledger, at most one per key.
        trained_levels: levels the policy was trained on; None where unknown.
        topped: levels that got the plan's second stage.
        confidence: of the intervals, strictly between 0 and 1.

    Raises:
        RunFolderError: if an episode is not one of the plan's.
    """
    found = collect(plan, episodes, topped, frozenset(plan.uncertified))
    cells = _cells(found)
    return Tally(
        levels=tuple(
            LevelResult.model_validate(_level(found, cells, number, trained_levels, confidence))
            for number in range(len(found.levels))
        ),
        tasks=tuple(_task(found, cells, place) for place in range(len(found.tasks))),
        invalid_starts=_invalid_starts(found, plan.first),
        invalid_cells=_invalid_cells(found, cells["invalid"]),
        error_causes=dict(found.error_causes),
        near_replicates=_near_replicates(found, plan.max_steps),
        first_looks=None if plan.top_up is None else _first_looks(found, plan.rollouts, topped),
        outcomes=found,
    )


def _cells(found: Outcomes) -> dict[str, np.ndarray]:
    """Number of episodes (tasks, levels) by what became of them."""
    code, won = found.code, found.won
    marked = {
        "successes": won == SUCCESS,
        "failures": won == FAILURE,
        "n": won >= 0,
        "errors": code == ERROR,
        "invalid": code == INVALID,
        "dropped": ((code == SUCCESS) | (code == FAILURE)) & (won < 0),
        "pending": code == PENDING,
    }
    return {name: np.count_nonzero(where, axis=1) for name, where in marked.items()}


def _counts(level: int, cell: Mapping[str, Any]) -> dict[str, Any]:
    rate = cell["successes"] / cell["n"] if cell["n"] else None
    return {"level": level, **{name: int(count) for name, count in cell.items()}, "rate": rate}


def _task(found: Outcomes, cells: Mapping[str, np.ndarray], place: int) -> TaskResult:
    counts = (
        _counts(level, {name: cell[place, number] for name, cell in cells.items()})
        for number, level in enumerate(found.levels)
    )
    return TaskResult(task=found.tasks[place], levels=tuple(map(Counts.model_validate, counts)))


def _level(
    found: Outcomes,
    cells: Mapping[str, np.ndarray],
    number: int,
    trained_levels: Collection[int] | None,
    confidence: float,
) -> dict[str, Any]:
    level = found.levels[number]
    counts = _counts(level, {name: cell[:, number].sum() for name, cell in cells.items()})
    counted = found.won[:, :, number] >= 0
    stages = Counter(found.stages[code] for code in found.stage[:, :, number][counted].tolist() if code >= 0)
    kinds = [np.unique(_kinds(found, task, number)[counted[task]]) for task in range(len(found.tasks))]
    return {
        **counts,
        "ci": interval(counts["successes"], counts["n"], confidence),
        "wilson": wilson(counts["successes"], counts["n"], confidence),
        "mean_steps": float(found.steps[:, :, number][counted].mean()) if counts["n"] else None,
        "in_distribution": None if trained_levels is None else level in trained_levels,
        "stages": dict(sorted(stages.items())),
        "distinct": sum(map(len, kinds)),
    }


def _kinds(found: Outcomes, task: int, number: int) -> np.ndarray:
    """One number per pair (outcome, steps) of a cell's episodes."""
    return 2 * found.steps[task, :, number].astype(np.int64) + (found.code[task, :, number] == SUCCESS)


def _near_replicates(found: Outcomes, max_steps: int) -> tuple[int, ...]:
    """Levels at which nearly the same episode happened again and again.

    Episodes that ran into the step limit are left out: they end alike whatever happened in them. Of very many
    episodes no more than some tens can be told apart by their steps, so that a cell counts for 50 at most.
    """
    ended = (found.won >= 0) & ((found.code == SUCCESS) | (found.steps < max_steps))
    flagged = []
    for number, level in enumerate(found.levels):
        cells = [_kinds(found, task, number)[ended[task, :, number]] for task in range(len(found.tasks))]
        size = sum(min(len(cell), _MANY) for cell in cells)
        if size >= _FEW and sum(len(np.unique(cell)) for cell in cells) <= NEAR_REPLICATES * size:
            flagged.append(level)
    return tuple(flagged)


def _first_looks(found: Outcomes, rollouts: int, topped: Collection[int]) -> dict[int, tuple[int, int]]:
    first = found.won[:, :rollouts]
    return {
        level: (int((first[:, :, number] == SUCCESS).sum()), int((first[:, :, number] >= 0).sum()))
        for number, level in enumerate(found.levels)
        if level in topped
    }


def _invalid_starts(found: Outcomes, first: int) -> tuple[InvalidStart, ...]:
    broken: dict[tuple[int, int], dict[int, str]] = defaultdict(dict)
    for (task, rollout, number), cause in sorted(found.invalid_causes.items()):
        broken[task, rollout][found.levels[number]] = cause
    return tuple(
        InvalidStart(
            task=found.tasks[task],
            rollout=first + rollout,
            levels=tuple(causes),
            cause="; ".join(dict.fromkeys(causes.values())),
        )
        for (task, rollout), causes in broken.items()
    )


def _invalid_cells(found: Outcomes, invalid: np.ndarray) -> tuple[InvalidCell, ...]:
    starts = np.count_nonzero(found.code != UNPLANNED, axis=1)
    return tuple(
        InvalidCell(task=task, level=level, invalid=int(invalid[at]), starts=int(starts[at]))
        for place, task in enumerate(found.tasks)
        for number, level in enumerate(found.levels)
        if starts[at := (place, number)] and invalid[at] / starts[at] > INVALID_CELL
    )

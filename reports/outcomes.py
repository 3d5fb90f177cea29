"""Outcomes: a run's episodes as arrays (task, rollout, level), from which everything is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..core.errors import RunFolderError
from ..runner.episodes import Episode, Outcome
from ..runner.plan import Plan

UNPLANNED, PENDING, FAILURE, SUCCESS, ERROR, INVALID = range(-2, 4)
_CODES = {
    Outcome.FAILURE: FAILURE,
    Outcome.SUCCESS: SUCCESS,
    Outcome.ERROR: ERROR,
    Outcome.INVALID: INVALID,
}
_NO_CAUSE = "no cause recorded"


@dataclass(frozen=True)
class Outcomes:
    """What became of every planned episode.

    Attributes:
        tasks: first axis of the arrays, in the plan's order.
        levels: last axis, ascending.
        code: int8 (tasks, rollouts, levels): one of the codes above.
        steps: int32, likewise: control steps of an episode; 0 where there is none.
        stage: int16, likewise: place in ``stages``; -1 where the world knows none.
        stages: the world's words.
        invalid_causes: cause of each invalid episode by (task, rollout, level) place.
        error_causes: number of errors by cause, the most frequent first.
    """

    tasks: tuple[str, ...]
    levels: tuple[int, ...]
    code: np.ndarray
    steps: np.ndarray
    stage: np.ndarray
    stages: tuple[str, ...]
    invalid_causes: Mapping[tuple[int, int, int], str]
    error_causes: Mapping[str, int]

    @cached_property
    def broken(self) -> np.ndarray:
        """Bool (tasks, rollouts): starts that are invalid at some level."""
        return (self.code == INVALID).any(axis=2)

    @cached_property
    def won(self) -> np.ndarray:
        """int8 like ``code``: 1 for a success, 0 for a failure, -1 for whatever is not one of the n."""
        judged = (self.code == SUCCESS) | (self.code == FAILURE)
        return np.where(judged & ~self.broken[:, :, None], self.code, -1).astype(np.int8)


def collect(
    plan: Plan,
    episodes: Iterable[Episode],
    topped: Collection[int] = (),
    leave_out: Collection[tuple[str, int]] = (),
) -> Outcomes:
    """Lay a run's episodes out; their order does not matter.

    Args:
        plan: what was asked for.
        episodes: what stands in the ledger, at most one per key.
        topped: levels that got the plan's second stage.
        leave_out: cells (task, level) that count as not planned, besides those that the plan leaves out.

    Raises:
        RunFolderError: if an episode is not one of the plan's.
    """
    excluded = plan.excluded
    levels = tuple(sorted(plan.levels))
    planned = [plan.top_up if plan.top_up and level in topped else plan.rollouts for level in levels]
    code = _nothing_yet(len(plan.tasks), planned)
    steps, stage = np.zeros(code.shape, dtype=np.int32), np.full(code.shape, -1, dtype=np.int16)
    task_place = {task: number for number, task in enumerate(plan.tasks)}
    for cell_task, cell_level in {*excluded, *leave_out}:
        if cell_task in task_place and cell_level in levels:
            code[task_place[cell_task], :, levels.index(cell_level)] = UNPLANNED
    level_place = dict(zip(levels, zip(range(len(levels)), planned, strict=True), strict=True))
    stages: dict[str, int] = {}
    invalid: dict[tuple[int, int, int], str] = {}
    errors: Counter[str] = Counter()
    foreign: list[Episode] = []
    for episode in episodes:
        task, (level, rollouts) = task_place.get(episode.task), level_place.get(episode.level, (0, 0))
        number = episode.rollout - plan.first
        if task is None or not 0 <= number < rollouts or (episode.task, episode.level) in excluded:
            foreign.append(episode)
            continue
        if leave_out and (episode.task, episode.level) in leave_out:
            continue
        place = task, number, level
        code[place] = _CODES[episode.outcome]
        steps[place] = episode.steps
        if episode.stage is not None:
            stage[place] = stages.setdefault(episode.stage, len(stages))
        if episode.outcome is Outcome.INVALID:
            invalid[place] = episode.cause or _NO_CAUSE
        elif episode.outcome is Outcome.ERROR:
            errors[episode.cause or _NO_CAUSE] += 1
    _refuse(plan, foreign)
    often = dict(sorted(errors.items(), key=lambda item: (-item[1], item[0])))
    return Outcomes(plan.tasks, levels, code, steps, stage, tuple(stages), invalid, often)


def _nothing_yet(tasks: int, planned: Sequence[int]) -> np.ndarray:
    code = np.full((tasks, max(planned), len(planned)), UNPLANNED, dtype=np.int8)
    for number, rollouts in enumerate(planned):
        code[:, :rollouts, number] = PENDING
    return code


def _refuse(plan: Plan, foreign: Collection[Episode]) -> None:
    if foreign:
        first = min(episode.key for episode in foreign)
        raise RunFolderError(
            "the ledger holds episodes that the plan does not",
            got=f"{first} and {len(foreign) - 1} more" if len(foreign) > 1 else first,
            expected=f"tasks, levels and rollouts of plan {plan.hash[:12]}",
            hint="plan.json or events.jsonl comes from another run",
        )

"""The following ratio of a run: from what the episodes recorded to pairs of shifts, and ratios."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from ..axes.contract import AxisCard
from ..core.observation import ACT_KINDS
from ..runner.episodes import Acted, Episode, Outcome
from ..runner.plan import Plan
from .model import Following, TaskFollowing
from .stats import FollowingRatio, following_ratio

_JUDGED = (Outcome.SUCCESS, Outcome.FAILURE)


@dataclass(frozen=True)
class Shifts:
    """Every counted episode beyond level 0 against its start's episode at level 0, in the order of keys.

    Attributes:
        task: (n,) place of the task in the plan.
        start: (n,) a number per start (task, rollout).
        moved: (n,) how far the target was shifted, metres; its sign is the level's.
        followed: (n,) how far the hand shifted in the direction in which the target was, with the same sign.
        how: what counted as acting, the lesser of both episodes' (``approach`` is the least).
    """

    task: np.ndarray
    start: np.ndarray
    moved: np.ndarray
    followed: np.ndarray
    how: tuple[str, ...]


def find_shifts(
    plan: Plan, card: AxisCard, episodes: Iterable[Episode], dropped: Collection[tuple[str, int]]
) -> Shifts | None:
    """The pairs that the following ratio rests on.

    Args:
        plan: the run's.
        card: its axis; without ``follows`` there is nothing to find.
        episodes: what stands in the ledger; their order does not matter.
        dropped: starts (task, rollout) that are invalid at some level.

    Returns:
        None where the axis moves no target, or no counted episode tells where the hand acted on it.
    """
    acts: dict[tuple[str, int, int], Acted] = {}
    left_out = frozenset(plan.uncertified)
    if card.follows is not None:
        for episode in episodes:
            act = episode.acts.get(card.follows) if episode.acts else None
            if not act or episode.outcome not in _JUDGED or (episode.task, episode.level) in left_out:
                continue
            if (episode.task, episode.rollout) not in dropped:
                acts[episode.task, episode.rollout, episode.level] = act
    return _paired(plan, acts) if acts else None


def _paired(plan: Plan, acts: dict[tuple[str, int, int], Acted]) -> Shifts:
    place = {task: number for number, task in enumerate(plan.tasks)}
    keys = [
        (place[task], rollout, level)
        for task, rollout, level in acts
        if level and task in place and (task, rollout, 0) in acts
    ]
    keys.sort()
    there = [acts[plan.tasks[task], rollout, level] for task, rollout, level in keys]
    base = [acts[plan.tasks[task], rollout, 0] for task, rollout, _ in keys]
    shift = _points([act.target for act in there]) - _points([act.target for act in base])
    hand = _points([act.hand for act in there]) - _points([act.hand for act in base])
    sign = np.sign([level for _, _, level in keys])
    distance = np.linalg.norm(shift, axis=1)
    along = np.einsum("ij,ij->i", hand, shift) / np.where(distance > 0, distance, 1.0)
    numbers = {start: number for number, start in enumerate(dict.fromkeys(key[:2] for key in keys))}
    return Shifts(
        task=np.array([task for task, _, _ in keys], dtype=np.int64),
        start=np.array([numbers[key[:2]] for key in keys], dtype=np.int64),
        moved=sign * distance,
        followed=sign * along,
        how=tuple(_lesser(one.how, other.how) for one, other in zip(there, base, strict=True)),
    )


def _points(places: list[tuple[float, float, float]]) -> np.ndarray:
    return np.array(places, dtype=np.float64).reshape(-1, 3)


def _lesser(one: str, other: str) -> str:
    return max(one, other, key=ACT_KINDS.index)


def following(plan: Plan, card: AxisCard, shifts: Shifts | None, confidence: float) -> Following | None:
    """The ratios of a run; ``shifts`` as :func:`find_shifts` gives them."""
    if shifts is None or card.follows is None:
        return None

    def ratio(where: np.ndarray) -> FollowingRatio:
        if 0 not in plan.levels:
            return FollowingRatio(None, None, 0, 0, "level 0 is not part of this run")
        return following_ratio(shifts.moved[where], shifts.followed[where], shifts.start[where], confidence)

    return Following(
        role=card.follows,
        pooled=ratio(shifts.task >= 0),
        tasks=tuple(TaskFollowing(task=task, ratio=ratio(shifts.task == n)) for n, task in enumerate(plan.tasks)),
        how=dict(sorted(Counter(shifts.how).items())),
    )

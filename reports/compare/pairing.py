"""Pairing: which starts two runs share, and the tests per level and over the whole curve."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from . import exact
from .arms import Arm, Start
from .model import CurveComparison, LevelComparison


@dataclass(frozen=True)
class Match:
    """Which starts two groups of runs share.

    Attributes:
        shared: starts with a record in both.
        starts_a: all starts of the first.
        starts_b: all starts of the second.
    """

    shared: frozenset[Start]
    starts_a: int
    starts_b: int

    @property
    def paired(self) -> bool:
        """Whether to compare start by start: at least half of the smaller group's starts are shared."""
        return bool(self.shared) and 2 * len(self.shared) >= min(self.starts_a, self.starts_b)


def match(first: Sequence[Arm], second: Sequence[Arm]) -> Match:
    """The starts that two groups of runs share: same task, rollout, seed and, where recorded, tau_0 scene."""
    ours = {start for arm in first for start in arm.scenes}
    theirs = {start for arm in second for start in arm.scenes}
    arms = (*first, *second)
    shared = {start for start in ours & theirs if _agree([arm.scenes.get(start) for arm in arms])}
    return Match(frozenset(shared), len(ours), len(theirs))


def _agree(scenes: Sequence[str | None]) -> bool:
    return len({scene for scene in scenes if scene is not None}) < 2


def compare_levels(a: Arm, level_a: int, b: Arm, level_b: int, found: Match, confidence: float) -> LevelComparison:
    """Two runs, each at a level of its own.

    Only counted episodes enter: an error costs its own level, an invalid start every level of its run. Where
    starts are shared both runs must count them.

    Args:
        a: first run.
        level_a: its level, which the result is listed under.
        b: second run.
        level_b: its level.
        found: what the runs share.
        confidence: of the interval, in (0, 1).
    """
    ours, theirs = a.outcomes.get(level_a, {}), b.outcomes.get(level_b, {})
    if found.paired:
        both = [start for start in found.shared if start in ours and start in theirs]
        ours, theirs = {start: ours[start] for start in both}, {start: theirs[start] for start in both}
    else:
        # Rates over different tasks are not comparable.
        tasks = {start.task for start in ours} & {start.task for start in theirs}
        ours, theirs = _of_tasks(ours, tasks), _of_tasks(theirs, tasks)
    return _compared(level_a, ours, theirs, found.paired, confidence)


def _of_tasks(outcomes: Mapping[Start, bool], tasks: Collection[str]) -> dict[Start, bool]:
    return {start: won for start, won in outcomes.items() if start.task in tasks}


def _compared(
    level: int, ours: Mapping[Start, bool], theirs: Mapping[Start, bool], paired: bool, confidence: float
) -> LevelComparison:
    n_a, n_b = len(ours), len(theirs)
    counts = (sum(ours.values()), n_a, sum(theirs.values()), n_b)
    only_a = sum(won and not theirs[start] for start, won in ours.items()) if paired else None
    only_b = sum(not won and theirs[start] for start, won in ours.items()) if paired else None
    p, ci = None, None
    if n_a and n_b and only_a is not None and only_b is not None:
        p, ci = exact.mcnemar_p(only_a, only_b), exact.paired_interval(only_a, only_b, n_a, confidence)
    elif n_a and n_b:
        p, ci = exact.unpaired_p(*counts), exact.unpaired_interval(*counts, confidence)
    return LevelComparison(
        level=level,
        test="mcnemar" if paired else "score" if exact.is_large(n_a, n_b) else "barnard",
        n_a=n_a,
        n_b=n_b,
        successes_a=counts[0],
        successes_b=counts[2],
        only_a=only_a,
        only_b=only_b,
        difference=counts[0] / n_a - counts[2] / n_b if n_a and n_b else None,
        ci=ci,
        p=p,
    )


def compare_curves(
    names: tuple[str, str], first: Sequence[Arm], second: Sequence[Arm], levels: Sequence[int]
) -> CurveComparison:
    """Two groups of runs over all levels together, starts being the units.

    A start's difference is the sum over levels of the first group's mean success minus the second's. A flip turns
    a whole start, so levels may depend on each other in any way. The test is exact where each group has as many
    runs of a start as the other (one each, usually). Where starts are not shared, only cells (task, level) that both
    groups count enter: levels are not equally hard.

    Args:
        names: of the groups.
        first: runs of the first group.
        second: runs of the second group.
        levels: those to take.
    """
    found = match(first, second)
    if found.paired:
        return _flipped(names, [_differences(first, second, levels, start) for start in sorted(found.shared)])
    cells = _cells(first, levels) & _cells(second, levels)
    return _shuffled(names, _by_task(first, cells), _by_task(second, cells))


def _flipped(names: tuple[str, str], starts: Sequence[Sequence[Fraction]]) -> CurveComparison:
    counted = [found for found in starts if found]
    sums = [sum(found, Fraction(0)) for found in counted]
    whole = math.lcm(*(each.denominator for each in sums))
    return CurveComparison(
        a=names[0],
        b=names[1],
        test="sign-flip",
        starts=len(counted),
        difference=float(sum(sums) / sum(map(len, counted))) if counted else None,
        p=exact.sign_flip_p([int(each * whole) for each in sums]) if counted else None,
    )


def _differences(first: Sequence[Arm], second: Sequence[Arm], levels: Sequence[int], start: Start) -> list[Fraction]:
    """One per level at which both groups count the start."""
    pairs = ((_mean(first, level, start), _mean(second, level, start)) for level in levels)
    return [ours - theirs for ours, theirs in pairs if ours is not None and theirs is not None]


def _mean(arms: Sequence[Arm], level: int, start: Start) -> Fraction | None:
    won = list(_wins(arms, level, start))
    return Fraction(sum(won), len(won)) if won else None


def _wins(arms: Sequence[Arm], level: int, start: Start) -> Iterator[bool]:
    for arm in arms:
        won = arm.outcomes.get(level, {}).get(start)
        if won is not None:
            yield won


def _cells(arms: Sequence[Arm], levels: Sequence[int]) -> set[tuple[str, int]]:
    """Every cell (task, level) in which the group counts an episode."""
    return {(start.task, level) for arm in arms for level in levels for start in arm.outcomes.get(level, {})}


def _by_task(arms: Sequence[Arm], cells: Collection[tuple[str, int]]) -> dict[str, list[float]]:
    """Mean success over cells and runs of every start, by task."""
    levels = sorted({level for _, level in cells})
    found: dict[str, list[float]] = {}
    for start in sorted({start for arm in arms for start in arm.scenes}):
        means = [
            float(mean)
            for level in levels
            if (start.task, level) in cells and (mean := _mean(arms, level, start)) is not None
        ]
        if means:
            found.setdefault(start.task, []).append(sum(means) / len(means))
    return found


def _shuffled(
    names: tuple[str, str], first: Mapping[str, Sequence[float]], second: Mapping[str, Sequence[float]]
) -> CurveComparison:
    tasks = sorted(first.keys() & second.keys())
    ours = [value for task in tasks for value in first[task]]
    theirs = [value for task in tasks for value in second[task]]
    return CurveComparison(
        a=names[0],
        b=names[1],
        test="shuffle",
        starts=len(ours) + len(theirs),
        difference=sum(ours) / len(ours) - sum(theirs) / len(theirs) if tasks else None,
        p=exact.shuffle_p({task: first[task] for task in tasks}, {task: second[task] for task in tasks})
        if tasks
        else None,
    )

"""Building a comparison from run folders, and writing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Literal, NoReturn

from ...core.errors import RunFolderError, UsageError
from ...runner.files import write_atomically
from ..stats import CONFIDENCE, SMALLEST
from . import exact
from .arms import Arm, load_arms, with_tasks
from .attribution import attributions, rate_of
from .breaks import compare_breaks
from .differences import differences, notes
from .figure import success_curves
from .letters import compact_letters
from .model import ArmRecord, AxisComparison, Comparison, CurveComparison, GroupLetters, PairComparison
from .pairing import compare_curves, compare_levels, match

By = Literal["run", "label"]
Groups = dict[str, list[Arm]]


FILES = ("compare.json", "success_compare.png", "success_compare.svg")
"""What a comparison's folder holds."""


def compare(
    paths: Sequence[Path], *, confidence: float = CONFIDENCE, by: By = "run", force: bool = False
) -> Comparison:
    """Compare runs, axis by axis; every run is an arm of its own.

    Per level and for break levels every pair of runs is compared. The whole curve compares groups: the runs
    themselves, or with ``by="label"`` all runs of one label together. Holm adjusts over everything of one kind:
    all levels, pairs and axes; all curves.

    Args:
        paths: two run folders or more, finished or not.
        confidence: of the intervals, in (0, 1); decisions are made at one minus it.
        by: what the whole curve and the letters compare.
        force: go on where the runs differ in what matters, on the tasks they share, and record the differences.

    Raises:
        UsageError: if there is nothing to compare, or the runs differ in what matters (listing all of it).
        RunFolderError: if one is no run folder.
        LedgerError: if one's events are broken.
    """
    if not SMALLEST <= confidence <= 1 - SMALLEST:
        raise UsageError("a confidence lies between 0 and 1", got=confidence, expected="e.g. 0.95")
    arms = load_arms(paths, confidence)
    differ = differences(arms)
    if not force:
        _refuse(differ)
    arms = _on_shared_tasks(arms)
    tables, missing = attributions(arms, confidence)
    axes = {axis: [arm for arm in arms if arm.axis == axis] for axis in dict.fromkeys(arm.axis for arm in arms)}
    compared = [_axis(same, by, confidence) for same in axes.values() if len(same) > 1]
    if not compared and not tables:
        _nothing_to_compare(arms)
    return Comparison(
        confidence=confidence,
        by=by,
        differences=tuple(differ),
        notes=(*notes(arms), *_levels_left_out(axes), *missing),
        runs=tuple(_record(arm, by) for arm in arms),
        axes=_lettered(_adjusted(compared), 1 - confidence),
        attributions=tables,
    )


def _refuse(differ: Sequence[str]) -> None:
    if differ:
        raise UsageError(
            "these runs differ in what matters",
            got="; ".join(differ),
            hint="--force compares them all the same and records this",
        )


def _nothing_to_compare(arms: Sequence[Arm]) -> NoReturn:
    raise UsageError(
        "no two of these runs are of one axis",
        got=", ".join(f"{arm.symbol}: {arm.folder.plan.axis}" for arm in arms),
        expected="runs of one axis, or of a composed axis and its parts by one policy",
    )


def write(folder: Path, comparison: Comparison) -> Path:
    """Write ``compare.json``, ``success_compare.png`` and ``success_compare.svg``.

    Args:
        folder: where to; made if missing.
        comparison: what :func:`compare` returned.

    Returns:
        Path of ``compare.json``.

    Raises:
        RunFolderError: if the folder cannot be written.
    """
    path = folder / "compare.json"
    check_folder(folder)
    files = {
        path: (comparison.model_dump_json(indent=2) + "\n").encode(),
        folder / "success_compare.png": success_curves(comparison, "png"),
        folder / "success_compare.svg": success_curves(comparison, "svg"),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, content in files.items():
            write_atomically(file, content, durable=False)
    except OSError as cause:
        raise RunFolderError(
            f"{folder} cannot be written", got=cause.strerror, hint="choose another folder with --out"
        ) from cause
    return path


def check_folder(folder: Path) -> None:
    """Comparisons go into a folder of their own: an empty one, or that of an earlier comparison.

    Raises:
        RunFolderError: for any other.
    """
    if not folder.is_dir():
        return
    strangers = sorted({entry.name for entry in folder.iterdir()} - set(FILES))
    if strangers:
        raise RunFolderError(
            "this folder holds something else",
            got=f"{folder} with {', '.join(strangers[:3])}",
            expected=f"an empty folder, or one with {', '.join(FILES)}",
            hint="choose another folder with --out",
        )


def _on_shared_tasks(arms: Sequence[Arm]) -> tuple[Arm, ...]:
    shared = set.intersection(*(set(arm.folder.plan.tasks) for arm in arms))
    if not shared:
        raise UsageError("these runs share no task", got=", ".join(arm.folder.plan.tasks[0] for arm in arms))
    return tuple(with_tasks(arm, shared) for arm in arms)


def _record(arm: Arm, by: By) -> ArmRecord:
    plan = arm.folder.plan
    return ArmRecord(
        symbol=arm.symbol,
        name=arm.name,
        group=_group(arm, by),
        path=str(arm.folder.path),
        policy=plan.policy,
        axis=plan.axis,
        label=plan.label,
        plan_hash=plan.hash,
        complete=arm.report.complete,
    )


def _group(arm: Arm, by: By) -> str:
    return arm.symbol if by == "run" else arm.folder.plan.label or ""


def _groups(arms: Sequence[Arm], by: By) -> Groups:
    groups: Groups = {}
    for arm in arms:
        groups.setdefault(_group(arm, by), []).append(arm)
    if len(groups) < 2 or "" in groups:
        raise UsageError(
            f"the runs of {arms[0].folder.plan.axis} cannot be grouped by label",
            got=", ".join(f"{arm.symbol}: {arm.folder.plan.label or 'no label'}" for arm in arms),
            expected="two labels or more, and every run with one",
        )
    return groups


def _shared_levels(arms: Sequence[Arm]) -> tuple[int, ...]:
    return tuple(sorted(set.intersection(*(set(arm.folder.plan.levels) for arm in arms))))


def _axis(arms: Sequence[Arm], by: By, confidence: float) -> AxisComparison:
    levels = _shared_levels(arms)
    if not levels:
        raise UsageError(
            f"the runs of {arms[0].folder.plan.axis} share no level",
            got="; ".join(f"{arm.symbol}: {', '.join(map(str, arm.folder.plan.levels))}" for arm in arms),
        )
    groups = _groups(arms, by)
    return AxisComparison(
        axis=arms[0].folder.plan.axis,
        levels=levels,
        threshold=arms[0].report.threshold,
        rates={arm.symbol: tuple(rate_of(arm, level) for level in levels) for arm in arms},
        pairs=tuple(_pair(a, b, levels, confidence) for a, b in combinations(arms, 2)),
        curves=tuple(compare_curves((a, b), groups[a], groups[b], levels) for a, b in combinations(groups, 2)),
        groups=tuple(sorted((_summary(*item, levels) for item in groups.items()), key=lambda g: -(g.rate or 0))),
    )


def _pair(a: Arm, b: Arm, levels: Sequence[int], confidence: float) -> PairComparison:
    found = match([a], [b])
    return PairComparison(
        a=a.symbol,
        b=b.symbol,
        paired=found.paired,
        shared_starts=len(found.shared),
        starts_a=found.starts_a,
        starts_b=found.starts_b,
        levels=tuple(compare_levels(a, level, b, level, found, confidence) for level in levels),
        breaks=compare_breaks(a, b),
    )


def _summary(name: str, arms: Sequence[Arm], levels: Sequence[int]) -> GroupLetters:
    rates = [[rate for level in levels if (rate := rate_of(arm, level).rate) is not None] for arm in arms]
    means = [sum(found) / len(found) for found in rates if found]
    return GroupLetters(
        group=name,
        runs=tuple(arm.symbol for arm in arms),
        rate=sum(means) / len(means) if means else None,
        letters=None,
    )


def _adjusted(axes: Sequence[AxisComparison]) -> list[AxisComparison]:
    """With Holm-adjusted p-values: one family of levels, one of curves."""
    levels = iter(exact.holm([found.p for axis in axes for pair in axis.pairs for found in pair.levels]))
    curves = iter(exact.holm([curve.p for axis in axes for curve in axis.curves]))
    return [
        axis.model_copy(
            update={
                "pairs": tuple(_adjusted_pair(pair, levels) for pair in axis.pairs),
                "curves": tuple(curve.model_copy(update={"p_holm": next(curves)}) for curve in axis.curves),
            }
        )
        for axis in axes
    ]


def _adjusted_pair(pair: PairComparison, adjusted: Iterator[float | None]) -> PairComparison:
    levels = tuple(found.model_copy(update={"p_holm": next(adjusted)}) for found in pair.levels)
    return pair.model_copy(update={"levels": levels})


def _lettered(axes: Sequence[AxisComparison], alpha: float) -> tuple[AxisComparison, ...]:
    return tuple(axis.model_copy(update={"groups": _letters(axis, alpha)}) for axis in axes)


def _letters(axis: AxisComparison, alpha: float) -> tuple[GroupLetters, ...]:
    if len(axis.groups) < 3:
        return axis.groups
    place = {group.group: number for number, group in enumerate(axis.groups)}
    different = {frozenset((place[curve.a], place[curve.b])) for curve in axis.curves if told_apart(curve, alpha)}
    letters = compact_letters(len(axis.groups), different)
    return tuple(group.model_copy(update={"letters": found}) for group, found in zip(axis.groups, letters, strict=True))


def told_apart(curve: CurveComparison, alpha: float) -> bool:
    """Whether two groups' curves differ at ``alpha``, after Holm."""
    return curve.p_holm is not None and curve.p_holm <= alpha


def _levels_left_out(axes: dict[str, list[Arm]]) -> list[str]:
    lines = []
    for arms in axes.values():
        shared = set(_shared_levels(arms))
        for arm in arms:
            extra = [str(level) for level in sorted(arm.folder.plan.levels) if level not in shared]
            if extra:
                lines.append(f"levels {', '.join(extra)} of {arm.symbol} are left out: not all runs have them")
    return lines

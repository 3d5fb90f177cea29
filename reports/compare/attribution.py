"""Attribution: a composed axis beside its parts, run with one policy (paper, Figure 3, fourth panel)."""

from __future__ import annotations

from collections.abc import Sequence

from . import exact
from .arms import Arm
from .model import Attribution, AttributionLevel, Rate
from .pairing import Match, compare_levels, match


def attributions(arms: Sequence[Arm], confidence: float) -> tuple[tuple[Attribution, ...], list[str]]:
    """A table for every run of a composed axis whose parts were run as well, by the same policy and label.

    Args:
        arms: all runs.
        confidence: of the intervals of differences, in (0, 1).

    Returns:
        The tables, and a line for every composition that gets none.
    """
    tables, missing = [], []
    for whole in (arm for arm in arms if "+" in arm.axis):
        parts = [_parts(arms, whole, name) for name in part_names(whole.axis)]
        lone = [found[0] for found in parts if len(found) == 1]
        if len(lone) < len(parts):
            counts = zip(part_names(whole.axis), map(len, parts), strict=True)
            wrong = ", ".join(f"{count} runs of {name}" for name, count in counts if count != 1)
            missing.append(f"no attribution of {whole.symbol} ({whole.axis}): {wrong} by its policy and label, not one")
            continue
        table = _attribution(lone, whole, confidence)
        if table.levels:
            tables.append(table)
        else:
            missing.append(f"no attribution of {whole.symbol} ({whole.axis}): no level that its parts have as well")
    return tuple(tables), missing


def part_names(axis: str) -> list[str]:
    """Parts of a composed axis id without versions: ``w/x+y`` and ``w/x-v1+w/y`` to ``[w/x, w/y]``."""
    first, *_ = axis.split("+")
    world = first[: first.rfind("/") + 1]
    return [world + _unversioned(name.removeprefix(world)) for name in axis.split("+")]


def _unversioned(name: str) -> str:
    head, _, tail = name.rpartition("-v")
    return head if head and tail.isdigit() else name


def _parts(arms: Sequence[Arm], whole: Arm, axis: str) -> list[Arm]:
    who = (whole.folder.plan.policy, whole.folder.plan.label)
    return [arm for arm in arms if arm.axis == axis and (arm.folder.plan.policy, arm.folder.plan.label) == who]


def _attribution(parts: Sequence[Arm], whole: Arm, confidence: float) -> Attribution:
    matches = [match([whole], [part]) for part in parts]
    levels = [
        level
        for level in sorted(whole.folder.plan.levels)
        if all(at in part.folder.plan.levels for at, part in zip(_places(level, parts), parts, strict=True))
    ]
    rows = [_row(parts, whole, level, matches, confidence) for level in levels]
    adjusted = iter(exact.holm([found.p for row in rows for found in row.differences]))
    return Attribution(
        policy=whole.folder.plan.policy,
        label=whole.folder.plan.label,
        axis=whole.folder.plan.axis,
        parts=tuple(part.folder.plan.axis for part in parts),
        threshold=whole.report.threshold,
        runs=tuple(arm.symbol for arm in (*parts, whole)),
        levels=tuple(
            row.model_copy(
                update={
                    "differences": tuple(
                        found.model_copy(update={"p_holm": next(adjusted)}) for found in row.differences
                    )
                }
            )
            for row in rows
        ),
    )


def _places(level: int, parts: Sequence[Arm]) -> list[int]:
    """The level of each part that a composition's level is made of: the first's sign is kept."""
    return [level if number == 0 else abs(level) for number in range(len(parts))]


def _row(parts: Sequence[Arm], whole: Arm, level: int, matches: Sequence[Match], confidence: float) -> AttributionLevel:
    places = _places(level, parts)
    return AttributionLevel(
        level=level,
        rates=tuple(rate_of(arm, at) for arm, at in zip((*parts, whole), (*places, level), strict=True)),
        differences=tuple(
            compare_levels(whole, level, part, at, found, confidence)
            for part, at, found in zip(parts, places, matches, strict=True)
        ),
    )


def rate_of(arm: Arm, level: int) -> Rate:
    """A run's own result at one of its levels."""
    found = next(result for result in arm.report.levels if result.level == level)
    return Rate(level=level, successes=found.successes, n=found.n, rate=found.rate, ci=found.ci)

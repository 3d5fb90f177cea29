"""What an axis' certificate does to a plan: cells it does not vouch for are left out, by name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..axes import Axis
from ..axes.certificates import Certificate, read_certificate, shipped, uncertified
from ..core.errors import UsageError
from .plan import Plan


def with_certificate(plan: Plan, axis: Axis, file: Path | None = None, include: bool = False) -> Plan:
    """The plan without the cells that a certificate judged and did not certify.

    Cells that no certificate has judged stay in. A composed axis needs those of all its parts: where level k does
    what a part does at its own level, that level's cell must be certified.

    Args:
        plan: what was asked for.
        axis: its axis.
        file: a certificate that ``indgen certify`` wrote; None for the one that ships with the axis.
        include: whether uncertified cells are run all the same; they are marked then.

    Raises:
        UsageError: if the file is no certificate of this axis, or if nothing is left to run.
    """
    bad: set[tuple[str, int]] = set()
    digests = []
    for certificate, inward in _certificates(axis, file):
        levels = {level: abs(level) if inward else level for level in plan.levels}
        judged = set(uncertified(certificate, plan.tasks, sorted(set(levels.values()))))
        bad |= {(task, level) for task in plan.tasks for level in plan.levels if (task, levels[level]) in judged}
        digests.append(certificate.digest)
    cells = tuple((task, level) for task in plan.tasks for level in plan.levels if (task, level) in bad)
    if len(cells) == len(plan.tasks) * len(plan.levels) and not include:
        raise UsageError(
            f"none of these cells of {plan.axis} is certified",
            got=", ".join(f"{task} at {level:+d}" for task, level in cells[:3]) + (", ..." if cells[3:] else ""),
            hint="--include-uncertified runs them all the same",
        )
    return plan.model_copy(
        update={"uncertified": cells, "include_uncertified": include, "certificate": "+".join(digests) or None}
    )


def _certificates(axis: Axis, file: Path | None) -> Iterator[tuple[Certificate, bool]]:
    """Each certificate that bears on an axis, and whether it is asked at the level's distance."""
    if file is not None:
        yield read_certificate(file, axis.card.id), False
        return
    for number, part in enumerate(getattr(axis, "parts", (axis,))):
        found = shipped(part.card.id)
        if found is not None:
            yield found, number > 0

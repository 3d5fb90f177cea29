"""What an axis' certificate does to a plan: cells it does not vouch for are left out, by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..axes import Axis, Composed
from ..axes.certificates import Certificate, read_certificate, shipped, uncertified
from ..core.errors import UsageError
from .plan import Plan


def with_certificate(plan: Plan, axis: Axis, file: Path | None = None, include: bool = False) -> Plan:
    """The plan without the cells that a certificate judged and did not certify.

    A certificate that judged none of the plan's tasks is none. Cells that no certificate has judged stay in. A composed
    axis needs those of all its parts: where level k does what a part does at its own level, that level's cell must be
    certified.

    Args:
        plan: what was asked for.
        axis: its axis.
        file: a certificate that ``indgen certify`` wrote; None for the one that ships with the axis.
        include: whether uncertified cells are run all the same; they are marked then.

    Raises:
        UsageError: if the file is no certificate of this axis or of any of these tasks, or if nothing is left to run.
    """
    judged = {
        name: certificate
        for name, certificate in _certificates(axis, file).items()
        if {cell.task for cell in certificate.cells} & set(plan.tasks)
    }
    if file is not None and not judged:
        raise UsageError(
            f"{file} judges none of these tasks",
            got=", ".join(plan.tasks[:3]) + (", ..." if plan.tasks[3:] else ""),
            hint="without --certificate every cell is run",
        )
    bad = {
        (task, level)
        for level in plan.levels
        for part, own in _parts(axis, level)
        if part.card.id in judged
        for task, _ in uncertified(judged[part.card.id], plan.tasks, (own,))
    }
    cells = tuple((task, level) for task in plan.tasks for level in plan.levels if (task, level) in bad)
    if len(cells) == len(plan.tasks) * len(plan.levels) and not include:
        raise UsageError(
            f"none of these cells of {plan.axis} is certified",
            got=", ".join(f"{task} at {level:+d}" for task, level in cells[:3]) + (", ..." if cells[3:] else ""),
            hint="--include-uncertified runs them all the same",
        )
    digests = "+".join(certificate.digest for certificate in judged.values())
    return plan.model_copy(
        update={"uncertified": cells, "include_uncertified": include, "certificate": digests or None}
    )


def _certificates(axis: Axis, file: Path | None) -> dict[str, Certificate]:
    """Axis id to certificate, of an axis or of the parts of a composed one."""
    if file is not None:
        return {axis.card.id: read_certificate(file, axis.card)}
    found = {part.card.id: shipped(part.card.id) for part, _ in _parts(axis, 0)}
    return {name: certificate for name, certificate in found.items() if certificate is not None}


def _parts(axis: Axis, level: int) -> list[tuple[Axis, int]]:
    """What makes up an axis at a level; with a certificate of the whole, its parts have none."""
    return [(axis, level), *(axis.each(level) if isinstance(axis, Composed) else ())]


def made_elsewhere(axis: Axis, world: Mapping[str, Any]) -> list[str]:
    """Where the certificates that ship with an axis were made with another world than a run's.

    Args:
        axis: the axis.
        world: the world's part of the run's manifest.
    """
    lines = []
    for name, certificate in _certificates(axis, None).items():
        then, now = _makings(certificate.manifest), _makings(world)
        other = [f"{key} {then[key]} then, {now.get(key, 'none')} now" for key in then if then[key] != now.get(key)]
        if other:
            lines.append(f"the certificate of {name} was made with another world: {', '.join(other)}")
    return lines


def _makings(manifest: Mapping[str, Any]) -> dict[str, str]:
    """What of a world's manifest decides whether its starts are sound."""
    packages = {name: str(version) for name, version in manifest.get("packages", {}).items()}
    return {**packages, **{name: str(manifest[name])[:12] for name in ("assets", "rules") if name in manifest}}

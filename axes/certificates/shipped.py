"""Certificates that ship with the package, and others from files."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

from pydantic import ValidationError

from ...core.errors import UsageError
from ..contract import AxisCard
from .model import Certificate

_HERE = __name__.rpartition(".")[0]


def file_name(axis: str) -> str:
    """``libero/pick-v1`` to ``libero-pick-v1.json``."""
    return axis.replace("/", "-") + ".json"


def shipped(axis: str) -> Certificate | None:
    """The certificate of a built-in axis; None where none ships.

    Args:
        axis: registered id.
    """
    resource = files(_HERE) / file_name(axis)
    return Certificate.model_validate_json(resource.read_bytes()) if resource.is_file() else None


def read_certificate(path: Path, card: AxisCard) -> Certificate:
    """A certificate that ``indgen certify`` wrote.

    Raises:
        UsageError: if it cannot be read, or is another axis', or of one with other steps.
    """
    try:
        found = Certificate.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as cause:
        got = cause.strerror if isinstance(cause, OSError) else str(cause.errors()[0]["msg"])
        raise UsageError(f"{path} is no certificate", got=got, hint="`indgen certify AXIS` writes one") from cause
    if found.axis != card.id:
        raise UsageError(f"{path} certifies another axis", got=found.axis, expected=card.id)
    if (found.world, found.step, found.unit) != (card.world, card.step, card.unit):
        raise UsageError(
            f"{path} certifies {card.id} with other steps",
            got=f"{found.step:g} {found.unit} in {found.world}",
            expected=f"{card.step:g} {card.unit} in {card.world}",
        )
    return found


def uncertified(certificate: Certificate, tasks: Iterable[str], levels: Iterable[int]) -> tuple[tuple[str, int], ...]:
    """The cells that were judged and not certified, in the order of ``tasks`` and ``levels``; others pass."""
    bad = {(cell.task, cell.level) for cell in certificate.cells if not cell.certified}
    wanted = list(levels)
    return tuple((task, level) for task in tasks for level in wanted if (task, level) in bad)

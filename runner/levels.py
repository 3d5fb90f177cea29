"""Levels as people write them: ``-3..3``, ``0,2``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..axes import Axis
from ..core.errors import UsageError
from ..core.text import one_line

_WIDEST = 10_000
_RANGE = re.compile(r"^(-?[0-9]{1,6})(?:\.\.(-?[0-9]{1,6}))?$")


def parse_levels(asked: str, what: str = "levels") -> tuple[int, ...]:
    """``-3..-1,2`` to (-3, -2, -1, 2); ascending and distinct.

    Args:
        asked: what somebody wrote.
        what: what the numbers are.

    Raises:
        UsageError: for anything else.
    """
    found: set[int] = set()
    for part in (piece.strip() for piece in asked.split(",")):
        match = _RANGE.match(part)
        if match is None:
            raise UsageError(
                f"{what} cannot be read",
                got=repr(one_line(asked)[:80]),
                expected="numbers and ranges, e.g. -3..3 or 0,2",
            )
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last:
            raise UsageError(f"a range of {what} runs upwards", got=part, expected=f"{last}..{first}")
        if last - first > _WIDEST:
            raise UsageError(f"a range of {what} is too wide", got=part, expected=f"at most {_WIDEST}")
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def find_levels(axis: Axis, asked: str | None) -> tuple[int, ...]:
    """Levels of an axis as :func:`parse_levels` reads them; None for all.

    Raises:
        UsageError: if they cannot be read, or the axis has not all of them.
    """
    defined = axis.card.levels
    if asked is None:
        return defined
    levels = parse_levels(asked)
    unknown = [level for level in levels if level not in defined]
    if unknown:
        raise UsageError(
            f"{axis.card.id} has no such level", got=_join(unknown), expected=f"levels among {_join(defined)}"
        )
    return levels


def _join(levels: Sequence[int]) -> str:
    return ", ".join(map(str, levels))

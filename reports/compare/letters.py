"""Compact letter display: groups that share a letter are not distinguished."""

from __future__ import annotations

import string
from collections.abc import Collection, Sequence

_LETTERS = string.ascii_lowercase + string.ascii_uppercase


def compact_letters(count: int, different: Collection[frozenset[int]]) -> tuple[str, ...]:
    """Letters for groups 0 to ``count - 1``, by insert-and-absorb (Piepho 2004).

    Two groups share a letter if and only if their pair is not in ``different``. Letters are handed out from
    group 0 on, so that sorted groups read ``a``, ``ab``, ``b``.

    Args:
        count: number of groups.
        different: pairs of distinct groups that were told apart.
    """
    columns = [frozenset(range(count))]
    for pair in sorted(different, key=sorted):
        split = [
            part for column in columns for part in ([column - {one} for one in pair] if pair <= column else [column])
        ]
        columns = _absorb(split)
    columns.sort(key=sorted)
    return tuple(
        "".join(_letter(number) for number, column in enumerate(columns) if group in column) for group in range(count)
    )


def _absorb(columns: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """Without columns that another one holds."""
    distinct = list(dict.fromkeys(columns))
    return [column for column in distinct if not any(column < other for other in distinct)]


def _letter(number: int) -> str:
    return _LETTERS[number] if number < len(_LETTERS) else f"({number + 1})"

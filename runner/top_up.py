"""The second stage: more rollouts at the levels that the first stage left undecided, and only there.

The rule is fixed in the plan (``rollouts`` first, ``top_up`` where the frontier is undecided, alpha split between
the stages) and every application of it is an event of the ledger.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..core.errors import LedgerError
from ..core.text import one_line
from .ledger import Event, Ledger
from .plan import Plan

TOP_UP = "top-up"


def topped_levels(events: Iterable[Event]) -> tuple[int, ...]:
    """The levels topped up so far, in the order in which they were.

    Raises:
        LedgerError: for an event that names no levels.
    """
    return tuple(level for event in events if event.kind == TOP_UP for level in _levels(event))


def _levels(event: Event) -> Sequence[int]:
    levels = event.data.get("levels")
    if not isinstance(levels, list) or not all(type(level) is int for level in levels):
        raise LedgerError(f"event {event.seq} tops up nothing that can be read", got=one_line(repr(levels), 80))
    return levels


def log_top_up(ledger: Ledger, plan: Plan, levels: Sequence[int]) -> None:
    """Record that these levels get more rollouts, before the first of them runs."""
    ledger.append(TOP_UP, {"levels": list(levels), "from": plan.rollouts, "to": plan.top_up, "why": "undecided"})
    ledger.commit()

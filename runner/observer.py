"""Whoever watches a sweep."""

from __future__ import annotations

from typing import Protocol

from .episodes import Outcome


class Observer(Protocol):
    """Whoever watches a sweep."""

    def phase(self, text: str, total: int) -> None:
        """Another stretch of work begins, of ``total`` episodes."""
        ...

    def ended(self, level: int, outcome: Outcome, final: bool) -> None:
        """An attempt ended; ``final`` unless it is retried."""
        ...

    def tick(self) -> None:
        """A moment to redraw."""
        ...


class Silent:
    """An observer that tells nobody."""

    def phase(self, text: str, total: int) -> None:
        """As :meth:`Observer.phase`."""

    def ended(self, level: int, outcome: Outcome, final: bool) -> None:
        """As :meth:`Observer.ended`."""

    def tick(self) -> None:
        """As :meth:`Observer.tick`."""

"""Progress of a sweep: levels x outcomes live on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ..runner.episodes import Episode, Outcome

_EVERY_S = 10.0
_STYLES = {
    Outcome.SUCCESS: "green",
    Outcome.FAILURE: "red",
    Outcome.ERROR: "bold magenta",
    Outcome.INVALID: "yellow",
}


class SweepProgress:
    """Watches a sweep.

    Args:
        console: where to draw.
        levels: the plan's levels.
        per_level: episodes per level.
        standing: episodes that are there already.
    """

    def __init__(self, console: Console, levels: Sequence[int], per_level: int, standing: Iterable[Episode]) -> None:
        self._console = console
        self._levels, self._per_level = levels, per_level
        self._standing = [(e.level, e.outcome) for e in standing if e.outcome is not Outcome.ERROR]
        self._live: Live | None = None
        self.phase("starting", 0)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live = Live(console=self._console, auto_refresh=False, transient=True, get_renderable=self._table)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def phase(self, text: str, total: int) -> None:
        """As :meth:`~indgen.runner.observer.Observer.phase`."""
        self._text, self._total, self._done, self._tries = text, total, 0, 0
        self._began = self._drawn = time.monotonic()
        standing = self._standing if text == "rollouts" else []
        self._there = len(standing)
        self._counts = {level: Counter(o for k, o in standing if k == level) for level in self._levels}
        if total and self._live is None:
            self._console.print(f"{text}: {total} to do", highlight=False)

    def ended(self, level: int, outcome: Outcome, final: bool) -> None:
        """As :meth:`~indgen.runner.observer.Observer.ended`."""
        self._done += final
        self._tries += 1
        if final:
            self._counts.setdefault(level, Counter())[outcome] += 1

    def tick(self) -> None:
        """As :meth:`~indgen.runner.observer.Observer.tick`."""
        now = time.monotonic()
        if self._live is not None:
            if now - self._drawn > 0.25:
                self._drawn = now
                self._live.refresh()
        elif self._total and (now - self._drawn > _EVERY_S or (self._done == self._total and self._drawn < now)):
            self._drawn = now
            self._console.print(self._line(), highlight=False)
            if self._done == self._total:
                self._drawn = float("inf")

    def _line(self) -> str:
        totals = Counter[Outcome]()
        for counts in self._counts.values():
            totals.update(counts)
        said = ", ".join(f"{totals[outcome]} {outcome}" for outcome in Outcome if totals[outcome])
        return f"{self._text}: {self._there + self._done}/{self._there + self._total} done ({said}){self._eta()}"

    def _eta(self) -> str:
        if not 0 < self._done < self._total:
            return ""
        left = (time.monotonic() - self._began) / self._done * (self._total - self._done)
        return f", about {int(left // 60)}:{int(left % 60):02d} left"

    def _table(self) -> RenderableType:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column("level", justify="right")
        for outcome in Outcome:
            table.add_column(outcome.value, justify="right", style=_STYLES[outcome])
        table.add_column("")
        shown = self._levels if self._text == "rollouts" else [k for k in self._levels if self._counts[k]]
        for level in shown:
            counts = self._counts[level]
            cells = (str(counts[outcome] or "") for outcome in Outcome)
            table.add_row(
                f"{level:+d}" if level else "0", *cells, ProgressBar(self._per_level, counts.total(), width=24)
            )
        head = Text(f"{self._text}: {self._there + self._done}/{self._there + self._total}{self._eta()}")
        return Group(head, table)

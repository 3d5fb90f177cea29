"""Training runs as a user asks for them: which method, levels and seed, kept as a checkpoint."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np

from ...core.errors import UsageError
from ..demonstrations import Demonstrations, demonstrate
from ..layout import GRID, LARGEST_GRID
from ..rules import check_level
from .checkpoints import CARD, CheckpointCard, read_checkpoint, weights_path, write_checkpoint
from .method import Method
from .training import need_torch, train

LEVELS = (0, 1, 2)
"""What the paper trains on."""
DEMONSTRATIONS = 500
_MOST = 1_000_000


@dataclass(frozen=True)
class Course:
    """One training run.

    Attributes:
        method: what to train.
        seed: of demonstrations, initial parameters and minibatches.
        levels: what it may learn from.
        grid: side G.
        demonstrations: how many of each level.
        updates: steps of the optimiser; None for the method's own.
    """

    method: Method
    seed: int
    levels: tuple[int, ...] = LEVELS
    grid: int = GRID
    demonstrations: int = DEMONSTRATIONS
    updates: int | None = None

    def check(self) -> None:
        """Refuse what cannot be trained.

        Raises:
            UsageError: for no level, one that does not fit the grid, or nothing to train on or for.
        """
        if not self.levels:
            raise UsageError("training needs levels", got="none", expected="e.g. 0,1,2")
        if not 1 <= self.grid <= LARGEST_GRID:
            raise UsageError("no such grid to train on", got=f"--grid {self.grid}", expected=f"1 to {LARGEST_GRID}")
        for level in self.levels:
            check_level(level, self.grid)
        for name, value in (("--demonstrations", self.demonstrations), ("--updates", self.updates)):
            if value is not None and not 1 <= value <= _MOST:
                raise UsageError("training needs something to do", got=f"{name} {value}", expected=f"1 to {_MOST}")
        if self.seed < 0:
            raise UsageError("seeds are counted from 0", got=self.seed, expected="0 or more")

    @property
    def command(self) -> str:
        """What makes this checkpoint again."""
        words = ["indgen train blockenv", self.method.name]
        words += ["--levels", ",".join(map(str, self.levels)), "--seeds", str(self.seed)]
        words += [] if self.grid == GRID else ["--grid", str(self.grid)]
        words += [] if self.demonstrations == DEMONSTRATIONS else ["--demonstrations", str(self.demonstrations)]
        words += [] if self.updates is None else ["--updates", str(self.updates)]
        return " ".join(words)

    @property
    def steps(self) -> int:
        """Steps of the optimiser."""
        return self.updates or self.method.recipe.updates

    def card(self, loss: float) -> CheckpointCard:
        """What its checkpoint says of itself, ``loss`` being its last."""
        return CheckpointCard(
            method=self.method.name,
            revision=self.method.revision,
            grid=self.grid,
            levels=self.levels,
            seed=self.seed,
            demonstrations=self.demonstrations,
            updates=self.steps,
            loss=loss,
            command=self.command,
            versions=_versions(),
        )

    def shown(self) -> dict[int, Demonstrations]:
        """Level to demonstrations; of no level but its own."""
        return {level: demonstrate(level, self.demonstrations, self.grid, self.seed) for level in self.levels}

    def standing(self, folder: Path) -> Path | None:
        """The checkpoint that this run has left in ``folder`` earlier.

        Raises:
            UsageError: if another run's checkpoint, or a broken one, lies in its place.
        """
        path = weights_path(folder, self.method.name, self.seed)
        if not path.with_suffix(CARD).exists():
            return None
        found = read_checkpoint(path).card
        if (found.command, found.updates) != (self.command, self.steps):
            raise UsageError(
                "another checkpoint lies there",
                got=f"{path}, by `{found.command}`",
                expected=f"`{self.command}`",
                hint="choose another folder with --out",
            )
        return path


def run_course(course: Course, folder: Path, report: Callable[[int, float], None] = lambda update, loss: None) -> Path:
    """Train and keep the checkpoint, unless it stands there already.

    Args:
        course: what to train.
        folder: where checkpoints lie; made if missing.
        report: is told after every update which one it was, and its loss.

    Raises:
        UsageError: if torch is missing, the course makes no sense, or another run's checkpoint lies there.
    """
    course.check()
    standing = course.standing(folder)
    if standing is not None:
        return standing
    losses: list[float] = []

    def note(update: int, loss: float) -> None:
        losses.append(loss)
        report(update, loss)

    params = train(course.method, course.shown(), course.seed, course.updates, note)
    last = float(np.mean(losses[-max(1, len(losses) // 10) :]))
    return write_checkpoint(folder, course.card(round(last, 4)), params)


def _versions() -> dict[str, str]:
    return {
        "python": platform.python_version(),
        "indgen": version("indgen"),
        "numpy": version("numpy"),
        "torch": str(need_torch().__version__),
    }

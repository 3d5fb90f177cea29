"""Every error indgen raises on purpose.

A message says what was wrong, what was got, what was expected, what exists, and what to do next. The
command line prints it as one line and leaves with ``exit_code``; nothing here ever needs a traceback.
"""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Iterable
from difflib import get_close_matches

PLUGIN_FAULTS = (Exception, SystemExit, CancelledError, BaseExceptionGroup)
"""What foreign code may raise and must not end the program with; Ctrl-C is not among it."""


class IndgenError(Exception):
    """Base of the taxonomy.

    Args:
        problem: what is wrong, in a few words, without a full stop.
        got: what was received.
        expected: what would have been right.
        exists: the names that exist.
        hint: what to do next.
    """

    exit_code = 1

    def __init__(
        self,
        problem: str,
        *,
        got: object | None = None,
        expected: object | None = None,
        exists: Iterable[str] | None = None,
        hint: str | None = None,
    ) -> None:
        parts = [problem]
        if got is not None:
            parts.append(f"got {got}")
        if expected is not None:
            parts.append(f"expected {expected}")
        if exists is not None:
            parts.append(f"exists: {', '.join(exists) or 'nothing'}")
        if hint is not None:
            parts.append(hint)
        super().__init__("; ".join(parts))


class UsageError(IndgenError):
    """The request cannot be carried out as it was made (exit code 2)."""

    exit_code = 2


class UnknownName(UsageError):
    """A name that nothing is registered under; suggests the closest ones."""

    def __init__(self, kind: str, name: str, exists: Iterable[str], hint: str | None = None) -> None:
        names = sorted(exists)
        close = get_close_matches(name, names, n=3, cutoff=0.5)
        if close:
            hint = f"did you mean {' or '.join(close)}?"
        super().__init__(f"unknown {kind}", got=repr(name), exists=names, hint=hint)


class SceneError(IndgenError):
    """A scene that its world cannot carry: unknown body, an edit it does not support."""


class LayoutError(UsageError):
    """A policy's spec and a world's layout do not fit; lists every mismatch at once."""


class EpisodeFault(IndgenError):
    """Something other than the policy's skill ended an episode: an ``error``, never a failure."""


class PolicyError(EpisodeFault):
    """A policy raised, or returned something that is no action chunk."""


class SimulatorError(EpisodeFault):
    """A simulator raised, produced NaN, or reset itself."""


class WorkerError(EpisodeFault):
    """A worker process crashed or broke the protocol."""


class DeadlineError(EpisodeFault):
    """A simulator or a policy took longer than it was given."""


class InvalidStart(IndgenError):
    """The start of an episode is itself broken: an ``invalid``, never retried."""


class WorldMissing(UsageError):
    """A world's interpreter environment is not installed."""


class RenderingUnavailable(UsageError):
    """No OpenGL implementation that can render off screen."""


class RunFolderError(UsageError):
    """A run folder that cannot be used: foreign, in use, unwritable, or of another plan."""


class LedgerError(IndgenError):
    """A ledger that cannot be read or written without losing data."""


class SweepAborted(IndgenError):
    """A sweep stopped before its end; everything finished so far is in the ledger."""

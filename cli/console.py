"""How every command ends: one line for an error, the right exit code, never a traceback."""

from __future__ import annotations

import io
import os
import signal
import sys
from types import FrameType
from typing import NoReturn

import typer
from rich.console import Console
from typer.exceptions import TyperException

from ..core.errors import PLUGIN_FAULTS, IndgenError
from ..core.text import describe, one_line
from .start import INTERRUPTED


class _Console(Console):
    """rich leaves with a bare SystemExit when nobody reads any more; :func:`run` has something to say then."""

    def on_broken_pipe(self) -> None:
        """As the stream itself would raise it."""
        raise BrokenPipeError


out = _Console()
err = _Console(stderr=True)


def run(app: typer.Typer, args: list[str] | None = None) -> NoReturn:
    """Run a command line and leave: 0 done, 1 a run went wrong, 2 a request was wrong, 130 interrupted."""
    _mend_streams()
    signal.signal(signal.SIGTERM, _as_interrupt)
    code: object = 1
    try:
        code = app(args, standalone_mode=False)
    except IndgenError as error:
        fail(str(error))
        code = error.exit_code
    except TyperException as error:
        # Help that was asked for by giving nothing comes with an empty message.
        if error.format_message():
            fail(error.format_message())
        code = 2
    except BrokenPipeError:
        # Nobody reads any more; nor may the interpreter try to flush at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        fail("nobody reads the output any more; run the same command again to go on where it stopped")
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except PLUGIN_FAULTS as error:
        if os.environ.get("INDGEN_TRACEBACK"):
            raise
        fail(f"internal error: {describe(error)}; INDGEN_TRACEBACK=1 shows where")
    if code == INTERRUPTED:
        fail("interrupted; run the same command again to go on where it stopped")
    sys.exit(code if isinstance(code, int) else 0)


def fail(text: str) -> None:
    """Print an error as one line, whatever the terminal's width."""
    err.print(f"error: {one_line(text)}", style="bold red", markup=False, highlight=False, soft_wrap=True)


def note(text: str) -> None:
    """Print a remark, whole."""
    out.print(text, markup=False, highlight=False, soft_wrap=True)


def progress(text: str) -> None:
    """Print how far a command has come, beside its output."""
    err.print(text, style="dim", markup=False, highlight=False, soft_wrap=True)


def _mend_streams() -> None:
    """Closed streams lead nowhere instead of into the next file that is opened; no character is unprintable."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _as_interrupt(number: int, frame: FrameType | None) -> NoReturn:
    del number, frame
    raise KeyboardInterrupt

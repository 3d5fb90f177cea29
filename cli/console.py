"""How every command ends: one line for an error, the right exit code, never a traceback."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import NoReturn

import typer
from rich.console import Console
from typer.exceptions import TyperException

from ..core.errors import IndgenError

INTERRUPTED = 130
out = Console()
err = Console(stderr=True)


def run(app: typer.Typer, args: list[str] | None = None) -> NoReturn:
    """Run a command line and leave: 0 done, 1 a run went wrong, 2 a request was wrong, 130 interrupted."""
    signal.signal(signal.SIGTERM, _as_interrupt)
    try:
        code = app(args, standalone_mode=False)
    except IndgenError as error:
        fail(str(error))
        code = error.exit_code
    except TyperException as error:
        fail(error.format_message())
        code = 2
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except Exception as error:
        if os.environ.get("INDGEN_TRACEBACK"):
            raise
        fail(f"internal error: {type(error).__name__}: {error}; INDGEN_TRACEBACK=1 shows where")
        code = 1
    if code == INTERRUPTED:
        fail("interrupted; run the same command again to go on where it stopped")
    sys.exit(code if isinstance(code, int) else 0)


def fail(text: str) -> None:
    """Print an error as one line, whatever the terminal's width."""
    err.print(f"error: {' '.join(text.split())}", style="bold red", markup=False, highlight=False, soft_wrap=True)


def note(text: str) -> None:
    """Print a remark, whole."""
    out.print(text, markup=False, highlight=False, soft_wrap=True)


def _as_interrupt(number: int, frame: FrameType | None) -> NoReturn:
    del number, frame
    raise KeyboardInterrupt

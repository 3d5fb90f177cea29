"""The long-running programs that an install starts; they end when it does."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def child(command: Sequence[str | Path], held: int) -> Iterator[subprocess.Popen[str]]:
    """A program whose output is read line by line; leaving by an exception kills it and all it started.

    Args:
        command: program and arguments.
        held: descriptor of the install's lock, inherited so that an orphaned child keeps the lock.
    """
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        pass_fds=(held,),
        # A group of its own: what the child started must not go on writing while its folder is removed.
        start_new_session=True,
    ) as process:
        try:
            yield process
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise

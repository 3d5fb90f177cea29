"""The runner's side of a worker: start it, call it, notice when it dies."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ...core.errors import DeadlineError, IndgenError, WorkerError, WorldMissing
from ...core.wire import MAX_BYTES, pack, unpack
from ...core.world import View, WorkerSpec
from .protocol import PROTOCOL, Failed, Reply, error_from_dict, last_lines, source_digest

START_S = 180.0
"""Seconds a worker may take to start and import its simulator."""
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class Worker:
    """One worker process with at most one call in flight; starts at once, is usable after :meth:`open`.

    The two ends talk over a socket pair, which closes with either process: a death is noticed at once.

    Args:
        spec: what to run.
        python: the interpreter to run it with.
        log: file that takes what the process prints.

    Attributes:
        connection: readable when an answer, or the end, has arrived; for ``multiprocessing.connection.wait``.
    """

    def __init__(self, spec: WorkerSpec, python: Path, log: Path) -> None:
        self._log = log
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = _spawn(python, theirs.fileno(), spec.factory, log)
        self.connection = Connection(ours.detach())
        self._due: float | None = None
        self._call = ""

    def open(self, view: View) -> dict[str, Any]:
        """Greet it, have it open its environment, and return that one's manifest.

        Raises:
            IndgenError: if it is of another build, does not start, or cannot open its environment.
        """
        try:
            self._greet()
            return self.ask("open", view.to_dict(), timeout=START_S)
        except BaseException:
            self.kill()
            raise

    def _greet(self) -> None:
        hello = self.ask("hello", timeout=START_S)
        if hello["protocol"] != PROTOCOL or hello["digest"] != source_digest():
            raise WorkerError(
                "worker is of another build",
                got=f"protocol {hello['protocol']}, sources {hello['digest'][:12]}",
                expected=f"protocol {PROTOCOL}, sources {source_digest()[:12]}",
            )

    def ask(self, call: str, *args: Any, timeout: float) -> Any:
        """Call and wait for the answer.

        Raises:
            IndgenError: whatever the call raised in the worker, or that it died or took too long.
        """
        self.send(call, *args, timeout=timeout)
        while (answer := self.poll(wait_s=0.1)) is None:
            pass
        if isinstance(answer, Failed):
            raise answer.error
        return answer.value

    def send(self, call: str, *args: Any, timeout: float) -> None:
        """Call without waiting; :meth:`poll` brings the answer. A dead worker answers there."""
        self._call, self._due = call, time.monotonic() + timeout
        with contextlib.suppress(OSError):
            self.connection.send_bytes(pack({"call": call, "args": list(args)}))

    @property
    def busy(self) -> bool:
        """Whether a call is in flight."""
        return self._due is not None

    def poll(self, wait_s: float = 0.0) -> Reply | Failed | None:
        """The answer to the call in flight, or None if it is still due."""
        if self._due is None:
            return None
        try:
            if not self.connection.poll(wait_s):
                return self._mind_deadline()
            data = self.connection.recv_bytes(MAX_BYTES)
        except (EOFError, OSError):
            self._due = None
            return Failed(WorkerError(f"worker died in {self._call}", got=self._obituary()))
        self._due = None
        try:
            answer = unpack(data)
        except IndgenError as error:
            return Failed(error)
        return Failed(error_from_dict(answer["error"])) if "error" in answer else Reply(answer["value"])

    def _mind_deadline(self) -> Failed | None:
        if self._due is None or time.monotonic() < self._due:
            return None
        self._due = None
        self.kill()
        return Failed(DeadlineError(f"simulator did not answer {self._call} in time", hint="its worker was replaced"))

    def _obituary(self) -> str:
        try:
            status = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.kill()
            return "it closed its end"
        how = f"signal {-status}" if status < 0 else f"exit code {status}"
        lines: Sequence[str] = last_lines(self._log)
        return f"{how}; last lines: {' | '.join(lines)}" if lines else how

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def close(self) -> None:
        """Let it finish, then make sure."""
        if self.alive and not self.busy:
            with contextlib.suppress(IndgenError):
                self.ask("close", timeout=5.0)
        self.kill()

    def kill(self) -> None:
        """End the process now."""
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
        self.connection.close()


def _spawn(python: Path, channel: int, factory: str, log: Path) -> subprocess.Popen[bytes]:
    script = Path(__file__).with_name("__main__.py")
    # Isolated from the runner's environment: only the world's own packages, one thread per worker.
    inherited = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    environment = inherited | dict.fromkeys(_ONE_THREAD, "1")
    log.parent.mkdir(parents=True, exist_ok=True)
    try:
        return _popen(python, script, channel, factory, log, environment)
    except OSError as cause:
        raise WorldMissing(
            "cannot start the world's interpreter",
            got=f"{python}: {cause.strerror}",
            hint="`indgen world list` shows it; `indgen world install NAME` makes a new one",
        ) from cause


def _popen(
    python: Path, script: Path, channel: int, factory: str, log: Path, environment: dict[str, str]
) -> subprocess.Popen[bytes]:
    with log.open("ab") as output:
        return subprocess.Popen(
            [str(python), str(script), str(channel), factory],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            env=environment,
            # MuJoCo writes a log into the folder it runs in.
            cwd=log.parent,
            pass_fds=[channel],
            # Ctrl-C goes to the runner alone, which then closes its workers.
            start_new_session=True,
        )

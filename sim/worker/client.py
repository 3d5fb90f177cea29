"""The runner's side of a worker: start it, call it, notice when it dies."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import zmq

from ...core.errors import DeadlineError, IndgenError, WorkerError
from ...core.wire import pack, unpack
from ...core.world import View, WorkerSpec
from .protocol import PROTOCOL, Failed, Reply, error_from_dict, last_lines, source_digest

START_S = 180.0
"""Seconds a worker may take to start and import its simulator."""
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class Worker:
    """One worker process with at most one call in flight; starts at once, is usable after :meth:`open`.

    Args:
        spec: what to run.
        python: the interpreter to run it with.
        log: file that takes what the process prints.
        context: the zmq context of this process.
    """

    def __init__(self, spec: WorkerSpec, python: Path, log: Path, context: zmq.Context[Any]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="indgen-")
        self._log = log
        address = f"ipc://{self._folder.name}/worker"
        self.socket: zmq.Socket[bytes] = context.socket(zmq.PAIR)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.bind(address)
        self._process = _spawn(python, address, spec.factory, log)
        self._due: float | None = None
        self._call = ""
        self._unsent: bytes | None = None

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
        while (answer := self.poll(wait_ms=100)) is None:
            pass
        if isinstance(answer, Failed):
            raise answer.error
        return answer.value

    def send(self, call: str, *args: Any, timeout: float) -> None:
        """Call without waiting; :meth:`poll` brings the answer. A dead worker answers there."""
        self._call, self._due = call, time.monotonic() + timeout
        self._unsent = pack({"call": call, "args": list(args)})
        self._flush()

    def _flush(self) -> None:
        """Send what waits to be sent; nothing can be before the process has connected."""
        if self._unsent is not None:
            with contextlib.suppress(zmq.Again):
                self.socket.send(self._unsent, zmq.NOBLOCK)
                self._unsent = None

    @property
    def busy(self) -> bool:
        """Whether a call is in flight."""
        return self._due is not None

    def poll(self, wait_ms: int = 0) -> Reply | Failed | None:
        """The answer to the call in flight, or None if it is still due."""
        if self._due is None:
            return None
        self._flush()
        if not self.socket.poll(wait_ms):
            return self._why_silent()
        self._due = None
        try:
            answer = unpack(self.socket.recv())
        except IndgenError as error:
            return Failed(error)
        return Failed(error_from_dict(answer["error"])) if "error" in answer else Reply(answer["value"])

    def _why_silent(self) -> Failed | None:
        status = self._process.poll()
        if status is not None and not self.socket.poll(0):
            self._due = None
            return Failed(WorkerError(f"worker died in {self._call}", got=_obituary(status, last_lines(self._log))))
        if self._due is not None and time.monotonic() > self._due:
            self._due = None
            self.kill()
            return Failed(
                DeadlineError(f"simulator did not answer {self._call} in time", hint="its worker was replaced")
            )
        return None

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
        self.socket.close()
        self._folder.cleanup()


def _spawn(python: Path, address: str, factory: str, log: Path) -> subprocess.Popen[bytes]:
    script = Path(__file__).with_name("__main__.py")
    # Isolated from the runner's environment: only the world's own packages, one thread per worker.
    inherited = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    environment = inherited | dict.fromkeys(_ONE_THREAD, "1")
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        return subprocess.Popen(
            [str(python), str(script), address, factory],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            env=environment,
            # Ctrl-C goes to the runner alone, which then closes its workers.
            start_new_session=True,
        )


def _obituary(status: int, lines: Sequence[str]) -> str:
    how = f"signal {-status}" if status < 0 else f"exit code {status}"
    return f"{how}; last lines: {' | '.join(lines)}" if lines else how

"""Workers die, hang and lie; the runner notices and says so. Real processes, no simulator."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from indgen.core import View, WorkerSpec
from indgen.core.errors import DeadlineError, SimulatorError, WorkerError
from indgen.sim.worker import Failed, Worker

HERE = Path(__file__).parent
VIEW = View(max_steps=1, success="any")


def start(tmp_path: Path, factory: str = "types:SimpleNamespace") -> Worker:
    return Worker(WorkerSpec("none", factory), Path(sys.executable), tmp_path / "log")


def test_a_worker_answers_and_ends(tmp_path: Path) -> None:
    worker = start(tmp_path)
    assert worker.ask("hello", timeout=30)["pid"] == worker.pid
    worker.close()
    assert not worker.alive


def test_a_call_that_raises_keeps_the_worker(tmp_path: Path) -> None:
    worker = start(tmp_path, "no_such_module:Env")
    with pytest.raises(SimulatorError, match="ModuleNotFoundError: No module named 'no_such_module'"):
        worker.ask("open", VIEW.to_dict(), timeout=30)
    with pytest.raises(WorkerError, match="unknown call; got dance"):
        worker.ask("dance", timeout=30)
    with pytest.raises(WorkerError, match="no environment is open"):
        worker.ask("ground", "task", 0, 0, timeout=30)
    assert worker.ask("hello", timeout=30)["pid"] == worker.pid
    worker.close()


def test_a_dead_worker_is_reported_with_its_last_words(tmp_path: Path) -> None:
    worker = start(tmp_path)
    worker.ask("hello", timeout=30)
    (tmp_path / "log").write_text("loading meshes\nGLEW initialization error: missing EGL\n")
    os.kill(worker.pid, signal.SIGKILL)
    worker.send("hello", timeout=30)
    answer = None
    while answer is None:
        answer = worker.poll(0.05)
    assert isinstance(answer, Failed)
    assert isinstance(answer.error, WorkerError)
    assert "signal 9" in str(answer.error)
    assert "GLEW initialization error: missing EGL" in str(answer.error)
    worker.kill()


def test_a_hung_worker_is_killed_at_its_deadline(tmp_path: Path) -> None:
    worker = start(tmp_path)
    worker.ask("hello", timeout=30)
    os.kill(worker.pid, signal.SIGSTOP)
    with pytest.raises(DeadlineError, match="did not answer hello in time"):
        worker.ask("hello", timeout=0.5)
    assert not worker.alive


def test_a_worker_of_another_build_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = start(tmp_path)
    monkeypatch.setattr("indgen.sim.worker.client.source_digest", lambda: "0" * 64)
    with pytest.raises(WorkerError, match="another build"):
        worker.open(VIEW)
    assert not worker.alive


def test_a_worker_ends_with_its_runner(tmp_path: Path) -> None:
    """However the runner dies: its end of the pipe closes."""
    runner = subprocess.Popen(
        [sys.executable, str(HERE / "orphan.py"), str(tmp_path / "log")], stdout=subprocess.PIPE, text=True
    )
    assert runner.stdout is not None
    worker = int(runner.stdout.readline())
    os.kill(runner.pid, signal.SIGKILL)
    runner.wait()
    runner.stdout.close()
    deadline = time.monotonic() + 20
    while Path(f"/proc/{worker}").exists() and not _zombie(worker):
        assert time.monotonic() < deadline, "the worker outlived its runner"
        time.sleep(0.05)


def _zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True

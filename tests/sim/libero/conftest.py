"""LIBERO workers for tests, one process each, shared where a test does not need its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from indgen.core import ActionChunk, Observation, Scene, Transition, View
from indgen.sim.libero.tasks import TASKS
from indgen.sim.libero.world import LiberoObject
from indgen.sim.worker import Worker
from indgen.sim.worker.protocol import chunk_to_dict, observation_from_dict, transition_from_dict

STATE_ONLY = View(max_steps=280, success="published", privileged=True)
FULL = {task.short: task.name for task in TASKS}


class Remote:
    """A LIBERO environment in a worker process, with plain calls."""

    def __init__(self, python: Path, log: Path, view: View) -> None:
        spec = LiberoObject().open(view)
        self.worker = Worker(spec, python, log)
        self.manifest = self.worker.open(view)

    def ground(self, short: str, rollout: int = 0) -> Scene:
        """Grounded tau_0 of a start."""
        return Scene.from_dict(self.worker.ask("ground", FULL[short], rollout, 0, timeout=120))

    def reset(self, scene: Scene) -> Observation:
        """Settled start."""
        return observation_from_dict(self.worker.ask("reset", scene.to_dict(), timeout=120))

    def advance(self, actions: np.ndarray) -> Transition:
        """One chunk, all of it."""
        chunk = ActionChunk(actions, "libero/osc-pose-delta", len(actions))
        return transition_from_dict(self.worker.ask("advance", chunk_to_dict(chunk), timeout=120))

    def close(self) -> None:
        """End the process."""
        self.worker.close()


@pytest.fixture(scope="module")
def state_only(libero_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Remote]:
    """A worker that renders nothing."""
    log = tmp_path_factory.mktemp("worker") / "log"
    remote = Remote(libero_python, log, STATE_ONLY)
    yield remote
    remote.close()


@pytest.fixture(scope="session")
def actions() -> np.ndarray:
    """Thirty random actions, (30, 7)."""
    return np.random.default_rng(3).uniform(-1, 1, (30, 7))

"""Places in worker processes: one simulated environment each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from ..core.errors import IndgenError
from ..core.observation import ActionChunk
from ..core.scene import Scene
from ..core.slots import EpisodeKey, Slot
from ..core.world import View, WorkerSpec
from ..sim.installs import interpreter
from ..sim.worker import Failed, Worker
from ..sim.worker.protocol import chunk_to_dict, observation_from_dict, transition_from_dict
from .places import Fault, Grounded, Moved, News, Started

GROUND_S = 300.0
"""Seconds for a compile, a reset and a settle on a loaded machine."""
STEP_S = 10.0
"""Seconds for one control step with rendering on a loaded machine."""


class WorkerPlaces:
    """Worker processes that are replaced when they die.

    Args:
        spec: what the world wants started.
        view: what its observations must carry.
        count: how many.
        logs: folder for what the processes print.

    Raises:
        WorldMissing: if the world's interpreter environment is not installed.
        IndgenError: if the first worker cannot open its environment.
    """

    def __init__(self, spec: WorkerSpec, view: View, count: int, logs: Path) -> None:
        self.capacity = count
        self.compiles = True
        self._spec, self._view, self._logs = spec, view, logs
        self._python = interpreter(spec.install)
        self._reading: list[Callable[[Any], News] | None] = [None] * count
        self._fresh: list[tuple[int, News]] = []
        self._workers: list[Worker] = []
        self.manifest: Mapping[str, Any] = {}
        try:
            # All processes start at once; their imports overlap.
            self._workers.extend(self._spawn(place) for place in range(count))
            for worker in self._workers:
                self.manifest = worker.open(view)
        except BaseException:
            self.close()
            raise

    def _spawn(self, place: int) -> Worker:
        return Worker(self._spec, self._python, self._logs / f"worker-{place}.log")

    def ground(self, place: int, key: EpisodeKey, seed: int) -> None:
        """As :meth:`Places.ground`."""
        self._send(
            place, lambda value: Grounded(Scene.from_dict(value)), GROUND_S, "ground", key.task, key.rollout, seed
        )

    def start(self, slot: Slot, scene: Scene) -> None:
        """As :meth:`Places.start`."""
        self._send(slot.id, lambda value: Started(observation_from_dict(value)), GROUND_S, "reset", scene.to_dict())

    def advance(self, slots: Sequence[Slot], chunks: Sequence[ActionChunk]) -> None:
        """As :meth:`Places.advance`."""
        for slot, chunk in zip(slots, chunks, strict=True):
            limit = STEP_S * (1 + chunk.execute)
            self._send(
                slot.id, lambda value: Moved(transition_from_dict(value)), limit, "advance", chunk_to_dict(chunk)
            )

    def _send(self, place: int, read: Callable[[Any], News], limit: float, call: str, *args: Any) -> None:
        if not self._workers[place].alive:
            try:
                self._replace(place)
            except IndgenError as error:
                self._fresh.append((place, Fault(error)))
                return
        self._reading[place] = read
        self._workers[place].send(call, *args, timeout=limit)

    def _replace(self, place: int) -> None:
        self._workers[place].kill()
        worker = self._workers[place] = self._spawn(place)
        worker.open(self._view)

    def poll(self, wait_s: float) -> list[tuple[int, News]]:
        """As :meth:`Places.poll`."""
        news, self._fresh = self._fresh, []
        busy = [worker.connection for worker in self._workers if worker.busy]
        wait(busy, 0 if news else wait_s)
        for place, worker in enumerate(self._workers):
            answer = worker.poll()
            if answer is None:
                continue
            read, self._reading[place] = self._reading[place], None
            assert read is not None
            news.append((place, Fault(answer.error) if isinstance(answer, Failed) else read(answer.value)))
        return news

    def picture(self, scene: Scene, camera: str, height: int, width: int) -> Any:
        """One settled frame of a scene, uint8 (H, W, 3), from the first worker; waits for it."""
        return self._workers[0].ask("picture", scene.to_dict(), camera, height, width, timeout=GROUND_S)

    def close(self) -> None:
        """As :meth:`Places.close`."""
        for worker in self._workers:
            if worker.busy:
                worker.kill()
        for worker in self._workers:
            worker.close()

"""Instantiate starts where a world's episodes run: in its workers, a thread to a worker, or in this process."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from ...core.errors import UsageError
from ...core.inspection import Inspectable, Inspection
from ...core.scene import Scene
from ...core.seeds import derive_seed
from ...core.world import BatchEnv, View, WorkerSpec, World
from ...sim.installs import interpreter
from ...sim.worker import Worker
from .measure import Geometries, Survey, measure

CALL_S = 300.0
"""Seconds for a compile, a reset and a settle on a loaded machine."""
_TICK_S = 0.25


class Auditors(Protocol):
    """Where starts are instantiated, and what the world says of itself."""

    manifest: Mapping[str, Any]

    def run(self, survey: Survey, tasks: Sequence[str], tick: Callable[[], None]) -> Iterator[tuple[str, Geometries]]:
        """Measure tasks; each comes out as it is done.

        Args:
            survey: what to measure of each.
            tasks: full names.
            tick: called now and then.

        Raises:
            IndgenError: whatever was met; tasks that came out before are not lost.
        """
        ...

    def close(self) -> None:
        """Let everything go."""
        ...


def check_inspectable(world: World) -> None:
    """Refuse a world that does not show what its starts are.

    Raises:
        UsageError: then.
    """
    opened = world.open(_view(world))
    if not isinstance(opened, WorkerSpec | Inspectable):
        raise UsageError(
            f"{world.id} cannot be certified",
            got="a batch environment without inspect()",
            hint="see indgen.core.inspection.Inspectable",
        )


def open_auditors(world: World, seed: int, count: int, logs: Path) -> Auditors:
    """Auditors of a world.

    Args:
        world: whose starts.
        seed: root of the starts' seeds.
        count: how many workers, where it has workers.
        logs: folder for what they print.

    Raises:
        UsageError: as :func:`check_inspectable`.
        WorldMissing: if the world is not installed.
    """
    check_inspectable(world)
    opened = world.open(_view(world))
    if isinstance(opened, WorkerSpec):
        return WorkerAuditors(world, opened, seed, count, logs)
    return BatchAuditor(world, opened, seed)


def _view(world: World) -> View:
    return View(max_steps=1, success=world.successes[0])


class BatchAuditor:
    """One batch environment, task after task.

    Args:
        world: whose starts.
        env: its environment, which is ``Inspectable``.
        seed: root of the starts' seeds.
    """

    def __init__(self, world: World, env: BatchEnv, seed: int) -> None:
        self._world, self._env, self._seed = world.id, env, seed
        self.manifest = env.manifest()

    def run(self, survey: Survey, tasks: Sequence[str], tick: Callable[[], None]) -> Iterator[tuple[str, Geometries]]:
        """As :meth:`Auditors.run`."""
        for task in tasks:
            yield task, measure(survey, task, self)
            tick()

    def ground(self, task: str, start: int) -> Scene:
        """As :meth:`Inspector.ground`."""
        return self._env.ground(task, start, derive_seed(self._seed, self._world, task, start))

    def inspect(self, scene: Scene) -> Inspection:
        """As :meth:`Inspector.inspect`."""
        assert isinstance(self._env, Inspectable)
        return self._env.inspect(scene)

    def close(self) -> None:
        """As :meth:`Auditors.close`."""
        self._env.close()


class WorkerAuditors:
    """Workers, a task to each at a time.

    Args:
        world: whose starts.
        spec: how its workers start.
        seed: root of the starts' seeds.
        count: how many workers.
        logs: folder for what they print.

    Raises:
        WorldMissing: if the world is not installed.
    """

    def __init__(self, world: World, spec: WorkerSpec, seed: int, count: int, logs: Path) -> None:
        self._world, self._spec, self._seed, self._logs, self._count = world, spec, seed, logs, count
        self._python = interpreter(spec.install)
        self._free: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._workers: dict[int, Worker] = {}
        self.manifest: Mapping[str, Any] = {}
        for number in range(count):
            self._start(number)
            self._free.put(number)

    def _start(self, number: int) -> None:
        worker = Worker(self._spec, self._python, self._logs / f"audit-{number}.log")
        self.manifest = worker.open(_view(self._world))
        self._workers[number] = worker

    def run(self, survey: Survey, tasks: Sequence[str], tick: Callable[[], None]) -> Iterator[tuple[str, Geometries]]:
        """As :meth:`Auditors.run`."""
        pool = ThreadPoolExecutor(self._count)
        try:
            waiting = {pool.submit(self._measure, survey, task): task for task in tasks}
            while waiting:
                finished, _ = wait(waiting, timeout=_TICK_S, return_when=FIRST_COMPLETED)
                tick()
                for future in finished:
                    yield waiting.pop(future), future.result()
        finally:
            # Whoever still waits for a worker is let go by its end.
            pool.shutdown(wait=False, cancel_futures=True)
            self.close()
            pool.shutdown(wait=True)

    def _measure(self, survey: Survey, task: str) -> Geometries:
        with self._worker() as worker:
            return measure(survey, task, _WorkerInspector(worker, self._world.id, self._seed))

    @contextmanager
    def _worker(self) -> Iterator[Worker]:
        number = self._free.get()
        try:
            yield self._workers[number]
        finally:
            self._free.put(number)

    def close(self) -> None:
        """End the workers."""
        for worker in self._workers.values():
            worker.kill()


class _WorkerInspector:
    def __init__(self, worker: Worker, world: str, seed: int) -> None:
        self._worker, self._world, self._seed = worker, world, seed

    def ground(self, task: str, start: int) -> Scene:
        seed = derive_seed(self._seed, self._world, task, start)
        return Scene.from_dict(self._worker.ask("ground", task, start, seed, timeout=CALL_S))

    def inspect(self, scene: Scene) -> Inspection:
        return Inspection.from_dict(self._worker.ask("inspect", scene.to_dict(), timeout=CALL_S))

"""Instantiate starts in the world's own workers: one thread to a worker, task after task."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...axes import Axis
from ...axes.certificates import Geometry
from ...core.errors import SceneError, UsageError
from ...core.inspection import Inspection
from ...core.scene import Scene
from ...core.seeds import derive_seed
from ...core.world import View, WorkerSpec, World
from ...sim.installs import interpreter
from ...sim.worker import Worker
from ..scenes import at_level
from .geometry import Pair, judge

CALL_S = 300.0
"""Seconds for a compile, a reset and a settle on a loaded machine."""
Geometries = dict[int, Geometry]
"""Level to verdict."""
OnStart = Callable[[int, bool], None]
"""Told the level, and whether the start is sound."""
_TICK_S = 0.25


def worker_spec(world: World) -> WorkerSpec:
    """How the world's workers start.

    Raises:
        UsageError: for a world whose episodes run in this process: there is no model to look into.
    """
    spec = world.open(View(max_steps=1, success=world.successes[0]))
    if not isinstance(spec, WorkerSpec):
        raise UsageError(f"{world.id} cannot be certified", got="a world without simulator workers")
    return spec


class Auditors:
    """Workers that instantiate starts.

    Args:
        world: whose starts.
        count: how many workers.
        logs: folder for what they print.

    Raises:
        UsageError: as :func:`worker_spec`.
        WorldMissing: if the world is not installed.
    """

    def __init__(self, world: World, count: int, logs: Path) -> None:
        self._world, self._logs, self._count = world, logs, count
        self._spec = worker_spec(world)
        self._python = interpreter(self._spec.install)
        self._free: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._workers: dict[int, Worker] = {}
        self.manifest: dict[str, Any] = {}
        for number in range(count):
            self._start(number)
            self._free.put(number)

    def _start(self, number: int) -> None:
        worker = Worker(self._spec, self._python, self._logs / f"audit-{number}.log")
        self.manifest = worker.open(View(max_steps=1, success=self._world.successes[0]))
        self._workers[number] = worker

    def run(
        self,
        axis: Axis,
        tasks: Sequence[str],
        levels: Sequence[int],
        starts: Sequence[int],
        seed: int,
        on_start: OnStart,
        tick: Callable[[], None],
    ) -> Iterator[tuple[str, Geometries]]:
        """Audit tasks side by side; each comes out as it is done.

        Args:
            axis: the axis.
            tasks: full names.
            levels: which levels.
            starts: rollout numbers.
            seed: root of the starts' seeds.
            on_start: told of every start that was instantiated, from any thread.
            tick: called now and then.

        Raises:
            IndgenError: whatever a worker met; tasks that came out before are not lost.
        """
        pool = ThreadPoolExecutor(self._count)
        try:
            waiting = {pool.submit(self._task, axis, task, levels, starts, seed, on_start): task for task in tasks}
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

    def _task(
        self,
        axis: Axis,
        task: str,
        levels: Sequence[int],
        starts: Sequence[int],
        seed: int,
        on_start: OnStart,
    ) -> Geometries:
        with self._worker() as worker:
            scenes = {start: _ground(worker, self._world.id, task, start, seed) for start in starts}
            bases = {start: _inspect(worker, scene) for start, scene in scenes.items()}
            found: Geometries = {}
            for level in sorted(levels, key=lambda k: (abs(k), k)):
                pairs = []
                for start, scene in scenes.items():
                    pairs.append(_pair(worker, axis, scene, start, level, bases[start]))
                    on_start(level, pairs[-1].found.problem is None)
                inner = found.get(level - 1 if level > 0 else level + 1)
                found[level] = judge(pairs, inner.distance if inner else None, level)
            return found

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


def _ground(worker: Worker, world: str, task: str, start: int, seed: int) -> Scene:
    return Scene.from_dict(worker.ask("ground", task, start, derive_seed(seed, world, task, start), timeout=CALL_S))


def _pair(worker: Worker, axis: Axis, scene: Scene, start: int, level: int, base: Inspection) -> Pair:
    """A start that the axis cannot make is a broken one, in the axis' own words."""
    try:
        moved = at_level(axis, scene, level)
    except SceneError as problem:
        return Pair(start, scene, base, replace(base, problem=str(problem)))
    return Pair(start, moved, base, _inspect(worker, moved))


def _inspect(worker: Worker, scene: Scene) -> Inspection:
    return Inspection.from_dict(worker.ask("inspect", scene.to_dict(), timeout=CALL_S))

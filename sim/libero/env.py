"""LIBERO's environment: grounds rollouts, resets to scenes, executes chunks. Runs in a worker process."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import redirect_stdout
from functools import lru_cache
from io import StringIO
from typing import Any

import numpy as np

from ...core.errors import InvalidStart, SimulatorError
from ...core.inspection import Inspection
from ...core.observation import ActionChunk, Frame, Observation, Transition
from ...core.scene import Scene
from ...core.world import Picture, View
from ..gl import choose_backend
from .acting import Acts
from .boot import boot
from .inspecting import compiled_parts, masses, meaning, positions, reach_left, share_seen
from .layout import ACTION, CAMERAS, LAYOUT
from .manifest import versions
from .placing import places
from .reserve import draw_reserve
from .scene import WORLD, LiberoFacts, check_edits, revealed, scales
from .simulation import SETTLE_STEPS, Simulation
from .success import Judge
from .tasks import STARTS, SUITE, SUITE_OF, TASKS
from .truth import Truth, footprints
from .validity import check_displacement, check_graspable, check_penetration

_FIXED_CAMERAS = {"agentview": CAMERAS["agentview"]}
"""Cameras that do not move with the hand."""
_INSTRUCTIONS = {task.name: task.instruction for task in TASKS}


class LiberoEnv:
    """One LIBERO environment; keeps one compiled task and recompiles when another is asked for.

    Args:
        view: what its observations must carry.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._backend = choose_backend() if view.renders else None
        boot(self._backend)
        self._sim: Simulation | None = None
        self._scene: Scene | None = None
        self._truth: Truth | None = None
        self._parts: dict[str, str] = {}
        self._recent: list[Frame] = []
        self._step = 0

    def ground(self, task: str, rollout: int, seed: int) -> Scene:
        """Take a published init state and measure where everything comes to rest at tau_0."""
        start = rollout % STARTS
        sim = self._simulation(task, {}, ())
        state = _init_states(task)[start]
        fixtures = sim.sample_fixtures(start)
        sim.start(state, {}, fixtures)
        sim.settle(look=False)
        facts: dict[str, Any] = {"start": start, "pick": sim.pick, "goal": sim.goal, "region": sim.region}
        facts |= {"rest": sim.poses(), **({"fixtures": fixtures} if fixtures else {})}
        if SUITE_OF[task] == SUITE and sim.pick and sim.goal:
            facts["reserve"] = draw_reserve(task, seed, footprints(sim), sim.pick, sim.goal)
        return Scene(WORLD, task, _INSTRUCTIONS[task], tuple(state), seed, facts)

    def reset(self, scene: Scene) -> Observation:
        """Edits first, then one settle, the same at k = 0."""
        sim, put = self._place(scene)
        check_graspable(sim, scene)
        check_penetration(sim, scene)
        observables = sim.settle(look=bool(self._view.images))
        check_displacement(sim, scene, put)
        self._judge, self._acts = Judge(sim, self._view.success), Acts(sim)
        self._step, self._recent = 0, []
        return self._observation(observables)

    def _place(self, scene: Scene) -> tuple[Simulation, Mapping[str, np.ndarray]]:
        """The scene before its settle, and where its edited bodies were put."""
        check_edits(scene)
        shown = {each["kind"]: each["pose"] for each in revealed(scene)}
        sim = self._simulation(scene.task, scales(scene.edits), tuple(shown))
        sim.stand(shown)
        put = places(sim, scene)
        sim.start(scene.init_state, put, LiberoFacts.of(scene).fixtures)
        self._scene = scene
        return sim, put

    def advance(self, chunk: ActionChunk) -> Transition:
        """Execute a chunk; stops at success or at the step limit."""
        if self._scene is None or self._sim is None:
            raise SimulatorError("advance before reset")
        actions = chunk.check(ACTION).actions
        actions = actions[: self._view.max_steps - self._step]
        frames: list[np.ndarray] = []
        observables: Mapping[str, np.ndarray] = {}
        for number, action in enumerate(actions, start=1):
            self._step += 1
            look = self._wants(number, len(actions))
            film = bool(self._view.video_every) and self._step % self._view.video_every == 0
            observables = self._sim.step(action, bool(look and self._view.images) or film)
            if film:
                frames.append(self._sim.gate.images(observables)["agentview"])
            self._acts.step(action)
            success = self._judge.step()
            if success or self._step == self._view.max_steps:
                return Transition(None, self._step, success, True, self._judge.stage, frames, self._acts.result())
            if look and number < len(actions):
                self._recent.append(self._frame(observables))
        return Transition(self._observation(observables), self._step, False, False, self._judge.stage, frames)

    def _wants(self, number: int, count: int) -> bool:
        """Whether a look falls on this step: the chunk's end, or an offset before it that the spec asks for."""
        return number == count or any((number + offset) % count == 0 for offset in self._view.history)

    def _observation(self, observables: Mapping[str, np.ndarray]) -> Observation:
        assert self._scene is not None
        frame = self._frame(observables)
        history = tuple(self._nearest(self._step - offset, frame) for offset in reversed(self._view.history))
        if self._view.history:
            oldest = self._step - 2 * self._view.history[-1]
            self._recent = [old for old in self._recent if old.step >= oldest] + [frame]
        truth = self._truth.read() if self._truth else None
        return Observation(frame.images, frame.state, self._scene.instruction, self._step, history, truth)

    def _nearest(self, step: int, now: Frame) -> Frame:
        """The last kept frame not newer than ``step``; the oldest one where the episode is younger than that."""
        older = [frame for frame in self._recent if frame.step <= step]
        return older[-1] if older else next(iter(self._recent), now)

    def _frame(self, observables: Mapping[str, np.ndarray]) -> Frame:
        assert self._sim is not None
        state = {name: np.array(observables[f"robot0_{name}"], dtype=np.float64) for name in LAYOUT.state}
        for name, value in state.items():
            if not np.isfinite(value).all():
                raise SimulatorError("robosuite returned a state that is not finite", got=f"{name} = {value}")
        images = self._sim.gate.images(observables) if self._view.images else {}
        return Frame({role: images[role] for role in self._view.images}, state, self._step)

    def picture(self, scene: Scene, camera: str, height: int, width: int) -> Picture:
        """One upright frame of the settled scene."""
        if not self._view.renders:
            raise SimulatorError("this environment was opened without rendering")
        sim, _ = self._place(scene)
        sim.settle(look=False)
        frame = sim.env.sim.render(camera_name=CAMERAS[camera], width=width, height=height)
        return np.ascontiguousarray(frame[::-1])

    def inspect(self, scene: Scene) -> Inspection:
        """What the start is, sound or not."""
        sim, put = self._place(scene)
        self._parts = self._parts or compiled_parts(sim)
        state = positions(sim)
        shares = {role: share_seen(sim, camera) for role, camera in _FIXED_CAMERAS.items()}
        reach, seen = reach_left(sim), {role: share for role, share in shares.items() if share is not None}
        problem = self._problem(sim, scene, put)
        return Inspection(problem, self._parts, state, masses(sim), meaning(sim, scene.instruction), reach, seen)

    def _problem(self, sim: Simulation, scene: Scene, put: Mapping[str, np.ndarray]) -> str | None:
        try:
            check_graspable(sim, scene)
            check_penetration(sim, scene)
            sim.settle(look=False)
            check_displacement(sim, scene, put)
        except InvalidStart as problem:
            return str(problem)
        return None

    def manifest(self) -> Mapping[str, Any]:
        """Versions, assets, backend and protocol."""
        return {**versions(), "gl": self._backend, "settle_steps": SETTLE_STEPS}

    def close(self) -> None:
        """Free the compiled task."""
        if self._sim is not None:
            self._sim.close()
        self._sim = self._scene = self._truth = None

    def _simulation(self, task: str, sizes: Mapping[str, float], extras: tuple[str, ...]) -> Simulation:
        asked = (task, dict(sizes), extras)
        if self._sim is None or (self._sim.task, self._sim.sizes, self._sim.extras) != asked:
            self.close()
            self._sim = Simulation(task, self._view, sizes, extras)
            self._parts = {}
            self._truth = Truth(self._sim) if self._view.privileged else None
        return self._sim


@lru_cache(maxsize=4)
def _init_states(task: str) -> np.ndarray:
    """The published init states, (50, n), as the installed LIBERO distribution itself loads them."""
    from libero.libero import benchmark

    with redirect_stdout(StringIO()):
        suite = benchmark.get_benchmark_dict()[SUITE_OF[task]]()
    states = suite.get_task_init_states(suite.get_task_names().index(task))
    return np.asarray(states, dtype=np.float64)

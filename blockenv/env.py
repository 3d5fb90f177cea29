"""BlockEnv for the runner: thousands of episodes in its process, each in the place its slot names."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import IndgenError, SceneError
from ..core.inspection import Inspection
from ..core.observation import ActionChunk, Frame, Observation, Transition
from ..core.scene import Scene
from ..core.slots import Slot
from ..core.world import View
from .drawing import film, picture
from .episodes import Episodes
from .inspecting import inspect
from .layout import action_layout
from .rules import GOAL, legality
from .scene import INSTRUCTION, TASK, draw_of, grid_of, ground, level_of

_RULES = ("rules.py", "episodes.py", "scene.py")


class BlockBatch:
    """Many episodes, stepped together.

    Args:
        world: id of the world whose scenes it takes.
        grid: side G of the grid.
        view: what observations carry, and after how many grasps an episode is over at the latest.
    """

    def __init__(self, world: str, grid: int, view: View) -> None:
        self._world, self._grid, self._view = world, grid, view
        self._layout = action_layout(grid)
        self._episodes = _room(0, grid)
        self._frames: dict[int, list[Frame]] = {}

    def ground(self, task: str, rollout: int, seed: int) -> Scene:
        """Tau_0 and the draw that places every level."""
        del rollout
        return ground(self._world, self._grid, task, seed)

    def reset(self, slots: Sequence[Slot], scenes: Sequence[Scene]) -> list[Observation | Exception]:
        """Start a scene per slot; one that is not this world's has its fault in the place of its observation."""
        answers: list[Observation | Exception | None] = []
        starts: list[tuple[int, tuple[float, float]]] = []
        places = []
        for slot, scene in zip(slots, scenes, strict=True):
            try:
                starts.append(self._start(scene))
                places.append(slot.id)
                answers.append(None)
            except IndgenError as fault:
                answers.append(fault)
        started = iter(self._begin(np.array(places, dtype=np.int64), starts))
        return [next(started) if answer is None else answer for answer in answers]

    def inspect(self, scene: Scene) -> Inspection:
        """What the start is, sound or not."""
        self._start(scene)
        return inspect(scene)

    def _start(self, scene: Scene) -> tuple[int, tuple[float, float]]:
        if (scene.world, scene.task) != (self._world, TASK) or grid_of(scene) != self._grid:
            raise SceneError(
                "a scene of another world",
                got=f"{scene.world}/{scene.task}",
                expected=f"{self._world}/{TASK} of {self._grid} x {self._grid}",
            )
        return level_of(scene), draw_of(scene)

    def _begin(self, places: np.ndarray, starts: Sequence[tuple[int, tuple[float, float]]]) -> list[Observation]:
        if not len(places):
            return []
        levels = np.array([level for level, _ in starts])
        fresh = Episodes.start(levels, self._grid, np.array([draw for _, draw in starts]))
        fresh.limits = np.minimum(fresh.limits, self._view.max_steps)
        if places.max() >= len(self._episodes):
            larger = _room(2 * int(places.max()) + 1, self._grid)
            larger.put(np.arange(len(self._episodes)), self._episodes)
            self._episodes = larger
        self._episodes.put(places, fresh)
        for place in places:
            self._frames[int(place)] = []
        self._remember(places, fresh)
        return [self._observe(int(place), fresh, number) for number, place in enumerate(places)]

    def advance(self, slots: Sequence[Slot], chunks: Sequence[ActionChunk]) -> list[Transition | Exception]:
        """Grasp; a chunk that is none has its fault in the place of its transition."""
        answers: list[Transition | Exception | None] = []
        moves, places = [], []
        for slot, chunk in zip(slots, chunks, strict=True):
            try:
                moves.append(chunk.check(self._layout).actions)
                places.append(slot.id)
                answers.append(None)
            except IndgenError as fault:
                answers.append(fault)
        moved = iter(self._play(np.array(places, dtype=np.int64), moves))
        return [next(moved) if answer is None else answer for answer in answers]

    def _play(self, places: np.ndarray, moves: Sequence[np.ndarray]) -> list[Transition]:
        lengths = np.array([len(actions) for actions in moves], dtype=np.int64)
        films: dict[int, list[np.ndarray]] = {int(place): [] for place in places}
        for number in range(int(lengths.max(initial=0))):
            acting = np.flatnonzero(lengths > number)
            grasps = np.stack([moves[index][number] for index in acting.tolist()])
            self._grasp(places[acting], grasps, films)
        played = self._episodes.take(places)
        return [self._transition(int(place), played, number, films) for number, place in enumerate(places)]

    def _grasp(self, places: np.ndarray, grasps: np.ndarray, films: Mapping[int, list[np.ndarray]]) -> None:
        """One grasp in each place; episodes that are over stay as they are."""
        live = ~self._episodes.done[places]
        places, grasps = places[live], grasps[live]
        playing = self._episodes.take(places)
        before = playing.grids.copy() if self._view.video_every else playing.grids
        removed = playing.step(grasps)
        self._episodes.put(places, playing)
        self._remember(places, playing)
        if self._view.video_every:
            for number, place in enumerate(places):
                shown = [int(value) for value in grasps[number]]
                films[int(place)].extend(film(before[number], playing.grids[number], shown, bool(removed[number])))

    def _transition(
        self, place: int, played: Episodes, number: int, films: Mapping[int, list[np.ndarray]]
    ) -> Transition:
        done = bool(played.done[number])
        return Transition(
            observation=None if done else self._observe(place, played, number),
            step=int(played.steps[number]),
            success=bool(played.success[number]),
            done=done,
            stage=_stage(played, number) if done else None,
            frames=films[place],
        )

    def _observe(self, place: int, episodes: Episodes, number: int) -> Observation:
        frame = self._frame(episodes, number)
        past = self._frames[place]
        history = tuple(past[max(0, frame.step - offset)] for offset in reversed(self._view.history))
        return Observation(frame.images, frame.state, INSTRUCTION, frame.step, history)

    def _remember(self, places: np.ndarray, episodes: Episodes) -> None:
        """Every step's frame, its number being its place in the list; an episode has a few dozen at most."""
        if self._view.history:
            for number, place in enumerate(places):
                self._frames[int(place)].append(self._frame(episodes, number))

    def _frame(self, episodes: Episodes, number: int) -> Frame:
        grid = episodes.grids[number]
        images = {role: picture(grid, *size) for role, size in self._view.images.items()}
        state = {"grid": grid.reshape(-1).copy(), "level": episodes.levels[number : number + 1].copy()}
        return Frame(images, state, int(episodes.steps[number]))

    def manifest(self) -> Mapping[str, Any]:
        """The rules in words, and a digest of the modules that are them."""
        here = Path(__file__).parent
        return {
            "grid": self._grid,
            "step_limit": "2 * level + 1 grasps, or the plan's max_steps where that is fewer",
            "illegal_grasp": "changes nothing and costs its step",
            "outside_the_grid": "free",
            "rules": hashlib.sha256(b"\0".join((here / name).read_bytes() for name in _RULES)).hexdigest(),
        }

    def close(self) -> None:
        """Nothing to free."""


def _room(count: int, grid: int) -> Episodes:
    """Places for episodes, none of them begun."""
    return Episodes.start(np.zeros(count, dtype=np.int64), grid, np.zeros((count, 2)))


def _stage(episodes: Episodes, number: int) -> str:
    if episodes.success[number]:
        return "goal removed"
    grid = episodes.grids[number]
    return "goal free" if legality(grid[None])[0][grid == GOAL].any() else "goal blocked"

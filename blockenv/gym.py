"""BlockEnv as a Gymnasium environment; importing this registers ``indgen/BlockEnv-v0``."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from ..core.errors import PolicyError, UsageError
from .drawing import picture, text
from .episodes import Episodes
from .layout import GRID
from .rules import check_level

ID = "indgen/BlockEnv-v0"


class BlockEnv(gymnasium.Env):
    """One BlockEnv episode at a time.

    Observations are the grid, (G * G,) int8, row by row; actions are (row, column, theta). The reward is 1 for the
    grasp that removes the goal, which terminates the episode, and 0 for any other. After ``2 * level + 1`` grasps it
    is truncated.

    Args:
        level: blocks in each chain.
        grid: side G.
        render_mode: ``ansi`` for text, ``rgb_array`` for a picture.

    Raises:
        UsageError: if the level does not fit, naming the smallest grid that does.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(self, level: int = 0, grid: int = GRID, render_mode: str | None = None) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise UsageError("no such render mode", got=repr(render_mode), exists=self.metadata["render_modes"])
        self.level, self.grid, self.render_mode = _whole("level", level), _whole("grid", grid), render_mode
        check_level(self.level, self.grid)
        self.observation_space = gymnasium.spaces.Box(0, 2, (self.grid**2,), np.int8)
        self.action_space = gymnasium.spaces.MultiDiscrete([self.grid, self.grid, 2])
        self._episode = self._start(np.zeros((1, 2)))
        self._grasp: tuple[int, int, int] | None = None
        self._legal = True

    def _start(self, draws: np.ndarray) -> Episodes:
        return Episodes.start(np.array([self.level]), self.grid, draws)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """A new placement, drawn from ``seed`` or from where the last draw left off."""
        super().reset(seed=seed, options=options)
        self._episode = self._start(self.np_random.random((1, 2)))
        self._grasp, self._legal = None, True
        return self._observe(), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Try a grasp; an illegal one changes nothing and costs its step.

        Raises:
            PolicyError: for an action that is no grasp.
        """
        try:
            grasp = np.asarray(action)[None]
        except ValueError as cause:
            raise PolicyError(
                "grasps are not (row, column, theta)", got=repr(action), expected="three numbers"
            ) from cause
        self._legal = bool(self._episode.step(grasp)[0])
        row, column, theta = (int(value) for value in grasp[0])
        self._grasp = (row, column, theta)
        success = bool(self._episode.success[0])
        truncated = bool(self._episode.done[0]) and not success
        return self._observe(), float(success), success, truncated, self._info()

    def render(self) -> Any:
        """Text or a picture of the grid as it stands, with the last grasp's gripper."""
        grid = self._episode.grids[0]
        if self.render_mode == "ansi":
            return text(grid, self._grasp)
        if self.render_mode == "rgb_array":
            return picture(grid, grasp=self._grasp, legal=self._legal)
        return None

    def _observe(self) -> np.ndarray:
        return self._episode.grids[0].reshape(-1).copy()

    def _info(self) -> dict[str, Any]:
        illegal, steps = int(self._episode.illegal[0]), int(self._episode.steps[0])
        return {"level": self.level, "steps": steps, "illegal": illegal, "legal": self._legal}


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise UsageError(f"BlockEnv's {name} is a whole number", got=repr(value), expected="e.g. 3")
    return int(value)


gymnasium.register(ID, entry_point=f"{__name__}:{BlockEnv.__name__}")

"""What passes between a policy and a world: observations, action chunks, transitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from .errors import PolicyError
from .layouts import ActionLayout


@dataclass(frozen=True)
class Frame:
    """Images and state at one earlier control step (see ``Observation.history``)."""

    images: Mapping[str, np.ndarray]
    state: Mapping[str, np.ndarray]
    step: int


@dataclass(frozen=True)
class Observation:
    """What a policy may look at.

    Attributes:
        images: camera role to uint8 (H, W, 3) RGB, upright as a person sees the scene.
        state: names, units and frames as the world's layout says.
        instruction: the task in words.
        step: control steps executed so far.
        history: earlier frames at the control-step offsets the policy's spec asks for, oldest first.
        privileged: simulator truth, only where the spec declares it.
    """

    images: Mapping[str, np.ndarray]
    state: Mapping[str, np.ndarray]
    instruction: str
    step: int
    history: tuple[Frame, ...] = ()
    privileged: Mapping[str, np.ndarray] | None = None


@dataclass(frozen=True)
class ActionChunk:
    """Actions to execute before looking again.

    Attributes:
        actions: (n, d) in the named layout.
        layout: the layout's name.
        execute: how many of the n to execute, 1 <= execute <= n.
    """

    actions: np.ndarray
    layout: str
    execute: int

    def check(self, layout: ActionLayout) -> ActionChunk:
        """This chunk, validated against the world's action layout.

        Raises:
            PolicyError: wrong layout, shape, dtype or range, NaN, or a horizon shorter than ``execute``.
        """
        if self.layout != layout.name:
            raise PolicyError("action chunk in another layout", got=self.layout, expected=layout.name)
        actions = layout.check(self.actions)
        if isinstance(self.execute, bool) or not isinstance(self.execute, int | np.integer):
            raise PolicyError("action chunk's execute is no whole number", got=repr(self.execute), expected="an int")
        if not 1 <= self.execute <= len(actions):
            raise PolicyError(
                "action chunk executes what it does not hold",
                got=f"execute={self.execute} of {len(actions)} actions",
                expected=f"1 to {len(actions)}",
            )
        # A copy: what is kept of a chunk must not keep all of it.
        return ActionChunk(actions[: self.execute].copy(), self.layout, int(self.execute))


@dataclass(frozen=True)
class Act:
    """Where the hand acted on something, and where that was.

    Attributes:
        hand: position of the hand when it acted, metres, world frame.
        target: where its target stood at the episode's start, likewise.
        how: what counts as acting: ``command``, the gripper was told to; ``end``, it still held when the episode
            ended; ``approach``, it never did either, and this is the closest approach.
    """

    hand: tuple[float, float, float]
    target: tuple[float, float, float]
    how: str


ACT_KINDS = ("command", "end", "approach")
"""What :attr:`Act.how` may say."""


@dataclass(frozen=True)
class Transition:
    """What became of an executed chunk.

    Attributes:
        observation: the look at its end; None once the episode is over.
        step: control steps executed since the episode's start.
        success: whether the world's success predicate holds (and the episode is over).
        done: whether the episode is over for any reason of the world's own.
        stage: how far the task has come, in the world's words; None where it knows none.
        frames: video frames recorded on the way, uint8 (H, W, 3).
        acts: by role (``pick``, ``goal``), where the hand acted, once the episode is over; empty where the world
            does not tell.
    """

    observation: Observation | None
    step: int
    success: bool
    done: bool
    stage: str | None = None
    frames: Sequence[np.ndarray] = field(default_factory=tuple)
    acts: Mapping[str, Act] = field(default_factory=dict)

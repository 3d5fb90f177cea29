"""The contract of a policy: what it needs to see, what it returns, where its numbers come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np

from ..core.observation import ActionChunk, Observation
from ..core.scene import Scene
from ..core.slots import Slot


@dataclass(frozen=True)
class Support:
    """Demonstrations a policy asks for before it is evaluated (``adapt``).

    Attributes:
        demonstrator: registered policy that demonstrates, e.g. ``expert``.
        levels: at which levels of the axis it demonstrates.
        per_start: True for one demonstration of every start that is evaluated (only a memoriser may ask for
            that; the report says so); False for starts that are not evaluated.
        count: how many of those, per task and level, if not ``per_start``.
    """

    demonstrator: str = "expert"
    levels: tuple[int, ...] = (0,)
    per_start: bool = True
    count: int = 10


@dataclass(frozen=True)
class Demonstration:
    """One recorded episode of a demonstrator.

    Attributes:
        scene: the start it was recorded from.
        level: the level of the axis.
        rollout: which rollout of its task.
        actions: (steps, d) in ``layout``.
        layout: name of the action layout.
        success: whether the demonstrator succeeded.
    """

    scene: Scene
    level: int
    rollout: int
    actions: np.ndarray
    layout: str
    success: bool


@dataclass(frozen=True)
class PolicySpec:
    """What a policy needs and returns; compared with the world's layout before any rollout.

    Attributes:
        action: name of the action layout it returns.
        chunk: actions in one chunk.
        execute: how many of them it wants executed before the next look (the replan horizon).
        images: camera role to (height, width) in pixels.
        state: names of state entries it reads.
        privileged: names of simulator truth it reads; any at all is stamped in the report.
        history: control-step offsets of earlier frames it reads, positive and ascending.
        batchable: whether ``act`` gains from several observations at once.
        stochastic: whether it draws noise from the slot's seed.
        support: demonstrations it asks for before it is evaluated.
    """

    action: str
    chunk: int = 1
    execute: int = 1
    images: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    state: tuple[str, ...] = ()
    privileged: tuple[str, ...] = ()
    history: tuple[int, ...] = ()
    batchable: bool = True
    stochastic: bool = False
    support: Support | None = None


@dataclass(frozen=True)
class PolicyCard:
    """Where a policy's numbers come from.

    Attributes:
        id: registered id.
        summary: one line for people.
        trained_levels: levels of the axis covered by its training data, e.g. (0,) for tau_0 alone; None where
            unknown (the black-box regime).
        data: what it was trained on.
        checkpoint: checkpoint id, digest or address; None where there is none.
    """

    id: str
    summary: str
    trained_levels: tuple[int, ...] | None = None
    data: str = "none"
    checkpoint: str | None = None


@runtime_checkable
class Policy(Protocol):
    """A policy knows nothing about axes or worlds: only observations and action layouts.

    State is kept per slot, never shared between slots. A class registered under ``indgen.policies`` is
    called with the world's :class:`~indgen.core.layouts.WorldLayout` and returns a policy.
    """

    @property
    def spec(self) -> PolicySpec:
        """What it needs and returns."""
        ...

    @property
    def card(self) -> PolicyCard:
        """Where its numbers come from."""
        ...

    def reset(self, slots: Sequence[Slot]) -> None:
        """Forget these slots' episodes; new ones begin in them."""
        ...

    def act(self, slots: Sequence[Slot], observations: Sequence[Observation], deadline: float) -> Sequence[ActionChunk]:
        """One chunk per slot, in order.

        Args:
            slots: which episodes are looking.
            observations: what each of them sees.
            deadline: ``time.monotonic()`` by which the answer is due; a late one is an ``error``.
        """
        ...


@runtime_checkable
class Adaptive(Protocol):
    """A policy that takes demonstrations before it is evaluated."""

    def adapt(self, demonstrations: Sequence[Demonstration]) -> None:
        """Learn from the support its spec asked for.

        Called again, with all of it, where more starts are topped up. What comes out must be what a single call with
        all of it gives: a sweep that is interrupted and resumed makes only that one.
        """
        ...

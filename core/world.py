"""The contract of worlds and their environments.

A world knows nothing about axes or policies. Its environments live either in a worker process with the
world's own interpreter (MuJoCo) or, thousands of episodes at once, in the runner's process (batch worlds).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np

from .layouts import WorldLayout
from .observation import ActionChunk, Observation, Transition
from .scene import Scene
from .slots import Slot

Picture = np.ndarray
"""uint8 (H, W, 3) RGB, upright."""


@dataclass(frozen=True)
class View:
    """What the environments of a run have to provide; derived from the policy's spec and the plan.

    Attributes:
        images: camera role to (height, width) in pixels; empty for a state-only run.
        privileged: whether observations carry simulator truth.
        history: control-step offsets (positive, ascending) of earlier frames in each observation.
        success: name of the success predicate that ends an episode.
        max_steps: control steps after which an episode is over.
        video_every: record one video frame every so many control steps; 0 for none.
    """

    max_steps: int
    success: str
    images: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    privileged: bool = False
    history: tuple[int, ...] = ()
    video_every: int = 0

    @property
    def renders(self) -> bool:
        """Whether any pixel is needed."""
        return bool(self.images) or self.video_every > 0

    def to_dict(self) -> dict[str, Any]:
        """Plain data for the wire and the plan."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> View:
        """The inverse of :meth:`to_dict`."""
        fields = dict(data)
        fields["images"] = {role: (int(size[0]), int(size[1])) for role, size in fields["images"].items()}
        fields["history"] = tuple(fields["history"])
        return cls(**fields)


@dataclass(frozen=True)
class Task:
    """One task.

    Attributes:
        name: full name, distinct within its world.
        short: the name users type, distinct within its suite.
        instruction: what the policy is told.
        suite: the benchmark's suite it belongs to; empty where the world has no suites.
        max_steps: control steps its published evaluations give; None for the world's.
    """

    name: str
    short: str
    instruction: str
    suite: str = ""
    max_steps: int | None = None


@dataclass(frozen=True)
class WorkerSpec:
    """How to start a world's worker process.

    Attributes:
        install: name of the interpreter environment (``indgen world install NAME``).
        factory: ``module:callable`` in that environment; called with a :class:`View`, returns an :class:`Env`.
    """

    install: str
    factory: str


class World(Protocol):
    """A family of tasks that share scenes, sensors and actions; plain attributes will do for the properties."""

    @property
    def id(self) -> str:
        """Short id, e.g. ``libero``."""
        ...

    @property
    def layout(self) -> WorldLayout:
        """What its environments offer and take."""
        ...

    @property
    def tasks(self) -> Sequence[Task]:
        """In the benchmark's order; where there are suites, the first task's is the default one."""
        ...

    @property
    def successes(self) -> tuple[str, ...]:
        """Names of its success predicates, the published one first."""
        ...

    @property
    def max_steps(self) -> int:
        """Control steps a policy gets by default."""
        ...

    def starts(self, task: str) -> int | None:
        """How many distinct published starts a task has; None where they are sampled without end."""
        ...

    def open(self, view: View) -> WorkerSpec | BatchEnv:
        """How its episodes run: a worker process to start, or a batch environment in this process."""
        ...

    def compile_key(self, scene: Scene) -> str:
        """Scenes of one key share a compiled model; a worker keeps to one key as long as it can."""
        ...


@runtime_checkable
class Demanding(Protocol):
    """A world that cannot give every view of every task."""

    def refuses(self, task: str, view: View) -> str | None:
        """Why ``task`` cannot be run with this view, in a few words; None where it can."""
        ...


@runtime_checkable
class Env(Protocol):
    """One simulated environment, in a worker process."""

    def ground(self, task: str, rollout: int, seed: int) -> Scene:
        """The grounded tau_0 of a rollout: everything sampled or measured is frozen into it."""
        ...

    def reset(self, scene: Scene) -> Observation:
        """Start the scene. Bit-reproducible, whatever ran before.

        Raises:
            InvalidStart: if the start is itself broken.
            SceneError: if the scene is not this world's, or carries an edit it does not support.
        """
        ...

    def advance(self, chunk: ActionChunk) -> Transition:
        """Execute up to ``chunk.execute`` control steps and look once, at the end.

        Raises:
            SimulatorError: NaN, a simulator's own reset, or any other fault that is not the policy's.
        """
        ...

    def picture(self, scene: Scene, camera: str, height: int, width: int) -> Picture:
        """What ``camera`` sees once the scene has settled, valid start or not; for reports.

        Raises:
            RenderingUnavailable: if the view of this environment renders nothing.
        """
        ...

    def manifest(self) -> Mapping[str, Any]:
        """Versions, backends and asset digests: whatever of the world changes results."""
        ...

    def close(self) -> None:
        """Free the simulator."""
        ...


class BatchEnv(Protocol):
    """Many environments of one world, stepped together in the runner's process."""

    def ground(self, task: str, rollout: int, seed: int) -> Scene:
        """As :meth:`Env.ground`."""
        ...

    def reset(self, slots: Sequence[Slot], scenes: Sequence[Scene]) -> list[Observation | Exception]:
        """Start one scene per slot; an ``InvalidStart`` or a fault stands in the place of its observation."""
        ...

    def advance(self, slots: Sequence[Slot], chunks: Sequence[ActionChunk]) -> list[Transition | Exception]:
        """As :meth:`Env.advance`, for each slot; a fault stands in the place of its transition."""
        ...

    def manifest(self) -> Mapping[str, Any]:
        """As :meth:`Env.manifest`."""
        ...

    def close(self) -> None:
        """Free everything."""
        ...

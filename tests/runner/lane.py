"""A tiny batch world for the runner's tests: walk along a lane to a flag. Real code, no mocks.

Its facts come from a sampler at grounding, as RoboCasa's will: where the flag stands, and a reserve of pits
that an axis can reveal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from indgen.axes import AxisCard
from indgen.core import (
    ActionChunk,
    ActionField,
    ActionLayout,
    Observation,
    Reveal,
    Scene,
    Slot,
    StateField,
    Task,
    Transition,
    Translate,
    View,
    WorldLayout,
)
from indgen.core.errors import InvalidStart, SimulatorError
from indgen.policies import PolicyCard, PolicySpec
from indgen.runner.plan import Plan

LAYOUT = WorldLayout(
    action=ActionLayout("lane/step", (ActionField("dx", -1.0, 1.0, "+-1 is +-1 m"),)),
    state={"x": StateField((1,), "m", "lane")},
    privileged={"flag": StateField((1,), "m", "lane")},
)


@dataclass
class Walker:
    """What one slot runs."""

    scene: Scene
    x: float = 0.0
    steps: int = 0

    @property
    def flag(self) -> float:
        """Where the flag stands, metres."""
        moved = sum(edit.metres for edit in self.scene.edits if isinstance(edit, Translate))
        return float(self.scene.fact("flag")) + moved

    @property
    def pits(self) -> Sequence[float]:
        """Where revealed pits lie, metres."""
        shown = sum(edit.k for edit in self.scene.edits if isinstance(edit, Reveal))
        return self.scene.fact("pits")[:shown]


class LaneEnv:
    """Many walkers, stepped together."""

    def __init__(self, view: View, faults: Mapping[tuple[str, int, int], int] | None = None) -> None:
        self.view = view
        self.walkers: dict[int, Walker] = {}
        self.groundings: list[tuple[str, int]] = []
        self._faults = dict(faults or {})

    def ground(self, task: str, rollout: int, seed: int) -> Scene:
        """Sample the flag and a reserve of pits, once."""
        self.groundings.append((task, rollout))
        rng = np.random.default_rng(seed)
        flag = float(rng.uniform(3.0, 4.0))
        pits = sorted(float(value) for value in rng.uniform(1.0, 2.5, size=3))
        return Scene("lane", task, f"walk to the {task}", (), seed, {"flag": flag, "pits": pits})

    def reset(self, slots: Sequence[Slot], scenes: Sequence[Scene]) -> list[Observation | Exception]:
        """A flag behind the start is an invalid start."""
        return [self._reset(slot, scene) for slot, scene in zip(slots, scenes, strict=True)]

    def _reset(self, slot: Slot, scene: Scene) -> Observation | Exception:
        walker = self.walkers[slot.id] = Walker(scene)
        if walker.flag <= 0:
            return InvalidStart(f"the flag of {scene.task} stands behind the start")
        return self._observe(walker)

    def advance(self, slots: Sequence[Slot], chunks: Sequence[ActionChunk]) -> list[Transition | Exception]:
        """Walk; falling into a pit ends an episode, arriving within 0.5 m succeeds."""
        return [self._advance(slot, chunk) for slot, chunk in zip(slots, chunks, strict=True)]

    def _advance(self, slot: Slot, chunk: ActionChunk) -> Transition | Exception:
        key = (slot.key.task, slot.key.rollout, slot.key.level)
        if self._faults.get(key, 0) > 0:
            self._faults[key] -= 1
            return SimulatorError("the lane broke")
        walker = self.walkers[slot.id]
        for action in chunk.check(LAYOUT.action).actions:
            walker.x += float(action[0])
            walker.steps += 1
            if any(abs(walker.x - pit) < 0.05 for pit in walker.pits):
                return Transition(None, walker.steps, False, True, "fell")
            if abs(walker.x - walker.flag) <= 0.5:
                return Transition(None, walker.steps, True, True, "arrived")
            if walker.steps == self.view.max_steps:
                return Transition(None, walker.steps, False, True, "walking")
        return Transition(self._observe(walker), walker.steps, False, False, "walking")

    def _observe(self, walker: Walker) -> Observation:
        truth = {"flag": np.array([walker.flag])} if self.view.privileged else None
        return Observation({}, {"x": np.array([walker.x])}, walker.scene.instruction, walker.steps, privileged=truth)

    def manifest(self) -> Mapping[str, Any]:
        """Nothing to say but a version."""
        return {"lane": 1}

    def close(self) -> None:
        """Nothing to free."""


@dataclass
class LaneWorld:
    """Two lanes; ``faults`` makes the simulator fail so many times in an episode."""

    faults: Mapping[tuple[str, int, int], int] = field(default_factory=dict)
    id = "lane"
    layout = LAYOUT
    tasks = (Task("red_flag", "red", "walk to the red flag"), Task("blue_flag", "blue", "walk to the blue flag"))
    successes = ("arrived",)
    max_steps = 12

    def __post_init__(self) -> None:
        self.opened: list[LaneEnv] = []

    def starts(self, task: str) -> None:
        """Sampled without end."""

    def open(self, view: View) -> LaneEnv:
        """In this process."""
        self.opened.append(LaneEnv(view, self.faults))
        return self.opened[-1]

    def compile_key(self, scene: Scene) -> str:
        """Nothing is compiled."""
        return scene.world


class FlagAxis:
    """The flag, one metre a step."""

    card = AxisCard("lane/flag-v1", "lane", "flag", (-5, -1, 0, 1, 2, 3, 4), 1.0, "m", "where the flag stands", "tests")

    def at(self, scene: Scene, k: int) -> Scene:
        """Move the flag."""
        return scene.edit(Translate("flag", "x", k, 1.0))


class PitAxis:
    """Pits out of the sampled reserve, one a step."""

    card = AxisCard("lane/pits-v1", "lane", "pits", (0, 1, 2, 3), 1.0, "pit", "how many pits there are", "tests")

    def at(self, scene: Scene, k: int) -> Scene:
        """Reveal pits."""
        return scene.edit(Reveal(k))


class Marcher:
    """Walks ``reach`` steps forward, then stands; it never looks."""

    def __init__(self, reach: int = 5) -> None:
        self.reach = reach
        self.spec = PolicySpec(action="lane/step", chunk=2, execute=1)
        self.card = PolicyCard("marcher", "walks, then stands", trained_levels=(0,))
        self.looks = 0

    def reset(self, slots: Sequence[Slot]) -> None:
        """Nothing to forget."""

    def act(self, slots: Sequence[Slot], observations: Sequence[Observation], deadline: float) -> list[ActionChunk]:
        """Step while there are steps left."""
        self.looks += len(slots)
        return [self.step(slot, seen) for slot, seen in zip(slots, observations, strict=True)]

    def step(self, slot: Slot, seen: Observation) -> ActionChunk:
        """One chunk."""
        pace = 1.0 if seen.step < self.reach else 0.0
        return ActionChunk(np.full((2, 1), pace), "lane/step", 1)


class Watcher:
    """An observer that counts."""

    def __init__(self) -> None:
        self.phases: list[tuple[str, int]] = []
        self.final = 0

    def phase(self, text: str, total: int) -> None:
        """Remember."""
        self.phases.append((text, total))

    def ended(self, level: int, outcome: object, final: bool) -> None:
        """Count."""
        self.final += final

    def tick(self) -> None:
        """Nothing to draw."""


def lane_plan(axis: str = "lane/flag-v1", levels: Sequence[int] = (-1, 0, 1, 2, 3), rollouts: int = 4) -> Plan:
    """A plan over both lanes."""
    return Plan(
        world="lane",
        policy="marcher",
        axis=axis,
        tasks=("red_flag", "blue_flag"),
        levels=tuple(levels),
        rollouts=rollouts,
        max_steps=12,
        success="arrived",
        execute=1,
    )

"""A run folder as the runner would leave it, without a simulator."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from indgen.axes.contract import AxisCard
from indgen.policies.contract import PolicyCard, PolicySpec
from indgen.runner.episodes import Episode, Outcome
from indgen.runner.ledger import Ledger
from indgen.runner.plan import Plan

AXIS = AxisCard(
    id="libero/pick-v1",
    world="libero",
    summary="the object to pick, 2.5 cm a step along y",
    levels=(-3, -2, -1, 0, 1, 2, 3),
    step=0.025,
    unit="m",
    changes="the position of the object to pick",
    source="section 5.2 (1)",
)
POLICY = PolicyCard(id="replay", summary="plays back tau_0", trained_levels=(0,), data="the expert at tau_0")
SPEC = PolicySpec(action="libero/osc-pose-delta", privileged=("object_pose",))

MakePlan = Callable[..., Plan]
MakeEpisode = Callable[..., Episode]
MakeRun = Callable[..., Path]


def make_plan(**changes: Any) -> Plan:
    fields: dict[str, Any] = {
        "world": "libero",
        "policy": "replay",
        "axis": "libero/pick-v1",
        "tasks": ("pick_the_milk_up", "pick_the_soup_up"),
        "levels": (-1, 0, 1),
        "rollouts": 4,
        "max_steps": 280,
        "success": "in_basket",
        "execute": 1,
    }
    return Plan(**{**fields, **changes})


def make_episode(task: str, rollout: int, level: int, outcome: str = "success", **changes: Any) -> Episode:
    fields: dict[str, Any] = {
        "policy": "replay",
        "axis": "libero/pick-v1",
        "task": task,
        "rollout": rollout,
        "level": level,
        "outcome": Outcome(outcome),
        "cause": None if outcome == "success" else f"because {outcome}",
        "steps": 100,
        "seed": rollout,
        "policy_seed": 7,
        "attempt": 1,
        "started": "2025-01-01T00:00:00.000+00:00",
        "wall_s": 1.5,
        "policy_s": 0.25,
    }
    return Episode(**{**fields, **changes})


def make_run(
    path: Path,
    plan: Plan,
    episodes: Iterable[Episode],
    *,
    spec: PolicySpec = SPEC,
    policy: PolicyCard = POLICY,
    axis: AxisCard = AXIS,
    **manifest: Any,
) -> Path:
    path.mkdir(parents=True)
    (path / "plan.json").write_text(json.dumps({"plan": plan.model_dump(mode="json"), "hash": plan.hash}))
    cards = {"axis_card": asdict(axis), "policy_card": asdict(policy), "policy_spec": asdict(spec)}
    (path / "manifest.json").write_text(json.dumps({**cards, "world": {"mujoco": "2.3.7"}, **manifest}))
    with Ledger(path / "events.jsonl") as ledger:
        for episode in episodes:
            ledger.append("episode", episode.to_data())
    return path


@pytest.fixture
def new_plan() -> MakePlan:
    return make_plan


@pytest.fixture
def new_episode() -> MakeEpisode:
    return make_episode


@pytest.fixture
def new_run() -> MakeRun:
    return make_run

"""Runs spelled out start by start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from indgen.runner.ledger import Ledger
from indgen.runner.top_up import log_top_up

from ..conftest import AXIS, POLICY, SPEC, make_episode, make_plan, make_run

TASK = "pick_the_milk_up"
_OUTCOMES = {"S": "success", "F": "failure", "E": "error", "I": "invalid"}
Spell = Callable[..., Path]


def spell(path: Path, outcomes: Mapping[int, str], *, seed: int = 0, scene: str = "s", **changes: Any) -> Path:
    """A run whose level k has one letter per rollout: Success, Failure, Error, Invalid, ``.`` for none.

    Args:
        path: where to.
        outcomes: level to letters.
        seed: offset of the starts' seeds; runs with equal ones share starts.
        scene: what tau_0 scenes are called; with another name, they are other scenes.
        changes: fields of the plan; ``manifest`` (a dict), ``images`` and ``execute_of_policy`` as well.
    """
    manifest = changes.pop("manifest", {})
    spec = replace(SPEC, images=changes.pop("images", {}), execute=changes.pop("execute_of_policy", 1))
    rollouts = changes.pop("rollouts", max(map(len, outcomes.values())))
    plan = make_plan(**{"tasks": (TASK,), "levels": tuple(sorted(outcomes)), "rollouts": rollouts, **changes})
    episodes = [
        make_episode(
            task,
            rollout,
            level,
            _OUTCOMES[letter],
            policy=plan.policy,
            axis=plan.axis,
            seed=seed + rollout,
            steps=100 + rollout,
            scene=f"{scene}-{task}-{rollout}-{level}",
        )
        for task in plan.tasks
        for level, letters in outcomes.items()
        for rollout, letter in enumerate(letters)
        if letter != "."
    ]
    axis = replace(AXIS, id=plan.axis)
    make_run(path, plan, episodes, spec=spec, policy=replace(POLICY, id=plan.policy), axis=axis, **manifest)
    topped = sorted({episode.level for episode in episodes if episode.rollout >= rollouts})
    if topped:
        with Ledger(path / "events.jsonl") as ledger:
            log_top_up(ledger, plan, topped)
    return path


@pytest.fixture
def run(tmp_path: Path) -> Spell:
    """``run(name, outcomes, ...)`` writes a run folder under the test's own."""

    def make(name: str, outcomes: Mapping[int, str], **changes: Any) -> Path:
        return spell(tmp_path / name, outcomes, **changes)

    return make

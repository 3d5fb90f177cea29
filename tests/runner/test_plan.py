from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from indgen.core import EpisodeKey
from indgen.runner.plan import Plan


def plan(**changes: Any) -> Plan:
    fields: dict[str, Any] = {
        "world": "libero",
        "policy": "expert",
        "axis": "libero/pick-v1",
        "tasks": ("milk", "soup"),
        "levels": (-1, 0, 1),
        "rollouts": 2,
        "max_steps": 280,
        "success": "published",
        "execute": 1,
    }
    return Plan(**{**fields, **changes})


CHANGES: list[dict[str, Any]] = [
    {"top_up": 9},
    {"world": "robocasa"},
    {"policy": "noop"},
    {"axis": "libero/goal-v1"},
    {"label": "again"},
    {"tasks": ("soup", "milk")},
    {"levels": (0, 1)},
    {"rollouts": 3},
    {"seed": 1},
    {"max_steps": 281},
    {"success": "strict"},
    {"execute": 10},
    {"video": True},
    {"version": 2},
    {"first": 10},
    {"uncertified": (("milk", 0),)},
    {"include_uncertified": True},
    {"certificate": "ab"},
]


def test_every_field_makes_another_plan_and_is_named() -> None:
    assert {name for change in CHANGES for name in change} == set(Plan.model_fields)
    assert len({plan(**change).hash for change in [{}, *CHANGES]}) == len(CHANGES) + 1
    for change in CHANGES:
        [line] = plan().differences(plan(**change))
        assert line.startswith(f"{next(iter(change))}: ")


def test_equal_plans_have_one_hash_in_every_process() -> None:
    code = "import sys; from indgen.runner.plan import Plan; print(Plan.model_validate_json(sys.stdin.read()).hash)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=plan().model_dump_json(),
        env={**os.environ, "PYTHONHASHSEED": "3"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.strip() == plan().hash
    assert plan() == plan()
    assert plan().differences(plan()) == []


def test_differences_say_ours_and_theirs_briefly() -> None:
    many = plan(tasks=tuple(f"task_{number}" for number in range(50)))
    assert plan().differences(plan(rollouts=5)) == ["rollouts: 2 asked for, 5 in the folder"]
    [line] = plan().differences(many)
    assert len(line) < 160
    assert line.endswith("... in the folder")


@given(st.sets(st.integers(-4, 4), min_size=1), st.integers(1, 4))
def test_every_episode_comes_once_and_a_start_s_levels_come_together(levels: set[int], rollouts: int) -> None:
    chosen = plan(levels=tuple(sorted(levels)), rollouts=rollouts)
    keys = list(chosen.episode_keys())
    wanted = {EpisodeKey(t, r, k) for t in ("milk", "soup") for r in range(rollouts) for k in levels}
    assert set(keys) == wanted
    assert len(keys) == chosen.size == len(wanted)
    starts = [(key.task, key.rollout) for key in keys][:: len(levels)]
    assert len(set(starts)) == len(starts) == 2 * rollouts


def test_levels_run_outwards_from_tau_0() -> None:
    assert [key.level for key in plan(rollouts=1, tasks=("milk",)).episode_keys()] == [0, -1, 1]


@pytest.mark.parametrize("changes", [{"rollouts": 0}, {"max_steps": 0}, {"execute": 0}, {"workers": 4}])
def test_an_impossible_plan_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        plan(**changes)


def test_a_plan_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        plan().rollouts = 9

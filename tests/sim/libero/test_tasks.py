"""The table of tasks against LIBERO's own files, and what follows from it."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from indgen.axes.goal import LiberoGoal
from indgen.axes.pick import LiberoPick
from indgen.axes.scale import LiberoScale
from indgen.core.world import View
from indgen.sim.libero.roles import FIXTURES, Goal, Roles
from indgen.sim.libero.tasks import ROLES, STARTS, TASKS
from indgen.sim.libero.world import LiberoObject

SUITES = ("libero_object", "libero_spatial", "libero_goal", "libero_10")
ASK = """
import contextlib, io, json, os, sys
with contextlib.redirect_stdout(io.StringIO()):
    from libero.libero import benchmark, get_libero_path
    from libero.libero.envs.bddl_utils import robosuite_parse_problem as parse
    found = []
    for suite in sys.argv[1:]:
        tasks = benchmark.get_benchmark_dict()[suite]()
        for number, task in enumerate(tasks.tasks):
            said = parse(os.path.join(get_libero_path("bddl_files"), suite, task.bddl_file))
            said["regions"] = {name: region["target"] for name, region in said["regions"].items()}
            starts = len(tasks.get_task_init_states(number))
            found.append({**said, "suite": suite, "name": task.name, "language": task.language, "starts": starts})
print(json.dumps(found))
"""


@pytest.mark.libero
def test_every_row_is_what_libero_s_own_files_say(libero_python: Path) -> None:
    done = subprocess.run([libero_python, "-c", ASK, *SUITES], capture_output=True, text=True, check=True, timeout=120)
    said = json.loads(done.stdout.splitlines()[-1])
    assert [task.name for task in TASKS] == [row["name"] for row in said]
    for task, row in zip(TASKS, said, strict=True):
        assert (task.suite, task.instruction, STARTS) == (row["suite"], row["language"], row["starts"])
        assert ROLES[task.name] == roles_of(row)
        assert {name for names in row["fixtures"].values() for name in names} <= FIXTURES
        assert not {name for names in row["objects"].values() for name in names} & FIXTURES


def roles_of(row: dict) -> Roles:
    """Roles of a parsed BDDL file."""
    regions = row["regions"]
    goals = []
    for predicate, subject, *place in row["goal_state"]:
        holder = regions.get(place[0], place[0]) if place else None
        goals.append(Goal(predicate, subject, holder, place[0] if place and place[0] in regions else None))
    stands = {
        subject: (relation, regions.get(place[0], place[0]))
        for relation, subject, *place in row["initial_state"]
        if relation in ("on", "in") and not any(subject in names for names in row["fixtures"].values())
    }
    stacked = {body: how for body, how in stands.items() if not how[1].endswith(("table", "floor"))}
    return Roles(row["problem_name"], tuple(goals), stacked)


def test_names_are_distinct_and_suites_have_ten_tasks_each() -> None:
    assert Counter(task.suite for task in TASKS) == dict.fromkeys(SUITES, 10)
    assert len({task.name for task in TASKS}) == len({task.short for task in TASKS}) == 40


@pytest.mark.parametrize(
    ("axis", "taken"),
    [(LiberoPick(), (10, 5, 8, 4)), (LiberoGoal(), (10, 10, 2, 3)), (LiberoScale(), (10, 5, 8, 4))],
    ids=["pick", "goal", "scale"],
)
def test_how_many_tasks_of_each_suite_an_axis_takes(axis: LiberoPick, taken: tuple[int, ...]) -> None:
    count = Counter(task.suite for task in TASKS if axis.refuses(task) is None)
    assert tuple(count[suite] for suite in SUITES) == taken


@pytest.mark.parametrize(
    ("axis", "short", "reason"),
    [
        (LiberoPick(), "in_drawer", "akita_black_bowl_1 stands in wooden_cabinet_1, not free"),
        (LiberoScale(), "on_ramekin", "akita_black_bowl_1 stands on glazed_rim_porcelain_ramekin_1, not free"),
        (LiberoPick(), "stove_on", "no object is to be placed, the goal is (turnon flat_stove_1)"),
        (LiberoGoal(), "bowl_on_stove", "flat_stove_1 is a fixture"),
        (LiberoGoal(), "plate_to_stove", "main_table is a fixture"),
        (LiberoPick(), "two_pots", "2 goals, of moka_pot_1 and moka_pot_2: one step would change two things"),
        (LiberoGoal(), "mugs_on_plates", "2 goals, of plate_1 and plate_2: one step would change two things"),
        (LiberoGoal(), "soup_and_cheese", None),
        (LiberoPick(), "pot_on_stove", None),
    ],
)
def test_an_axis_says_why_it_refuses(axis: LiberoPick, short: str, reason: str | None) -> None:
    assert axis.refuses(next(task for task in TASKS if task.short == short)) == reason


def test_what_carries_another_body_stands_not_free() -> None:
    roles = Roles("", (), {"bowl_1": ("on", "box_1")})
    assert roles.bound("box_1") == "box_1 carries bowl_1"
    assert roles.bound("bowl_1") == "bowl_1 stands on box_1, not free"
    assert roles.bound("cup_1") is None


def test_simulator_truth_is_told_of_libero_object_alone() -> None:
    truth = View(1, "published", privileged=True)
    world = LiberoObject()
    assert {task.suite for task in TASKS if world.refuses(task.name, truth) is None} == {"libero_object"}
    assert all(world.refuses(task.name, View(1, "published")) is None for task in TASKS)


def test_strict_success_needs_one_object_to_place() -> None:
    strict = View(1, "strict")
    refused = {task.short for task in TASKS if LiberoObject().refuses(task.name, strict)}
    assert refused == {"middle_drawer", "stove_on", "soup_and_sauce", "cheese_and_butter", "mugs_on_plates"} | {
        "mug_and_pudding",
        "soup_and_cheese",
        "two_pots",
    }

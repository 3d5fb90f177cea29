from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.core.errors import LayoutError, UnknownName, UsageError
from indgen.core.world import Task
from indgen.policies import PolicySpec
from indgen.runner.choosing import tell
from indgen.runner.levels import parse_levels
from indgen.runner.parts import Parts, load_parts
from indgen.runner.planning import make_plan
from indgen.runner.refusals import left_out, suite_of

from .lane import FlagAxis, LaneWorld, Marcher

LIBERO = load_parts("libero", "expert", "pick")


@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(0, 5)), min_size=1, max_size=5))
def test_levels_are_the_union_of_what_was_asked_ascending_and_distinct(ranges: list[tuple[int, int]]) -> None:
    asked = ", ".join(f"{first}..{first + more}" if more else f"{first}" for first, more in ranges)
    wanted = {level for first, more in ranges for level in range(first, first + more + 1)}
    assert parse_levels(asked) == tuple(sorted(wanted))


@given(st.sets(st.integers(-99, 99), min_size=1))
def test_levels_written_out_are_read_back(levels: set[int]) -> None:
    assert parse_levels(",".join(map(str, levels))) == tuple(sorted(levels))


@pytest.mark.parametrize("asked", ["", ",", "1,", "one", "1..", "..1", "1...3", "1.5", "--1", "1-3", "0x1", "1 2"])
def test_levels_that_cannot_be_read_say_what_can(asked: str) -> None:
    with pytest.raises(UsageError, match=r"levels cannot be read; got '.*'; expected numbers and ranges"):
        parse_levels(asked)


def test_a_range_that_runs_downwards_is_turned_round_in_the_message() -> None:
    with pytest.raises(UsageError, match=r"runs upwards; got 3\.\.-1; expected -1\.\.3"):
        parse_levels("0,3..-1")


def test_short_names_find_their_parts() -> None:
    assert (LIBERO.world.id, LIBERO.axis.card.id, LIBERO.policy.card.id) == ("libero", "libero/pick-v1", "expert")


@pytest.mark.parametrize(
    "asked", ["pick+scale", " pick + scale", "pick-v1+scale", "libero/pick+libero/scale-v1", "libero/pick-v1+scale-v1"]
)
def test_a_composition_is_found_by_any_names_of_its_parts_and_by_its_id(asked: str) -> None:
    assert load_parts("libero", "expert", asked).axis.card.id == "libero/pick-v1+scale-v1"


@pytest.mark.parametrize("asked", ["+", "pick+", "+pick", "pick++scale", "pick+ +scale"])
def test_a_composition_that_lacks_a_part_is_refused(asked: str) -> None:
    with pytest.raises(UsageError, match=r"a composed axis lacks a part; got '.*'; expected e\.g\. pick"):
        load_parts("libero", "expert", asked)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("libero", "expert", "pick+scael"), r"unknown axis; got 'scael'; .*did you mean scale\?"),
        (("libero", "expert", "mars/pick+scale"), r"unknown axis; got 'mars/pick'"),
        (("liberro", "expert", "pick"), r"unknown world; got 'liberro'; .*did you mean libero\?"),
        (("libero", "expret", "pick"), r"unknown policy; got 'expret'; .*did you mean expert\?"),
        (("libero", "expert", "pikc"), r"unknown axis; got 'pikc'; .*did you mean pick\?"),
    ],
)
def test_an_unknown_part_suggests_the_closest(names: tuple[str, str, str], words: str) -> None:
    with pytest.raises(UnknownName, match=words):
        load_parts(*names)


PLUGIN = """
from dataclasses import replace
from indgen.axes.pick import LiberoPick
from indgen.policies.noop import Noop
class Stray(LiberoPick):
    card = replace(LiberoPick.card, id="mars/stray-v1", world="mars")
class Misfit(Noop):
    def __init__(self, layout):
        super().__init__(layout)
        self.card = replace(self.card, id="misfit")
        self.spec = replace(self.spec, action="mars/dig", images={"mast": (8, 8)})
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "mars-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mars\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[indgen.axes]\nmars/stray-v1 = mars_plugin_here:Stray\n[indgen.policies]\nmisfit = mars_plugin_here:Misfit\n"
    )
    (tmp_path / "mars_plugin_here.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("plugin")
@pytest.mark.parametrize("asked", ["mars/stray-v1", "pick+mars/stray-v1", "mars/stray+pick"])
def test_an_axis_of_another_world_is_refused(asked: str) -> None:
    with pytest.raises(UsageError, match="axis mars/stray-v1 is not of this world; got mars; expected libero"):
        load_parts("libero", "expert", asked)


@pytest.mark.usefixtures("plugin")
def test_a_policy_that_does_not_fit_never_gets_to_a_plan() -> None:
    with pytest.raises(LayoutError, match=r"does not fit world libero \(2 mismatches\); got .*mars/dig.*; camera mast"):
        load_parts("libero", "misfit", "pick")


def test_what_is_not_asked_takes_the_defaults() -> None:
    plan = make_plan(LIBERO)
    assert plan.tasks == tuple(task.name for task in LIBERO.world.tasks if task.suite == "libero_object")
    assert plan.levels == LIBERO.axis.card.levels
    assert (plan.max_steps, plan.success) == (280, "published")
    assert (plan.rollouts, plan.seed, plan.execute, plan.label, plan.video) == (50, 0, 1, None, False)


def test_what_is_asked_stands_in_the_plan() -> None:
    plan = make_plan(LIBERO, levels="2,-1..0", rollouts=3, seed=9, max_steps=7, success="strict", label="x", video=True)
    assert (plan.levels, plan.rollouts, plan.seed) == ((-1, 0, 2), 3, 9)
    assert (plan.max_steps, plan.success, plan.label, plan.video) == (7, "strict", "x", True)


def test_tasks_go_by_short_or_full_name_once_each_in_the_benchmark_s_order() -> None:
    full = "pick_up_the_cream_cheese_and_place_it_in_the_basket"
    plan = make_plan(LIBERO, tasks=f" milk,{full},,cream_cheese , milk")
    assert plan.tasks == (full, "pick_up_the_milk_and_place_it_in_the_basket")


def test_an_unknown_task_suggests_short_names() -> None:
    with pytest.raises(
        UnknownName, match=r"unknown task of libero_object; got 'buter'; exists: .*; did you mean butter"
    ):
        make_plan(LIBERO, tasks="milk,buter")


@pytest.mark.parametrize("tasks", ["", " , "])
def test_no_task_at_all_is_refused(tasks: str) -> None:
    with pytest.raises(UsageError, match=r"no task given; got .*; exists: alphabet_soup, "):
        make_plan(LIBERO, tasks=tasks)


WATCHED = load_parts("libero", "noop", "pick")


@pytest.mark.parametrize("asked", ["libero_spatial", "spatial"])
def test_a_suite_goes_by_its_name_or_its_last_word(asked: str) -> None:
    plan = make_plan(WATCHED, suite=asked, tasks="next_to_plate,between")
    assert [task.split("_bowl_")[1].split("_the_")[0] for task in plan.tasks] == ["between", "next_to"]
    assert plan.max_steps == 220


def test_a_plan_without_tasks_takes_what_the_axis_does_not_refuse_and_says_the_rest() -> None:
    plan = make_plan(WATCHED, suite="10")
    assert (len(plan.tasks), plan.max_steps) == (4, 520)
    assert suite_of(WATCHED, plan) == "libero_10"
    rest = left_out(WATCHED, plan)
    assert {task.name for task in rest}.isdisjoint(plan.tasks)
    assert len(rest) == 6
    assert tell(rest).startswith("soup_and_sauce: 2 goals, of alphabet_soup_1 and tomato_sauce_1: one step would")
    assert left_out(WATCHED, make_plan(WATCHED)) == {}


def test_refused_tasks_that_were_named_are_listed_with_their_reasons() -> None:
    words = (
        r"these tasks cannot be taken for libero/pick-v1 by noop; "
        r"in_drawer: akita_black_bowl_1 stands in wooden_cabinet_1, not free; "
        r"on_stove: akita_black_bowl_1 stands on flat_stove_1, not free$"
    )
    with pytest.raises(UsageError, match=words):
        make_plan(WATCHED, suite="spatial", tasks="on_stove,between,in_drawer")


@pytest.mark.parametrize(
    ("policy", "reader"), [("expert", "policy expert"), ("replay", "expert, which demonstrates to replay,")]
)
@pytest.mark.parametrize("suite", ["spatial", "goal", "10"])
def test_a_policy_that_lives_on_simulator_truth_is_refused_where_there_is_none(
    policy: str, reader: str, suite: str
) -> None:
    words = rf"no task of libero_{suite} can be taken for .*; simulator truth is told of .* \({reader} reads it\)$"
    with pytest.raises(UsageError, match=words):
        make_plan(load_parts("libero", policy, "pick"), suite=suite)


def test_strict_success_is_refused_where_there_is_not_one_object_to_place() -> None:
    parts = load_parts("libero", "noop", "goal")
    with pytest.raises(UsageError, match="soup_and_sauce: strict success is defined for one object that is placed"):
        make_plan(parts, suite="10", tasks="soup_and_sauce", success="strict")
    assert len(make_plan(parts, suite="10", tasks="soup_and_sauce").tasks) == 1


def test_an_unknown_suite_suggests_the_closest() -> None:
    with pytest.raises(UnknownName, match=r"unknown suite of libero; got 'spatail'; .*did you mean libero_spatial\?"):
        make_plan(WATCHED, suite="spatail")
    with pytest.raises(UsageError, match="lane has no suites; got --suite goal"):
        make_plan(Parts(LaneWorld(), Marcher(), FlagAxis()), suite="goal")


def test_a_task_of_another_suite_names_it() -> None:
    words = "task bowl_on_stove is of another suite; got libero_goal; expected libero_object; add --suite libero_goal"
    with pytest.raises(UsageError, match=words):
        make_plan(WATCHED, tasks="milk,bowl_on_stove")


class Picky(FlagAxis):
    """Refuses as it is told to."""

    def __init__(self, *refused: str) -> None:
        self.refused = refused

    def refuses(self, task: Task) -> str | None:
        if "break" in self.refused:
            raise SystemExit("broken")
        return f"no {task.short}\nhere" if task.short in self.refused else None


def test_an_axis_of_a_plugin_may_refuse_too() -> None:
    lane, marcher = LaneWorld(), Marcher()
    plan = make_plan(Parts(lane, marcher, Picky("red")))
    assert plan.tasks == ("blue_flag",)
    with pytest.raises(UsageError, match=r"no task of lane can be taken for .*; red: no red here; blue: no blue here"):
        make_plan(Parts(lane, marcher, Picky("red", "blue")))
    with pytest.raises(UsageError, match=r"axis lane/flag-v1 cannot say what it refuses; got .*broken"):
        make_plan(Parts(lane, marcher, Picky("break")))


def test_levels_beyond_the_axis_are_named() -> None:
    with pytest.raises(UsageError, match=r"libero/pick-v1 has no such level; got -5, -4, 4; expected levels among"):
        make_plan(LIBERO, levels="-5..4")


def test_an_unknown_predicate_names_those_of_the_world() -> None:
    with pytest.raises(UnknownName, match=r"success predicate of libero; got 'strct'; .*did you mean strict\?"):
        make_plan(LIBERO, success="strct")


@pytest.mark.parametrize("steps", [0, -1])
def test_an_episode_needs_steps(steps: int) -> None:
    with pytest.raises(UsageError, match=rf"an episode needs steps; got --max-steps {steps}; expected 1 or more"):
        make_plan(LIBERO, max_steps=steps)


@pytest.mark.parametrize("rollouts", [0, -1])
def test_a_sweep_needs_rollouts(rollouts: int) -> None:
    with pytest.raises(UsageError, match=f"a sweep needs rollouts; got --rollouts {rollouts}"):
        make_plan(LIBERO, rollouts=rollouts)


def test_a_start_is_not_run_twice_by_a_policy_without_noise() -> None:
    assert make_plan(LIBERO, rollouts=50).rollouts == 50
    with pytest.raises(UsageError, match=r"has 50 published starts per task; got --rollouts 51; .*draws no noise"):
        make_plan(LIBERO, rollouts=51)


def test_a_stochastic_policy_may_go_beyond_the_published_starts() -> None:
    assert make_plan(load_parts("libero", "random", "pick"), rollouts=500).rollouts == 500


def test_a_world_that_samples_without_end_has_no_limit() -> None:
    assert make_plan(Parts(LaneWorld(), Marcher(), FlagAxis()), rollouts=5000).rollouts == 5000


def test_the_replan_horizon_is_the_policy_s() -> None:
    marcher = Marcher()
    marcher.spec = replace(marcher.spec, chunk=8, execute=5)
    assert make_plan(Parts(LaneWorld(), marcher, FlagAxis())).execute == 5
    assert PolicySpec(action="x").execute == 1

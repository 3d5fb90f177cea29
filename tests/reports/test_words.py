from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from indgen.axes.contract import AxisCard
from indgen.policies.contract import PolicyCard, PolicySpec, Support
from indgen.reports import Report, build, claims, words

CARD = AxisCard("libero/pick-v1", "libero", "moved", (0, 1), 0.025, "m", "position", "paper")


@pytest.mark.parametrize(
    ("step", "unit", "level", "text"),
    [
        (0.025, "m", -2, "-5.0 cm"),
        (0.0367, "m", 2, "+7.34 cm"),
        (0.25, "in", 3, "+0.75 in"),
        (1, "object", 4, "+4 object"),
        (0.125, "m", 1, "+12.5 cm"),
        (0.025, "m", 0, "0"),
    ],
)
def test_shift_in_units_people_read(step: float, unit: str, level: int, text: str) -> None:
    assert words.shift(replace(CARD, step=step, unit=unit), level) == text


@pytest.mark.parametrize(
    ("levels", "text"), [((3, 2, 1), "1..3"), ((-2, -1, 0, 2), "-2,-1,0,2"), ((0, 1), "0,1"), ((4,), "4")]
)
def test_levels_as_the_option_takes_them(levels: tuple[int, ...], text: str) -> None:
    assert words.levels_option(levels) == text


def test_short_names_drop_only_what_all_share() -> None:
    assert words.short_names(["pick_up_the_milk_now", "pick_up_the_red_cup_now"]) == {
        "pick_up_the_milk_now": "milk",
        "pick_up_the_red_cup_now": "red_cup",
    }
    assert words.short_names(["open_door"]) == {"open_door": "open_door"}
    assert words.short_names(["open", "open_door"]) == {"open": "open", "open_door": "open_door"}


class TestSentences:
    @pytest.fixture
    def report(self, tmp_path: Path, new_plan: Any, new_episode: Any, new_run: Any) -> Report:
        plan = new_plan(levels=(-1, 0, 1, 2), rollouts=5)
        episodes = []
        for key in list(plan.episode_keys()):
            outcome = "failure" if key.level == 2 else "success"
            if (key.level, key.task, key.rollout) in {(-1, "pick_the_milk_up", 0), (-1, "pick_the_milk_up", 3)}:
                outcome = "invalid"
            if key.level == 1 and key.task == "pick_the_soup_up" and key.rollout < 3:
                outcome = "error"
            episodes.append(new_episode(key.task, key.rollout, key.level, outcome))
        return build(new_run(tmp_path / "run", plan, episodes))

    def test_break_levels(self, report: Report) -> None:
        assert claims.headline(report) == [
            "direction -: not reached up to -1 (2.5 cm); 95% set {not reached}",
            "direction +: breaks at +2 (5.0 cm); 95% set {+2, not reached}",
            "both directions at once: the same sets",
        ]
        assert words.evidence(report, report.break_levels[1]) == "0 of 8 (0%) at +2, 95% interval 0% to 37%"

    def test_invalid_starts_name_task_level_and_remedy(self, report: Report) -> None:
        assert words.invalid_lines(report) == [
            "milk: 2 of 5 starts dropped at every level, invalid at -1 (2)",
            "hint: leave level -1 out with --levels=0..2 to keep all",
        ]

    def test_errors_name_level_and_cause(self, report: Report) -> None:
        assert words.error_lines(report) == [
            "3 errors, never counted as failures, at +1 (3); cause: because error",
        ]

    def test_privileged_truth_is_stamped(self, report: Report) -> None:
        assert words.stamps(report) == ["PRIVILEGED: the policy saw simulator truth (object_pose)"]

    def test_training_on_tau_0_alone_is_said(self, report: Report) -> None:
        assert any("refutes nothing" in note for note in words.reading_notes(report))


def test_no_hint_where_tau_0_itself_is_broken(tmp_path: Path, new_plan: Any, new_episode: Any, new_run: Any) -> None:
    plan = new_plan()
    episodes = [new_episode(key.task, key.rollout, key.level, "invalid") for key in list(plan.episode_keys())]
    report = build(new_run(tmp_path / "run", plan, episodes))
    assert not any("hint" in line for line in words.invalid_lines(report))
    assert claims.headline(report)[:2] == [
        f"direction {sign}: undecided: no counted episodes; 95% set {{0, {sign}1, not reached}}; "
        "tau_0 itself is not certified"
        for sign in "-+"
    ]
    assert words.evidence(report, report.break_levels[0]) == ""


def test_incomplete_runs_demonstrations_and_unknown_training_are_said(
    tmp_path: Path, new_plan: Any, new_run: Any
) -> None:
    spec = PolicySpec(action="libero/osc-pose-delta", support=Support(levels=(0, 1)))
    policy = PolicyCard(id="replay", summary="plays back")
    report = build(new_run(tmp_path / "run", new_plan(), [], spec=spec, policy=policy))
    incomplete, demonstrations = words.stamps(report)
    assert "24 of 24" in incomplete
    assert demonstrations == "DEMONSTRATIONS: shown by expert at level 0 and +1, one of every evaluated start"
    assert any("unknown" in note for note in words.reading_notes(report))


def test_a_plan_of_tau_0_alone_has_no_direction(tmp_path: Path, new_plan: Any, new_run: Any) -> None:
    report = build(new_run(tmp_path / "run", new_plan(levels=(0,)), []))
    assert claims.headline(report) == ["no break level: the plan has no level beyond 0"]

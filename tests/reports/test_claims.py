from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from indgen.policies.contract import PolicySpec
from indgen.reports import Report, build, claims

TASKS = ("pick_the_milk_up",)


@pytest.fixture
def report_of(tmp_path: Path, new_plan: Any, new_episode: Any, new_run: Any) -> Any:
    """A report of one task, from successes and n per level."""

    def make(counts: dict[int, tuple[int, int]], *, spec: PolicySpec | None = None, **options: Any) -> Report:
        plan = new_plan(tasks=TASKS, levels=tuple(sorted(counts)), rollouts=max(n for _, n in counts.values()))
        episodes = [
            new_episode(
                key.task,
                key.rollout,
                key.level,
                "success" if key.rollout < counts[key.level][0] else "failure",
                steps=100 + key.rollout,
            )
            for key in list(plan.episode_keys())
            if key.rollout < counts[key.level][1]
        ]
        path = new_run(tmp_path / "run", plan, episodes, **({"spec": spec} if spec else {}))
        return build(path, **options)

    return make


@pytest.mark.parametrize(
    ("levels", "text"),
    [
        ((None,), "{not reached}"),
        ((1, 2), "{+1, +2}"),
        ((0, -1, -2, -3, None), "{0 to -3, not reached}"),
        ((3, None), "{+3, not reached}"),
    ],
)
def test_sets_in_words(levels: tuple[int | None, ...], text: str) -> None:
    assert claims.set_words(levels) == text


def test_the_headline_has_level_set_and_joint_claim(report_of: Any) -> None:
    report = report_of({-1: (50, 50), 0: (50, 50), 1: (16, 50), 2: (4, 50)})
    assert claims.headline(report) == [
        "direction -: not reached up to -1 (2.5 cm); 95% set {not reached}",
        "direction +: breaks at +2 (5.0 cm); 95% set {+1, +2}",
        "both directions at once: - {not reached}; + {+1, +2, not reached}",
    ]


def test_tau_0_in_doubt_is_said(report_of: Any) -> None:
    (line,) = claims.headline(report_of({0: (10, 50), 1: (0, 50)}))
    assert line.endswith("95% set {0, +1}; tau_0 itself is not certified")


def test_what_fifty_can_decide(report_of: Any) -> None:
    report = report_of({0: (50, 50), 1: (16, 50), 2: (4, 50)})
    assert claims.capability_lines(report) == [
        "n = 50: 'below 20%' is certified by 4 successes or fewer, 'above' by 17 or more",
        "undecided: +1",
    ]


def test_what_ten_never_can(report_of: Any) -> None:
    """Table 2's stack row; n = 10 is our assumption."""
    report = report_of({0: (7, 10), 1: (3, 10), 2: (0, 10)})
    assert claims.capability_lines(report) == [
        "n = 10 can never certify 'below 20%': 0 of 10 has probability 0.107 at 20%, more than 0.025; it takes 17; "
        "'above' by 6 or more",
        "undecided: +1 and +2",
    ]
    assert claims.headline(report) == ["direction +: breaks at +2 (5.0 cm); 95% set {+1, +2, not reached}"]


def test_of_unequal_n_the_least_and_the_most_are_given(report_of: Any) -> None:
    lines = claims.capability_lines(report_of({0: (50, 50), 1: (10, 48), 2: (4, 15)}))
    assert lines[0].startswith("n = 15 can never certify 'below 20%'")
    assert lines[0].endswith("it takes 17; 'above' by 7 or more")
    assert lines[1:] == [
        "n = 50: 'below 20%' is certified by 4 successes or fewer, 'above' by 17 or more",
        "undecided: +1 and +2",
    ]


def test_nothing_counted(tmp_path: Path, new_plan: Any, new_run: Any) -> None:
    report = build(new_run(tmp_path / "run", new_plan(), []))
    assert claims.capability_lines(report) == ["nothing is counted; to certify 'below 20%' takes 17 or more rollouts"]
    assert claims.secondary_line(report) == claims.warnings(report) == []


def test_many_undecided_levels_are_named_as_a_range(report_of: Any) -> None:
    report = report_of(dict.fromkeys((-2, -1, 0, 1), (3, 10)))
    assert claims.capability_lines(report)[-1] == "undecided: -2 to +1"


def test_confidence_and_threshold_are_taken(report_of: Any) -> None:
    report = report_of({0: (50, 50), 1: (30, 50), 2: (4, 50)}, confidence=0.995, threshold=0.7)
    assert (report.confidence, report.threshold) == (0.995, 0.7)
    assert claims.headline(report) == ["direction +: breaks at +1 (2.5 cm); 99.5% set {+1, +2}"]
    assert claims.capability_lines(report)[0].startswith("n = 50: 'below 70%' is certified by 25 successes")


class TestWarnings:
    def replicates(self, tmp_path: Path, new_plan: Any, new_episode: Any, new_run: Any, noisy: bool) -> Report:
        plan = new_plan(tasks=TASKS, levels=(0, 1), rollouts=20)
        episodes = [new_episode(key.task, key.rollout, key.level, steps=100) for key in list(plan.episode_keys())]
        spec = PolicySpec(action="libero/osc-pose-delta", stochastic=noisy)
        return build(new_run(tmp_path / "run", plan, episodes, spec=spec))

    def test_near_replicates_of_a_deterministic_policy(
        self, tmp_path: Path, new_plan: Any, new_episode: Any, new_run: Any
    ) -> None:
        (line,) = claims.warnings(self.replicates(tmp_path, new_plan, new_episode, new_run, noisy=False))
        assert line.startswith("near-replicates at 0 and +1 (1 distinct of 20 at 0)")
        assert "n may overstate the evidence" in line

    def test_a_policy_that_draws_noise_is_spared(
        self, tmp_path: Path, new_plan: Any, new_episode: Any, new_run: Any
    ) -> None:
        report = self.replicates(tmp_path, new_plan, new_episode, new_run, noisy=True)
        assert claims.warnings(report) == []
        assert report.near_replicates == ()

    def test_success_that_rises_outward_is_flagged_not_smoothed(self, report_of: Any) -> None:
        report = report_of({0: (50, 50), 1: (2, 50), 2: (40, 50)})
        (line,) = claims.warnings(report)
        assert line.startswith("success rises on the way outward, direction + (p = 0.0005)")
        assert [level.rate for level in report.levels] == [1, 0.04, 0.8]
        assert report.break_levels[0].level == 1
        assert report.break_levels[0].set == (1, 2, None)


class TestSecondary:
    def test_every_view_is_there_for_both_directions(self, report_of: Any) -> None:
        report = report_of({-2: (5, 50), -1: (40, 50), 0: (50, 50), 1: (20, 50), 2: (0, 50)})
        minus, plus = report.secondary.directions
        assert (minus.direction, minus.levels, minus.isotonic) == ("-", (0, -1, -2), (1.0, 0.8, 0.1))
        assert [level for level, _ in plus.posterior] == [0, 1, 2, None]
        assert claims.posterior_words(plus) == "+2 100%"
        assert claims.threshold_words(report, plus) == "between 2.5 cm and 5 cm; too steep for a fit"
        assert claims.threshold_words(report, minus).startswith("4.")
        assert claims.monotone_words(report, plus) == "the counts never rise"
        assert plus.area is not None and plus.area.value == pytest.approx(0.45)
        assert claims.area_words(plus) == "0.45 (0.38 to 0.53)"
        assert claims.secondary_line(report)[0].endswith("area under the curve - 0.68, + 0.45.")

    def test_symmetry_compares_shared_starts(self, report_of: Any) -> None:
        report = report_of({-1: (40, 50), 0: (50, 50), 1: (20, 30)})
        (test,) = report.secondary.symmetry
        assert (test.distance, test.pairs, test.only_positive, test.only_negative) == (1, 30, 0, 10)
        assert claims.symmetry_words(test) == (
            "+1 against -1: of 30 shared starts 0 succeed at +1 only, 10 at -1 only; "
            "exact McNemar p = 0.002, Holm 0.002"
        )

    def test_one_direction_has_no_symmetry(self, report_of: Any) -> None:
        assert report_of({0: (5, 5), 1: (5, 5)}).secondary.symmetry == ()


def test_stages_follow_the_order_of_a_pick_and_place(
    tmp_path: Path, new_plan: Any, new_episode: Any, new_run: Any
) -> None:
    plan = new_plan(levels=(0,), rollouts=2)
    stages = iter(("placed", "aligned", "none", "reached"))
    episodes = [new_episode(k.task, k.rollout, 0, "failure", stage=next(stages)) for k in list(plan.episode_keys())]
    report = build(new_run(tmp_path / "run", plan, episodes))
    assert claims.stage_names(report) == ["none", "reached", "placed", "aligned"]

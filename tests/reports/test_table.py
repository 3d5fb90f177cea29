from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from indgen.reports import Report, build, render

TASKS = tuple(f"pick_up_the_{name}_and_place_it_in_the_basket" for name in ("cream_cheese", "tomato_sauce", "milk"))


def lines(report: Report, *, styled: bool = False) -> list[str]:
    console = Console(
        width=80,
        record=True,
        file=StringIO(),
        force_terminal=styled,
        color_system="standard" if styled else None,
    )
    for part in render(report):
        console.print(part)
    return console.export_text(styles=styled).splitlines()


@pytest.fixture
def report(tmp_path: Path, new_plan: Any, new_episode: Any, new_run: Any) -> Report:
    plan = new_plan(tasks=TASKS, levels=(-3, -2, -1, 0, 1, 2, 3), rollouts=6, label="[red]h-only[/red]")
    episodes = []
    for key in list(plan.episode_keys()):
        outcome = "failure" if key.level >= 2 else "success"
        if key.level == -3 and "cream" in key.task:
            outcome = "invalid"
        if key.level == 1 and "milk" in key.task and key.rollout < 2:
            outcome = "error"
        cause = None if outcome == "success" else "[bold]worker 3 crashed[/bold] with a very long story" * 3
        if key.level < 3 or key.rollout:
            episodes.append(new_episode(key.task, key.rollout, key.level, outcome, cause=cause))
    return build(new_run(tmp_path / "run", plan, episodes))


def test_fits_80_columns(report: Report) -> None:
    assert max(len(line.rstrip()) for line in lines(report)) <= 80


def test_a_row_says_what_it_counts(report: Report) -> None:
    rows = {
        line.split()[0]: line
        for line in lines(report)
        if line.split() and line.split()[0].rstrip("*").lstrip("+-").isdigit()
    }
    assert rows["-3"].split()[:5] == ["-3", "-7.5", "cm", "12/12", "100"]
    assert rows["-3"].split()[-1] == "6"
    assert rows["0*"].split()[:4] == ["0*", "0", "12/12", "100"]
    assert rows["+1"].split()[-2:] == ["2", "-"]
    assert rows["+2"].split()[:5] == ["+2", "+5.0", "cm", "0/12", "0"]


def test_says_everything_a_reader_must_know(report: Report) -> None:
    text = " ".join(" ".join(lines(report)).split())
    for sentence in (
        "direction +: so far: breaks at +2 (5.0 cm)",
        "direction -: so far: not reached up to -3 (7.5 cm)",
        "cream_cheese: 6 of 6 starts dropped at every level, invalid at -3 (6)",
        "leave level -3 out with --levels=-2..3 to keep all",
        "INCOMPLETE: 3 of 126 episodes have not run",
        "PRIVILEGED",
        "95% Clopper-Pearson",
        "95% set {+2, +3, not reached}",
        "can never certify 'below 20%'",
        "undecided: ",
        "Secondary, no claim",
        "in-distribution",
    ):
        assert sentence in text


def test_text_from_the_run_is_no_markup(report: Report) -> None:
    text = "\n".join(lines(report))
    assert "[red]h-only[/red]" in text
    assert "[bold]worker 3" in text


def test_only_broken_levels_are_red(report: Report) -> None:
    red = [line for line in lines(report, styled=True) if "\x1b[31m" in line]
    assert [line for line in red if "+2" in line or "+3" in line] == red
    assert len(red) == 2


def test_six_digit_counts_and_no_counts_fit(report: Report) -> None:
    big = {"successes": 123456, "failures": 0, "n": 123456, "errors": 12345, "invalid": 12345}
    none = {"rate": None, "ci": None, "mean_steps": None, "n": 0, "successes": 0, "failures": 0}
    levels = tuple(level.model_copy(update=none if level.level == 1 else big) for level in report.levels)
    found = lines(report.model_copy(update={"levels": levels}))
    assert max(len(line.rstrip()) for line in found) <= 80
    assert sum("123456/123456" in line for line in found) == 6

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

from indgen.axes.certificates import Broken, Cell, Certificate, ExpertVerdict, Geometry, read_certificate
from indgen.reports.certificate import certificate_table, markdown, write_certificate, write_page

from .conftest import AXIS

MILK, SOUP = "pick_the_milk_up", "pick_the_soup_up"


def cell(task: str, level: int, broken: int = 0, successes: int = 20) -> Cell:
    geometry = Geometry(
        starts=50,
        broken=tuple(Broken(start=start, cause="milk and soup overlap") for start in range(broken)),
        changed=("position of milk_1",) if level else (),
        distance=0.025 * abs(level) if level else None,
        reach=0.1,
        seen={"agentview": 0.8},
        reasons=(f"{broken} of 50 starts are broken, e.g. start 0: milk and soup overlap",) if broken > 5 else (),
    )
    expert = None if broken == 50 else ExpertVerdict(successes=successes, n=20, failed=())
    return Cell(task=task, level=level, geometry=geometry, expert=expert)


CELLS = (cell(MILK, 0), cell(MILK, 1, broken=3), cell(SOUP, 0), cell(SOUP, 1, broken=50), cell(SOUP, 2, successes=9))
FOUND = Certificate(
    axis="libero/pick-v1",
    world="libero",
    step=0.025,
    unit="m",
    expert="expert",
    expert_starts=(10, 29),
    manifest={"packages": {"mujoco": "2.3.7"}, "assets": "abcd"},
    cells=CELLS,
)


def test_the_terminal_shows_both_verdicts_and_every_exclusion(capsys: pytest.CaptureFixture[str]) -> None:
    Console(width=80).print(*certificate_table(FOUND), sep="\n")
    said = capsys.readouterr().out
    assert "libero/pick-v1: 3 of 5 cells certified." in said
    assert "47 20" in said
    assert "0! -" in said
    assert "50 9!" in said
    assert "soup at +1: 50 of 50 starts are broken" in said
    assert "soup at +2: the expert did 9 of 20 sound starts" in said
    assert max(map(len, said.splitlines())) <= 80


def test_more_levels_than_tasks_are_shown_one_below_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    deep = FOUND.model_copy(update={"cells": tuple(cell(MILK, level) for level in range(20))})
    Console(width=80).print(*certificate_table(deep), sep="\n")
    said = capsys.readouterr().out.splitlines()
    assert [line.split() for line in said if line.startswith(("level", "+19"))] == [
        ["level", "pick_the_milk_up"],
        ["+19", "50", "20"],
    ]


def test_the_page_names_what_it_was_made_with_and_shows_exclusions() -> None:
    page = markdown(FOUND, pictures="pick-v1")
    assert "| milk | 50/50 20/20 | 47/50 20/20 | - |" in page
    assert "| +1 | 0.025 m | 10.0 cm | 80% | position |" in page
    assert "![soup at +1](pick-v1/pick_the_soup_up_1.png)" in page
    assert "- mujoco 2.3.7\n- assets abcd\n" in page
    assert "Nothing: every cell is certified." in markdown(FOUND.model_copy(update={"cells": CELLS[:1]}))


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = write_certificate(tmp_path, FOUND)
    write_page(tmp_path, FOUND)
    assert read_certificate(path, AXIS) == FOUND
    assert (tmp_path / "certificate.md").read_text() == markdown(FOUND)

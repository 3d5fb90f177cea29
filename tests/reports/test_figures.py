from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest

from indgen.reports import Report, build
from indgen.reports.figures import success_curve


def texts(report: Report) -> list[str]:
    root = ET.fromstring(success_curve(report, "svg"))
    return ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.fixture
def report(tmp_path: Path, new_plan: Any, new_episode: Any, new_run: Any) -> Report:
    plan = new_plan(levels=(-1, 0, 1, 2))
    episodes = [
        new_episode(key.task, key.rollout, key.level, "failure" if key.level else "success")
        for key in list(plan.episode_keys())
    ]
    return build(new_run(tmp_path / "run", plan, [episode for episode in episodes if episode.level != 2]))


def test_says_levels_units_n_and_threshold(report: Report) -> None:
    found = texts(report)
    for text in ("−1", "−2.5 cm", "+1", "+2.5 cm", "20%", "trained on", "break level"):
        assert text in found
    assert found.count("n = 8") == 3
    assert found.count("n = 0") == 1


def test_says_which_interval_and_which_set(report: Report) -> None:
    found = texts(report)
    assert "all tasks, 95% Wilson interval" in found
    assert "set of break levels, 95%" in found


def test_a_set_with_not_reached_ends_in_an_arrow(report: Report) -> None:
    open_ended = success_curve(report, "svg")
    found = tuple(item.model_copy(update={"set": (0,)}) for item in report.break_levels)
    closed = success_curve(report.model_copy(update={"break_levels": found}), "svg")
    assert all(None in item.set for item in report.break_levels)
    assert open_ended.count(b"<use ") > closed.count(b"<use ")


def test_no_marks_that_mean_nothing(report: Report) -> None:
    plain = report.model_copy(update={"break_levels": (), "tasks": report.tasks[:1]})
    found = texts(plain)
    assert "break level" not in found
    assert not any(text.startswith("set of") for text in found)
    assert "each task" not in found


def test_global_style_is_neither_used_nor_changed(report: Report) -> None:
    reference = success_curve(report, "svg")
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "black"}):
        assert success_curve(report, "svg") == reference
        assert mpl.rcParams["font.size"] == 30


def test_png_is_large_enough_to_print(report: Report) -> None:
    png = success_curve(report, "png")
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20], "big") >= 1000


def test_dollar_signs_in_names_are_no_formula(report: Report) -> None:
    assert any("$x_" in text for text in texts(report.model_copy(update={"axis": "a/$x_$-v1"})))

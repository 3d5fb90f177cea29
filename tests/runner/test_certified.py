"""What a certificate does to a plan, and what the plan then leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from indgen.axes import Composed
from indgen.axes.certificates import Cell, Certificate, ExpertVerdict, Geometry
from indgen.core.errors import UsageError
from indgen.runner.certified import made_elsewhere, with_certificate
from indgen.runner.plan import Plan

from .lane import FlagAxis, PitAxis, lane_plan

PLAN = lane_plan(levels=(0, 1, 2), rollouts=3)


def write(path: Path, *bad: tuple[str, int], axis: str = "lane/flag-v1") -> Path:
    cells = [
        Cell(
            task=task,
            level=level,
            geometry=Geometry(starts=1, broken=(), changed=(), distance=None, reach=None, seen={}, reasons=()),
            expert=ExpertVerdict(successes=0 if (task, level) in bad else 9, n=9, failed=()),
        )
        for task in PLAN.tasks
        for level in PLAN.levels
    ]
    found = Certificate(
        axis=axis,
        world="lane",
        step=1.0,
        unit="m",
        expert="marcher",
        expert_starts=(0, 8),
        manifest={},
        cells=tuple(cells),
    )
    path.write_text(found.model_dump_json())
    return path


def certified(tmp_path: Path, *bad: tuple[str, int], include: bool = False) -> Plan:
    return with_certificate(PLAN, FlagAxis(), write(tmp_path / "c.json", *bad), include)


def test_uncertified_cells_are_not_run(tmp_path: Path) -> None:
    plan = certified(tmp_path, ("red_flag", 2), ("blue_flag", 1))
    assert plan.uncertified == (("red_flag", 2), ("blue_flag", 1))
    keys = list(plan.episode_keys())
    assert len(keys) == plan.size == plan.largest == 4 * 3
    assert not {(key.task, key.level) for key in keys} & {("red_flag", 2), ("blue_flag", 1)}
    assert plan.certificate


def test_included_cells_are_run_and_stay_marked(tmp_path: Path) -> None:
    plan = certified(tmp_path, ("red_flag", 2), include=True)
    assert plan.uncertified == (("red_flag", 2),)
    assert list(plan.episode_keys()) == list(PLAN.episode_keys())
    assert plan.hash != PLAN.hash


def test_a_flawless_certificate_leaves_everything_in(tmp_path: Path) -> None:
    plan = certified(tmp_path)
    assert plan.uncertified == ()
    assert list(plan.episode_keys()) == list(PLAN.episode_keys())


def test_an_axis_without_a_certificate_is_run_whole() -> None:
    assert with_certificate(PLAN, FlagAxis()) == PLAN


def test_a_certificate_of_other_tasks_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The one that ships says nothing of them; one that was given for them is a mistake."""
    plan, path = PLAN.model_copy(update={"tasks": ("green_flag",)}), write(tmp_path / "c.json", ("red_flag", 2))
    with pytest.raises(UsageError, match=r"c.json judges none of these tasks; got green_flag"):
        with_certificate(plan, FlagAxis(), path)
    monkeypatch.setattr(
        "indgen.runner.certified.shipped", lambda axis: Certificate.model_validate_json(path.read_text())
    )
    assert with_certificate(plan, FlagAxis()) == plan


def test_nothing_left_is_refused(tmp_path: Path) -> None:
    cells = [(task, level) for task in PLAN.tasks for level in PLAN.levels]
    with pytest.raises(UsageError, match="none of these cells of lane/flag-v1 is certified; got red_flag at"):
        certified(tmp_path, *cells)
    assert certified(tmp_path, *cells, include=True).size == PLAN.size


def test_another_axis_certificate_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="certifies another axis"):
        with_certificate(PLAN, FlagAxis(), write(tmp_path / "c.json", axis="lane/pits-v1"))


def test_a_composed_axis_needs_the_cells_of_all_its_parts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The second part is asked at the level's distance."""
    plan = lane_plan(levels=(-1, 0, 1, 2), rollouts=1)
    files = {
        "lane/flag-v1": write(tmp_path / "a.json", ("red_flag", 2)),
        "lane/pits-v1": write(tmp_path / "b.json", ("blue_flag", 1), axis="lane/pits-v1"),
    }
    monkeypatch.setattr(
        "indgen.runner.certified.shipped",
        lambda axis: Certificate.model_validate_json(files[axis].read_text()) if axis in files else None,
    )
    found = with_certificate(plan, Composed([FlagAxis(), PitAxis()]))
    assert set(found.uncertified) == {("red_flag", 2), ("blue_flag", 1), ("blue_flag", -1)}
    assert found.certificate is not None
    assert found.certificate.count("+") == 1


def test_a_certificate_of_another_world_says_what_differs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = Certificate.model_validate_json(write(tmp_path / "c.json").read_text())
    made = found.model_copy(update={"manifest": {"packages": {"mujoco": "2.3.7"}, "assets": "be84"}})
    monkeypatch.setattr("indgen.runner.certified.shipped", lambda axis: made)
    assert made_elsewhere(FlagAxis(), {"packages": {"mujoco": "2.3.7", "numpy": "2"}, "assets": "be84"}) == []
    assert made_elsewhere(FlagAxis(), {"packages": {"mujoco": "3.1"}, "assets": "be84"}) == [
        "the certificate of lane/flag-v1 was made with another world: mujoco 2.3.7 then, 3.1 now"
    ]

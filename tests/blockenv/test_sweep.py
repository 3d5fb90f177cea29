"""BlockEnv through the runner, as ``evaluate-axis`` has it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from indgen import reports
from indgen.core.errors import LayoutError, RunFolderError
from indgen.runner.episodes import Episode, Outcome
from indgen.runner.folder import RunFolder
from indgen.runner.parts import Parts, load_parts
from indgen.runner.pictures import take_pictures
from indgen.runner.plan import Plan
from indgen.runner.planning import make_plan
from indgen.runner.preview import take_shots
from indgen.runner.sweep import run_sweep

from ..runner.lane import Watcher


def sweep(path: Path, parts: Parts, plan: Plan) -> list[Episode]:
    folder = RunFolder(path, plan)
    try:
        episodes = run_sweep(plan, parts, folder, 1, Watcher())
        assert take_pictures(plan, parts, folder) is None
        return episodes
    finally:
        folder.close()


@pytest.mark.parametrize(("world", "deepest"), [("blockenv", 9), ("blockenv20", 19)])
def test_the_oracle_never_breaks_and_takes_one_grasp_more_than_the_level(
    tmp_path: Path, world: str, deepest: int
) -> None:
    parts = load_parts(world, "oracle", "depth")
    plan = make_plan(parts, rollouts=10)
    episodes = sweep(tmp_path, parts, plan)
    assert plan.levels == tuple(range(deepest + 1))
    assert {(e.level, e.outcome, e.steps) for e in episodes} == {
        (level, Outcome.SUCCESS, level + 1) for level in plan.levels
    }
    run = reports.read_run(tmp_path)
    report = reports.build(run)
    (broken,) = report.break_levels
    assert (broken.direction, broken.level) == ("+", None)
    assert reports.write(run, report).read_text().count("data:image/png") >= len(plan.levels)


def test_what_decides_the_results_is_in_the_manifest(tmp_path: Path) -> None:
    parts = load_parts("blockenv", "oracle", "depth")
    sweep(tmp_path, parts, make_plan(parts, rollouts=1, levels="0,1"))
    manifest = json.loads((tmp_path / "manifest.json").read_text())["world"]
    assert manifest["grid"] == 10
    assert manifest.keys() >= {"step_limit", "illegal_grasp", "outside_the_grid", "rules"}


def test_a_random_policy_is_sound_and_hopeless(tmp_path: Path) -> None:
    parts = load_parts("blockenv", "random", "depth")
    episodes = sweep(tmp_path, parts, make_plan(parts, rollouts=10, levels="2..4"))
    assert Counter(e.outcome for e in episodes) == {Outcome.FAILURE: 30}
    assert {(e.level, e.steps, e.stage) for e in episodes} == {(k, 2 * k + 1, "goal blocked") for k in (2, 3, 4)}


def test_every_level_is_pictured_and_previewed_alike(tmp_path: Path) -> None:
    parts = load_parts("blockenv", "oracle", "depth")
    plan = make_plan(parts, rollouts=1, levels="0..2")
    sweep(tmp_path, parts, plan)
    for shot in take_shots(parts.world, parts.axis, plan.tasks[0], 0, plan.levels, 256):
        with Image.open(tmp_path / "pictures" / f"level_{shot.level}.png") as kept:
            assert np.array_equal(np.asarray(kept), shot.images["top"])


def test_an_episode_is_filmed_at_half_a_second_a_grasp(tmp_path: Path) -> None:
    parts = load_parts("blockenv", "oracle", "depth")
    sweep(tmp_path, parts, make_plan(parts, rollouts=1, levels="3", video=True))
    (path,) = (tmp_path / "videos").iterdir()
    with av.open(str(path)) as film:
        assert sum(1 for _ in film.decode(video=0)) == 4 * 5
        assert film.streams.video[0].average_rate == 10


@pytest.mark.parametrize(
    ("world", "policy", "axis", "said"),
    [
        ("libero", "oracle", "pick", "action layout blockenv/grasp-10x10, the world takes libero/osc-pose-delta"),
        ("blockenv", "expert", "depth", "action layout libero/osc-pose-delta, the world takes blockenv/grasp-10x10"),
    ],
)
def test_a_policy_of_another_world_is_refused(world: str, policy: str, axis: str, said: str) -> None:
    with pytest.raises(LayoutError, match=said):
        load_parts(world, policy, axis)


def test_a_finished_run_is_not_shown_as_another_checkpoint_s(tmp_path: Path) -> None:
    parts = load_parts("blockenv", "local", "depth")
    plan = make_plan(parts, levels="0..1", rollouts=2)
    sweep(tmp_path, parts, plan)
    assert len(sweep(tmp_path, parts, plan)) == 4
    card = replace(parts.policy.card, checkpoint="local-seed0 sha256:another")
    parts.policy.card = card  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(RunFolderError, match=r"has changed.*policy_card.*another"):
        sweep(tmp_path, parts, plan)


def test_a_demonstrator_of_another_world_is_refused_before_anything_runs() -> None:
    with pytest.raises(LayoutError, match=r"replay cannot be run in blockenv.*expert, which does not fit"):
        load_parts("blockenv", "replay", "depth")

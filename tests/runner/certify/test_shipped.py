"""The certificates that ship, against their worlds: BlockEnv's is made anew, of LIBERO's a sample is."""

from __future__ import annotations

from pathlib import Path

import pytest

from indgen.axes.certificates import Certificate, shipped
from indgen.runner.certify import Certification, certify
from indgen.runner.parts import Parts, load_parts
from indgen.runner.planning import make_plan
from indgen.sim.libero.tasks import SUITE, TASKS

from ..lane import Watcher

AXES = ("libero/pick-v1", "libero/goal-v1", "libero/scale-v1", "libero/distractors-v1")


def certificate_of(axis: str) -> Certificate:
    found = shipped(axis)
    assert found is not None
    return found


@pytest.mark.parametrize("axis", AXES)
def test_every_cell_of_the_default_suite_was_judged(axis: str) -> None:
    parts, found = load_parts("libero", "expert", axis), certificate_of(axis)
    cells = [(task.name, level) for task in TASKS if task.suite == SUITE for level in parts.axis.card.levels]
    assert [(cell.task, cell.level) for cell in found.cells] == cells
    assert {cell.geometry.starts for cell in found.cells} == {50}
    assert found.expert_starts == (10, 29)
    sound = [cell for cell in found.cells if cell.certified]
    assert len(sound) >= 0.9 * len(cells)
    assert all(cell.reasons for cell in found.cells if not cell.certified)


def test_the_known_collisions_are_what_pick_leaves_out() -> None:
    left_out = {
        (cell.task.split("_the_")[1].removesuffix("_and_place_it_in"), cell.level)
        for cell in certificate_of("libero/pick-v1").cells
        if not cell.certified
    }
    assert left_out == {("cream_cheese", -3), ("salad_dressing", -3), ("tomato_sauce", -3)}
    assert all(cell.certified for cell in certificate_of("libero/goal-v1").cells)


@pytest.mark.parametrize("world", ["blockenv", "blockenv20"])
def test_depth_is_certified_at_every_level_and_comes_out_again(tmp_path: Path, world: str) -> None:
    parts = load_parts(world, "oracle", "depth")
    again = certify(Certification(parts, make_plan(parts, rollouts=20, first=10), 50, tmp_path), 1, Watcher())
    assert again == certificate_of(f"{world}/depth-v1"), "the rules changed: `indgen certify depth` makes it anew"
    assert [cell.level for cell in again.cells] == list(parts.axis.card.levels)
    assert all(cell.certified and not cell.geometry.broken for cell in again.cells)
    assert [cell.geometry.distance for cell in again.cells[1:]] == [float(k) for k in parts.axis.card.levels[1:]]


@pytest.mark.libero
@pytest.mark.parametrize(
    ("axis", "task", "levels"),
    [
        ("pick", "cream_cheese", "-2"),
        ("goal", "ketchup", "3"),
        ("scale", "tomato_sauce", "3"),
        ("distractors", "milk", "3"),
    ],
)
def test_a_sample_is_judged_as_it_was(libero_python: Path, tmp_path: Path, axis: str, task: str, levels: str) -> None:
    """Three of the measured starts, two of the expert's: every verdict on them comes out again."""
    parts: Parts = load_parts("libero", "expert", axis)
    plan = make_plan(parts, tasks=task, levels=levels, rollouts=2, first=10)
    again = certify(Certification(parts, plan, 3, tmp_path), 1, Watcher())
    kept = certificate_of(parts.axis.card.id)
    for part in ("packages", "assets"):
        assert again.manifest[part] == kept.manifest[part], "the certificates were made with another world"
    for cell in again.cells:
        before = kept.cell(cell.task, cell.level)
        assert before is not None
        assert before.expert is not None
        assert cell.expert is not None
        assert cell.geometry.broken == tuple(each for each in before.geometry.broken if each.start < 3)
        assert cell.geometry.changed == before.geometry.changed
        assert cell.geometry.reach is not None
        assert before.geometry.reach is not None
        assert cell.geometry.reach >= before.geometry.reach
        assert cell.expert.failed == tuple(start for start in before.expert.failed if start in (10, 11))

"""What is refused, what is only noted, and what --force records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from indgen.core.errors import RunFolderError, UsageError
from indgen.reports.compare import Comparison, compare, write

from .conftest import Spell

LEVELS = {0: "SSFF", 1: "SFFF"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"manifest": {"world": {"mujoco": "3.1"}}}, "world.mujoco: 2.3.7 (A), 3.1 (B)"),
        ({"manifest": {"world": {"mujoco": "2.3.7", "assets": "ab"}}}, "world.assets: nothing (A), ab (B)"),
        ({"manifest": {"world": {"mujoco": "2.3.7", "packages": {"x": "1"}}}}, "world.packages.x: nothing (A), 1 (B)"),
        ({"success": "strict"}, "success: in_basket (A), strict (B)"),
        ({"max_steps": 300}, "max_steps: 280 (A), 300 (B)"),
        ({"execute": 5}, "execute: 1 (A), 5 (B)"),
        ({"tasks": ("pick_the_milk_up", "pick_the_soup_up")}, "tasks beyond the shared ones: "),
        ({"axis": "libero/pick-v2"}, "axis.id: libero/pick-v1 (A), libero/pick-v2 (B)"),
    ],
)
def test_refused_and_named_unless_forced(run: Spell, changes: dict[str, Any], said: str) -> None:
    runs = [run("a", LEVELS), run("b", LEVELS, **changes)]
    with pytest.raises(UsageError) as refusal:
        compare(runs)
    assert said in str(refusal.value)
    assert "--force" in str(refusal.value)
    forced = compare(runs, force=True)
    assert len(forced.differences) == 1
    assert forced.differences[0].startswith(said)
    assert forced.axes[0].pairs[0].levels[0].n_a == 4
    assert any("own tasks" in note for note in forced.notes) == ("tasks" in changes)


def test_all_differences_stand_in_one_error(run: Spell) -> None:
    runs = [run("a", LEVELS), run("b", LEVELS, success="strict"), run("c", LEVELS, max_steps=3)]
    with pytest.raises(
        UsageError, match=r"success: in_basket \(A, C\), strict \(B\); max_steps: 280 \(A, B\), 3 \(C\)"
    ):
        compare(runs)


def test_opengl_matters_among_policies_that_look(run: Spell) -> None:
    egl, mesa = ({"world": {"mujoco": "2.3.7", "gl": gl}} for gl in ("egl", "osmesa"))
    compare([run("a", LEVELS, manifest=egl), run("b", LEVELS, manifest=mesa)])
    looks = {"images": {"front": (8, 8)}}
    one, other = run("c", LEVELS, manifest=egl, **looks), run("d", LEVELS, manifest=mesa, **looks)
    with pytest.raises(UsageError, match=r"world\.gl: egl \(A\), osmesa \(B\)"):
        compare([one, other])
    compare([one, run("e", LEVELS, manifest=mesa)])


def test_a_policys_own_replan_horizon_is_only_noted(run: Spell) -> None:
    a, b = run("a", LEVELS), run("b", LEVELS, execute=5, execute_of_policy=5)
    assert "execute (each policy's own): 1 (A), 5 (B)" in compare([a, b]).notes


def test_what_is_only_noted(run: Spell) -> None:
    a = run("a", {0: "SSFF", 1: "SFF.", 2: "FFFF"}, manifest={"source": "abc", "packages": {"numpy": "1"}})
    b = run("b", {0: "SSFF", 1: "SFFF"}, manifest={"source": "def", "packages": {"numpy": "2"}})
    found = compare([a, b])
    assert [arm.complete for arm in found.runs] == [False, True]
    for note in (
        "A is INCOMPLETE: 1 planned episodes have not run",
        "source of indgen: abc (A), def (B)",
        "package numpy: 1 (A), 2 (B)",
        "levels 2 of A are left out: not all runs have them",
    ):
        assert note in found.notes
    assert found.axes[0].levels == (0, 1)


def test_requests_that_cannot_be_carried_out(run: Spell, tmp_path: Path) -> None:
    a = run("a", LEVELS)
    for paths, kind, said in (
        ([], UsageError, "got 0; expected two"),
        ([a], UsageError, "got 1; expected two"),
        ([a, tmp_path / "." / "a"], UsageError, "given twice"),
        ([a, tmp_path / "nowhere"], RunFolderError, "no run folder"),
        ([a, run("far", {5: "SSSS"})], UsageError, "share no level; got A: 0, 1; B: 5"),
        ([a, run("goal", LEVELS, axis="libero/goal-v1")], UsageError, "no two of these runs are of one axis"),
    ):
        with pytest.raises(kind, match=said):
            compare(paths)
    with pytest.raises(UsageError, match="between 0 and 1"):
        compare([a, run("b", LEVELS)], confidence=1.0)
    with pytest.raises(UsageError, match="share no task"):
        compare([a, run("other", LEVELS, tasks=("pick_the_soup_up",))], force=True)


def test_names_are_unique_within_an_axis(run: Spell) -> None:
    def names(*runs: Path) -> list[str]:
        return [arm.name for arm in compare(runs).runs]

    x, y, z = run("x", LEVELS), run("y", LEVELS), run("z", LEVELS, policy="other", label="h")
    assert names(x, z) == ["replay", "h"]
    assert names(x, y, z) == ["x", "y", "z"]
    assert names(run("v", LEVELS, label="h"), z) == ["h replay", "h other"]


def test_the_record_round_trips_and_is_the_same_again(run: Spell, tmp_path: Path) -> None:
    runs = [run("a", LEVELS), run("b", LEVELS, seed=9, label="$b_$"), run("c", LEVELS, label="c")]
    found = compare(runs)
    path = write(tmp_path / "out" / "here", found)
    names = ["compare.json", "success_compare.png", "success_compare.svg"]
    assert sorted(file.name for file in path.parent.iterdir()) == names
    assert Comparison.model_validate_json(path.read_text()) == found
    assert found.schema_version == 1
    before = [(path.parent / name).read_bytes() for name in (names[0], names[2])]
    write(path.parent, compare(runs))
    assert [(path.parent / name).read_bytes() for name in (names[0], names[2])] == before
    assert "B: $b_$" in (path.parent / names[2]).read_text()


def test_an_unwritable_folder_is_one_error(run: Spell, tmp_path: Path) -> None:
    found = compare([run("a", LEVELS), run("b", LEVELS)])
    (tmp_path / "file").touch()
    with pytest.raises(RunFolderError, match="cannot be written"):
        write(tmp_path / "file", found)

"""A composed axis beside its parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from indgen.core.errors import UsageError
from indgen.reports.compare import compare
from indgen.reports.compare.attribution import part_names

from .conftest import Spell

PICK = {-1: "SSSSSSSS", 0: "SSSSSSSS", 1: "SSSSSSFF"}
MORE = {0: "SSSSSSSS", 1: "SSSSSSSF", 2: "FFFFFFFF"}
BOTH = {-1: "FFFFSSSS", 0: "SSSSSSSS", 1: "FFFFFFFF"}


@pytest.mark.parametrize(
    ("axis", "parts"),
    [
        ("libero/pick+distractors", ["libero/pick", "libero/distractors"]),
        ("libero/pick-v1+libero/distractors-v2", ["libero/pick", "libero/distractors"]),
        ("libero/pick-v1+big-vase-v10+x", ["libero/pick", "libero/big-vase", "libero/x"]),
        ("a+b", ["a", "b"]),
    ],
)
def test_parts_of_an_id(axis: str, parts: list[str]) -> None:
    assert part_names(axis) == parts


def runs(run: Spell) -> list[Path]:
    return [
        run("both", BOTH, axis="libero/pick+distractors-v1"),
        run("pick", PICK, axis="libero/pick-v1"),
        run("more", MORE, axis="libero/distractors-v1"),
    ]


def test_a_hand_computed_table(run: Spell) -> None:
    found = compare(runs(run))
    assert found.axes == ()
    (table,) = found.attributions
    assert (table.policy, table.axis) == ("replay", "libero/pick+distractors-v1")
    assert table.parts == ("libero/pick-v1", "libero/distractors-v1")
    assert table.runs == ("B", "C", "A")
    assert [row.level for row in table.levels] == [-1, 0, 1]
    below, _, above = table.levels
    # The second part is at level 1 on both sides.
    assert [rate.successes for rate in below.rates] == [8, 7, 4]
    assert [rate.successes for rate in above.rates] == [6, 7, 0]
    assert [rate.level for rate in below.rates] == [-1, 1, -1]
    minus_pick, minus_more = below.differences
    assert (minus_pick.only_a, minus_pick.only_b, minus_pick.difference) == (0, 4, -0.5)
    assert minus_pick.p == pytest.approx(2 / 16)
    # Starts 0 to 3 are won by the part alone, start 7 by the composition alone.
    assert (minus_more.only_a, minus_more.only_b) == (1, 4)
    assert minus_more.p == pytest.approx(12 / 32)
    minus_pick, minus_more = above.differences
    assert (minus_pick.p, minus_more.p) == (pytest.approx(2 / 64), pytest.approx(2 / 128))
    # A family of six: 1, 1, 2/16, 12/32, 2/64, 2/128.
    assert (minus_more.p_holm, minus_pick.p_holm) == (pytest.approx(6 / 64), pytest.approx(5 / 32))


def test_parts_belong_to_one_policy_and_label(run: Spell) -> None:
    both, pick, more = runs(run)
    other = run("other", PICK, axis="libero/pick-v1", policy="other")
    found = compare([both, pick, more, other])
    assert len(found.attributions) == 1
    assert [axis.axis for axis in found.axes] == ["libero/pick-v1"]
    lone = compare([both, other, more, pick, run("pick2", PICK, axis="libero/pick-v1")])
    assert lone.attributions == ()
    assert any("no attribution of A" in note and "2 runs of libero/pick" in note for note in lone.notes)


def test_no_level_in_common_is_said(run: Spell) -> None:
    both, pick, _ = runs(run)
    far = run("far", {5: "SSSSSSSS"}, axis="libero/distractors-v1")
    found = compare([both, pick, far, run("pick2", PICK, axis="libero/pick-v1", policy="other")])
    assert any("no level that its parts have" in note for note in found.notes)


def test_versions_of_a_composition_are_set_side_by_side_only_by_force(run: Spell) -> None:
    first = run("first", BOTH, axis="libero/pick-v1+distractors-v1")
    second = run("second", BOTH, axis="libero/pick-v2+distractors-v1")
    with pytest.raises(UsageError, match=r"axis\.id: libero/pick-v1\+distractors-v1 \(A\), libero/pick-v2\+dis"):
        compare([first, second])

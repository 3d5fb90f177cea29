from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.core.edits import Deepen, Edit, Reveal, Scale, Translate, edit_from_dict, edit_to_dict, merge
from indgen.core.errors import SceneError

STEPS = st.integers(-5, 5)
NAMES = st.sampled_from(("milk", "basket"))
EDITS: st.SearchStrategy[Edit] = st.one_of(
    st.builds(Translate, NAMES, st.sampled_from(("x", "y", "z")), STEPS, st.sampled_from((0.025, 0.05))),
    st.builds(Scale, NAMES, STEPS, st.sampled_from((0.0667, 0.1))),
    st.builds(Reveal, STEPS),
    st.builds(Deepen, STEPS),
)
LISTS = st.lists(EDITS, max_size=8)


@given(LISTS, st.randoms(use_true_random=False))
def test_merging_forgets_the_order(edits: list[Edit], random: Random) -> None:
    assert merge(random.sample(edits, len(edits))) == merge(edits)


@given(LISTS, LISTS, LISTS)
def test_merging_is_associative(a: list[Edit], b: list[Edit], c: list[Edit]) -> None:
    assert merge([*merge([*a, *b]), *c]) == merge([*a, *merge([*b, *c])])


@given(LISTS)
def test_merging_twice_is_merging_once(edits: list[Edit]) -> None:
    assert merge(merge(edits)) == merge(edits)


@given(LISTS)
def test_edits_cancel_exactly(edits: list[Edit]) -> None:
    undone = [edit_from_dict({**edit_to_dict(edit), "k": -edit.k}) for edit in edits]
    assert merge([*edits, *undone]) == ()


@given(LISTS)
def test_no_merged_edit_has_zero_steps_and_no_target_stands_twice(edits: list[Edit]) -> None:
    merged = merge(edits)
    assert all(edit.k != 0 for edit in merged)
    targets = [tuple((name, value) for name, value in edit_to_dict(edit).items() if name != "k") for edit in merged]
    assert len(set(targets)) == len(targets)


@given(EDITS, STEPS, STEPS)
def test_steps_on_one_target_add_up(edit: Edit, a: int, b: int) -> None:
    def stepped(k: int) -> Edit:
        return edit_from_dict({**edit_to_dict(edit), "k": k})

    assert merge([stepped(a), stepped(b)]) == merge([stepped(a + b)])


def test_other_targets_stay_apart() -> None:
    apart = (
        Translate("milk", "y", 1, 0.025),
        Translate("milk", "x", 1, 0.025),
        Translate("soup", "y", 1, 0.025),
        Translate("milk", "y", 1, 0.05),
        Scale("milk", 1, 0.025),
        Reveal(1),
        Deepen(1),
    )
    assert set(merge(apart)) == set(apart)


def test_equal_steps_are_one_target() -> None:
    assert merge([Translate("milk", "x", 1, 1), Translate("milk", "x", -1, 1.0)]) == ()


@given(EDITS)
def test_edits_survive_plain_data(edit: Edit) -> None:
    assert edit_from_dict(edit_to_dict(edit)) == edit


@pytest.mark.parametrize("kind", ["rotate", None, 3])
def test_an_unknown_kind_names_those_that_exist(kind: object) -> None:
    with pytest.raises(SceneError, match=r"unknown edit; got .*; exists: deepen, reveal, scale, translate"):
        edit_from_dict({"kind": kind, "k": 1})


def test_metres_and_factors_are_integer_steps() -> None:
    assert Translate("milk", "y", -3, 0.025).metres == -3 * 0.025
    assert Scale("milk", 2, 0.0667).factor == 1 + 2 * 0.0667

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from indgen.core.errors import PolicyError
from indgen.core.layouts import RANGE_SLACK, ActionField, ActionLayout

LAYOUT = ActionLayout("arm/delta", (ActionField("dx", -1, 1, "metres"), ActionField("grip", 0, 1, "1 closes")), 20.0)
INSIDE = arrays(np.float64, st.tuples(st.integers(1, 4), st.just(2)), elements=st.floats(0, 1))


@given(INSIDE)
def test_actions_in_range_pass_unchanged(actions: np.ndarray) -> None:
    checked = LAYOUT.check(actions)
    assert checked.dtype == np.float64
    assert np.array_equal(checked, actions)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int8, np.uint16])
def test_any_number_becomes_float64(dtype: type) -> None:
    checked = LAYOUT.check(np.ones((3, 2), dtype))
    assert checked.dtype == np.float64
    assert np.array_equal(checked, np.ones((3, 2)))


@pytest.mark.parametrize("dtype", [bool, object, complex, "U1", "M8[s]"])
def test_what_is_no_real_number_is_refused(dtype: type | str) -> None:
    with pytest.raises(PolicyError, match="actions are not numbers; got dtype"):
        LAYOUT.check(np.ones((1, 2)).astype(int).astype(dtype))


@pytest.mark.parametrize("shape", [(2,), (0, 2), (1, 3), (1, 1), (1, 1, 2), ()])
def test_a_wrong_shape_is_refused_with_the_right_one(shape: tuple[int, ...]) -> None:
    with pytest.raises(PolicyError, match=r"wrong shape; got .*; expected \(n >= 1, 2\) in arm/delta"):
        LAYOUT.check(np.zeros(shape))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_refused_by_the_entry_s_name(value: float) -> None:
    with pytest.raises(PolicyError, match="not finite; got NaN or infinity in grip; expected arm/delta"):
        LAYOUT.check(np.array([[0.0, 0.0], [0.0, value]]))


@pytest.mark.parametrize(("row", "words"), [([1.5, 0], "got 1.5 in dx"), ([0, -0.25], "got -0.25 in grip")])
def test_leaving_the_range_says_what_where_and_what_it_means(row: list[float], words: str) -> None:
    with pytest.raises(PolicyError, match=rf"leave the range of arm/delta; {words}; expected \[.*\] \(.*\)"):
        LAYOUT.check(np.array([[0.0, 0.0], row]))


def test_the_value_named_is_one_that_left_the_range() -> None:
    with pytest.raises(PolicyError, match=r"got -0\.25 in grip"):
        LAYOUT.check(np.array([[0.0, 0.75], [0.0, -0.25]]))


@given(st.floats(0, 0.99))
def test_rounding_is_clipped_and_more_is_refused(part: float) -> None:
    checked = LAYOUT.check(np.array([[1 + part * RANGE_SLACK, -part * RANGE_SLACK]]))
    assert np.array_equal(checked, [[1.0, 0.0]])
    with pytest.raises(PolicyError):
        LAYOUT.check(np.array([[1 + (1.01 + part) * RANGE_SLACK, 0.0]]))


def test_bounds_and_length_follow_the_fields() -> None:
    assert LAYOUT.dim == 2
    assert LAYOUT.low.tolist() == [-1, 0]
    assert LAYOUT.high.tolist() == [1, 1]


def test_checking_never_touches_what_it_was_given() -> None:
    actions = np.array([[1 + RANGE_SLACK / 2, 0.0]])
    LAYOUT.check(actions)
    assert actions[0, 0] == 1 + RANGE_SLACK / 2


WHOLE = ActionLayout(
    "board/cell", (ActionField("row", 0, 9, "row of a cell", whole=True), ActionField("dx", 0, 1, "m"))
)


def test_whole_entries_pass_and_fractions_are_refused_with_their_meaning() -> None:
    assert WHOLE.whole.tolist() == [True, False]
    assert WHOLE.check(np.array([[9.0, 0.5]], np.float32)).tolist() == [[9.0, 0.5]]
    with pytest.raises(PolicyError, match=r"not whole in board/cell; got 2.5 in row; expected a whole number \(row of"):
        WHOLE.check(np.array([[1.0, 0.5], [2.5, 0.5]]))

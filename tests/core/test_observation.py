from __future__ import annotations

import numpy as np
import pytest

from indgen.core.errors import PolicyError
from indgen.core.layouts import ActionField, ActionLayout
from indgen.core.observation import ActionChunk

LAYOUT = ActionLayout("arm/delta", (ActionField("dx", -1, 1, "m"),))


@pytest.mark.parametrize("execute", [1, 2, 3])
def test_a_checked_chunk_holds_exactly_what_is_executed(execute: int) -> None:
    checked = ActionChunk(np.array([[0.1], [0.2], [0.3]]), "arm/delta", execute).check(LAYOUT)
    assert checked.actions.tolist() == [[0.1], [0.2], [0.3]][:execute]
    assert (checked.layout, checked.execute) == ("arm/delta", execute)


def test_checking_twice_changes_nothing() -> None:
    once = ActionChunk(np.array([[0.1], [0.2]], np.float32), "arm/delta", 1).check(LAYOUT)
    assert np.array_equal(once.check(LAYOUT).actions, once.actions)


@pytest.mark.parametrize("execute", [0, -1, 3])
def test_a_chunk_cannot_execute_what_it_does_not_hold(execute: int) -> None:
    with pytest.raises(PolicyError, match=rf"got execute={execute} of 2 actions; expected 1 to 2"):
        ActionChunk(np.zeros((2, 1)), "arm/delta", execute).check(LAYOUT)


def test_another_layout_is_refused_whatever_the_numbers() -> None:
    with pytest.raises(PolicyError, match="another layout; got arm/absolute; expected arm/delta"):
        ActionChunk(np.zeros((1, 1)), "arm/absolute", 1).check(LAYOUT)


def test_the_part_that_is_not_executed_is_checked_too() -> None:
    with pytest.raises(PolicyError, match="not finite"):
        ActionChunk(np.array([[0.0], [np.nan]]), "arm/delta", 1).check(LAYOUT)


@pytest.mark.parametrize(("actions", "execute"), [([[0.0], [0.0, 0.0]], 1), (np.zeros((1, 1)), "1")])
def test_nonsense_of_any_kind_is_the_policy_s_error(actions: np.ndarray, execute: int) -> None:
    with pytest.raises(PolicyError):
        ActionChunk(actions, "arm/delta", execute).check(LAYOUT)

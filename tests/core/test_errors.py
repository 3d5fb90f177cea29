from __future__ import annotations

import inspect

import pytest

from indgen.core import errors
from indgen.core.errors import IndgenError, UnknownName, UsageError


def test_a_message_says_everything_in_order() -> None:
    error = IndgenError("it broke", got=0, expected="1", exists=("a", "b"), hint="mend it")
    assert str(error) == "it broke; got 0; expected 1; exists: a, b; mend it"


def test_a_message_leaves_out_what_was_not_said() -> None:
    assert str(IndgenError("it broke")) == "it broke"
    assert str(IndgenError("it broke", exists=iter(()))) == "it broke; exists: nothing"


@pytest.mark.parametrize(("name", "hint"), [("mlik", "did you mean milk?"), ("pear", "did you mean peas or bear?")])
def test_an_unknown_name_suggests_the_closest_ones(name: str, hint: str) -> None:
    assert str(UnknownName("task", name, ["peas", "milk", "bear"])).endswith(f"exists: bear, milk, peas; {hint}")


def test_a_name_like_no_other_gets_the_hint_it_came_with() -> None:
    assert str(UnknownName("task", "zzz", ["milk"], "look there")).endswith("exists: milk; look there")
    assert str(UnknownName("task", "zzz", [])) == "unknown task; got 'zzz'; exists: nothing"


def test_every_error_is_ours_and_only_wrong_requests_leave_with_2() -> None:
    found = [cls for _, cls in inspect.getmembers(errors, inspect.isclass) if issubclass(cls, IndgenError)]
    assert len(found) > 10
    assert [cls for _, cls in inspect.getmembers(errors, inspect.isclass) if issubclass(cls, Exception)] == found
    assert {cls: cls.exit_code for cls in found} == {cls: 2 if issubclass(cls, UsageError) else 1 for cls in found}

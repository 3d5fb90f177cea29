from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indgen.core.slots import EpisodeKey

KEYS = st.builds(EpisodeKey, st.sampled_from(("milk", "soup")), st.integers(0, 99), st.integers(-9, 9))


@given(KEYS, KEYS)
def test_a_key_s_text_is_the_key_s_own(a: EpisodeKey, b: EpisodeKey) -> None:
    assert (str(a) == str(b)) == (a == b)


@given(st.lists(KEYS))
def test_keys_sort_by_task_then_start_then_level(keys: list[EpisodeKey]) -> None:
    assert sorted(keys) == sorted(keys, key=lambda key: (key.task, key.rollout, key.level))


def test_levels_carry_their_sign() -> None:
    texts = [str(EpisodeKey("milk", 3, level)) for level in (-2, 0, 2)]
    assert texts == ["milk/3/-2", "milk/3/0", "milk/3/+2"]

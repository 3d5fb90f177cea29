from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.core.edits import Translate
from indgen.core.errors import SceneError
from indgen.core.scene import Scene, freeze, thaw

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), FLOATS, st.text(max_size=8))
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
SCENES = st.builds(
    Scene,
    world=st.text(max_size=8),
    task=st.text(max_size=8),
    instruction=st.text(max_size=20),
    init_state=st.lists(FLOATS, max_size=5).map(tuple),
    seed=st.integers(0, 2**63 - 1),
    facts=st.dictionaries(st.text(max_size=5), JSON, max_size=3),
    edits=st.lists(
        st.builds(Translate, st.text(max_size=5), st.sampled_from("xyz"), st.integers(-9, 9), FLOATS), max_size=3
    ).map(tuple),
)


def milk(**changes: Any) -> Scene:
    fields: dict[str, Any] = {
        "world": "libero",
        "task": "milk",
        "instruction": "pick up the milk",
        "init_state": (0.1, -0.0, 1e-300),
        "seed": 7,
        "facts": {"pick": "milk_1", "rest": {"milk_1": [0.1, 0.2]}, "über": None},
        "edits": (Translate("milk_1", "y", 2, 0.025),),
    }
    return Scene(**{**fields, **changes})


@given(SCENES)
def test_json_carries_a_scene_exactly(scene: Scene) -> None:
    back = Scene.from_dict(json.loads(json.dumps(scene.to_dict())))
    assert back.to_dict() == scene.to_dict()
    assert [value.hex() for value in back.init_state] == [value.hex() for value in scene.init_state]
    assert (back, hash(back), back.digest) == (scene, hash(scene), scene.digest)


@given(JSON)
def test_thawing_undoes_freezing(value: object) -> None:
    assert thaw(freeze(value)) == value


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_the_digest_is_the_same_in_every_process(hash_seed: str) -> None:
    code = (
        "import json, sys; from indgen.core.scene import Scene;"
        "print(Scene.from_dict(json.load(sys.stdin)).digest, end='')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(milk().to_dict()),
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == milk().digest


def test_the_digest_is_pinned_across_releases() -> None:
    assert Scene("w", "t", "i", (), 0, {}).digest == "e92cf0ecf45bc291f36c5ba557c2e9909deb058fdef615da18dc18509f12790e"


@pytest.mark.parametrize(
    "changes",
    [
        {"world": "robocasa"},
        {"task": "soup"},
        {"instruction": "pick up the soup"},
        {"init_state": (0.1, 0.0, 1e-300)},
        {"seed": 8},
        {"facts": {"pick": "milk_1"}},
        {"edits": ()},
        {"edits": (Translate("milk_1", "y", 2, 0.05),)},
    ],
)
def test_every_field_makes_another_scene(changes: dict[str, Any]) -> None:
    assert milk(**changes) != milk()
    assert milk(**changes).digest != milk().digest


def test_the_order_of_facts_makes_no_difference() -> None:
    assert milk(facts={"a": 1, "b": 2}) == milk(facts={"b": 2, "a": 1})


def test_equal_scenes_are_one_key_and_a_scene_equals_nothing_else() -> None:
    assert len({milk(), milk(), milk(seed=8)}) == 2
    assert milk() != milk().to_dict()


def test_a_scene_cannot_be_changed() -> None:
    scene = milk()
    with pytest.raises(FrozenInstanceError):
        scene.seed = 1  # type: ignore[misc]
    with pytest.raises(TypeError):
        scene.facts["pick"] = "soup"  # type: ignore[index]
    with pytest.raises(TypeError):
        scene.facts["rest"]["milk_1"] = ()
    with pytest.raises(TypeError):
        scene.facts["rest"]["milk_1"][0] = 9.0


def test_a_scene_is_deaf_to_later_changes_of_what_it_was_made_from() -> None:
    rest: dict[str, list[float]] = {"milk_1": [0.1, 0.2]}
    scene = milk(facts={"rest": rest})
    rest["milk_1"][0] = 9.0
    assert scene.fact("rest")["milk_1"] == (0.1, 0.2)


def test_plain_data_can_be_changed_without_touching_the_scene() -> None:
    scene = milk()
    scene.to_dict()["facts"]["rest"]["milk_1"][0] = 9.0
    assert scene.fact("rest")["milk_1"] == (0.1, 0.2)


def test_editing_touches_edits_alone_and_base_takes_them_back() -> None:
    moved = milk().edit(Translate("milk_1", "y", 1, 0.025))
    assert moved.edits == (Translate("milk_1", "y", 3, 0.025),)
    assert replace(moved, edits=milk().edits) == milk()
    assert moved.base == milk(edits=())


def test_an_edit_and_its_inverse_leave_the_scene_as_it_was() -> None:
    assert milk().edit(Translate("soup", "x", 1, 0.1)).edit(Translate("soup", "x", -1, 0.1)) == milk()


def test_a_missing_fact_names_those_that_exist() -> None:
    with pytest.raises(
        SceneError, match=r"scene of libero/milk has no such fact; got 'goal'; exists: pick, rest, über"
    ):
        milk().fact("goal")


@pytest.mark.parametrize("value", [np.zeros(2), {1, 2}, b"raw", object(), {"deep": [np.int64(1)]}])
def test_a_fact_is_plain_data(value: object) -> None:
    with pytest.raises(SceneError, match=r"a fact must be plain data; got \w+; expected a JSON value"):
        milk(facts={"a": value})


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_fact_is_finite(value: float) -> None:
    with pytest.raises(SceneError):
        milk(facts={"a": value})


def test_an_unknown_edit_in_plain_data_is_refused() -> None:
    with pytest.raises(SceneError, match="unknown edit"):
        Scene.from_dict({**milk().to_dict(), "edits": [{"kind": "rotate", "k": 1}]})

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from indgen.core import ActionChunk, ActionField, ActionLayout, ImageField, Observation, Slot, StateField, WorldLayout
from indgen.core.errors import LayoutError
from indgen.policies import Demonstration, PolicyCard, PolicySpec, Support, check_fit, mismatches
from indgen.policies.expert import Expert
from indgen.policies.noop import Noop
from indgen.policies.random_actions import RandomActions
from indgen.policies.replay import Replay
from indgen.sim.libero.layout import LAYOUT as LIBERO

LAYOUT = WorldLayout(
    ActionLayout("arm/delta", (ActionField("dx", -1, 1, "m"),)),
    images={"front": ImageField(64, 128, "front")},
    state={"pos": StateField((3,), "m")},
    privileged={"truth": StateField((3,), "m")},
)
BARE = WorldLayout(LAYOUT.action)


class Fake:
    def __init__(self, **spec: Any) -> None:
        self.spec = PolicySpec(**{"action": "arm/delta", **spec})
        self.card = PolicyCard("fake", "fits or not")

    def reset(self, slots: Sequence[Slot]) -> None:
        raise AssertionError("the gate runs nothing")

    def act(self, slots: Sequence[Slot], observations: Sequence[Observation], deadline: float) -> list[ActionChunk]:
        raise AssertionError("the gate runs nothing")


class Adapting(Fake):
    def adapt(self, demonstrations: Sequence[Demonstration]) -> None:
        raise AssertionError("the gate runs nothing")


def test_a_spec_within_the_layout_passes() -> None:
    spec: dict[str, Any] = {
        "chunk": 4,
        "execute": 4,
        "images": {"front": (64, 128)},
        "state": ("pos",),
        "privileged": ("truth",),
        "history": (1, 4),
    }
    assert mismatches(PolicySpec(action="arm/delta", **spec), LAYOUT) == []
    check_fit(Fake(**spec), LAYOUT, "toy")


@pytest.mark.parametrize(
    ("spec", "line"),
    [
        ({"action": "arm/abs"}, "action layout arm/abs, the world takes arm/delta"),
        ({"chunk": 4, "execute": 5}, "executes 5 of a chunk of 4 actions, it must be 1 to the chunk's length"),
        ({"chunk": 4, "execute": 0}, "executes 0 of a chunk of 4 actions, it must be 1 to the chunk's length"),
        ({"chunk": 0, "execute": 0}, "executes 0 of a chunk of 0 actions, it must be 1 to the chunk's length"),
        ({"images": {"wrist": (8, 8)}}, "camera wrist, the world has front"),
        ({"images": {"front": (65, 1)}}, "camera front at 65x1 pixels, the world renders up to 64x128"),
        ({"images": {"front": (64, 0)}}, "camera front at 64x0 pixels, the world renders up to 64x128"),
        ({"state": ("vel",)}, "state vel, the world has pos"),
        ({"state": ("truth",)}, "state truth, the world has pos"),
        ({"privileged": ("pos",)}, "privileged state pos, the world has truth"),
        ({"history": (0,)}, "history offsets [0], they must be positive, distinct and ascending"),
        ({"history": (2, 1)}, "history offsets [2, 1], they must be positive, distinct and ascending"),
        ({"history": (1, 1)}, "history offsets [1, 1], they must be positive, distinct and ascending"),
    ],
)
def test_each_mismatch_says_what_the_world_has(spec: dict[str, Any], line: str) -> None:
    assert mismatches(PolicySpec(**{"action": "arm/delta", **spec}), LAYOUT) == [line]


def test_a_world_that_offers_nothing_says_none() -> None:
    spec = PolicySpec(action="arm/delta", images={"front": (8, 8)}, state=("pos",), privileged=("truth",))
    assert [line.rpartition(" ")[2] for line in mismatches(spec, BARE)] == ["none"] * 3


def test_every_mismatch_is_listed_at_once() -> None:
    policy = Fake(
        action="arm/abs",
        execute=2,
        images={"wrist": (8, 8), "front": (999, 8)},
        state=("vel",),
        privileged=("pos",),
        history=(0,),
        support=Support(),
    )
    with pytest.raises(LayoutError) as caught:
        check_fit(policy, LAYOUT, "toy")
    text = str(caught.value)
    assert text.startswith("policy fake does not fit world toy (8 mismatches); got ")
    words = ("arm/abs", "executes 2", "wrist", "999x8", "vel", "privileged state pos", "offsets [0]", "no adapt()")
    assert [word for word in words if word not in text] == []


def test_one_mismatch_is_one() -> None:
    with pytest.raises(LayoutError, match=r"does not fit world toy \(1 mismatch\);"):
        check_fit(Fake(action="arm/abs"), LAYOUT, "toy")


def test_only_a_policy_that_adapts_may_ask_for_demonstrations() -> None:
    check_fit(Adapting(support=Support()), LAYOUT, "toy")
    with pytest.raises(LayoutError, match="asks for demonstrations but the policy has no adapt"):
        check_fit(Fake(support=Support()), LAYOUT, "toy")


@pytest.mark.parametrize("policy", [Expert, Noop, RandomActions, Replay])
def test_the_built_ins_fit_libero(policy: type[Noop]) -> None:
    check_fit(policy(LIBERO), LIBERO, "libero")

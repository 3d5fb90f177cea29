"""The expert as a policy: one state machine per slot."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.errors import PolicyError
from ...core.layouts import WorldLayout
from ...core.observation import ActionChunk, Observation
from ...core.slots import Slot
from ..contract import PolicyCard, PolicySpec
from .pick_place import PickPlace

READS = (
    "hand/pos",
    "hand/quat",
    "gripper/qpos",
    "pick/pos",
    "pick/quat",
    "pick/box",
    "goal/pos",
    "goal/size",
    "others/pos",
    "others/quat",
    "others/box",
)


class Expert:
    """Scripted pick and place on simulator truth; knows geometry, no task and no axis.

    Args:
        layout: the world's layout; its actions must be LIBERO's OSC_POSE deltas.
    """

    def __init__(self, layout: WorldLayout) -> None:
        del layout
        self._machines: dict[int, PickPlace] = {}
        self.spec = PolicySpec(action="libero/osc-pose-delta", privileged=READS)
        self.card = PolicyCard(
            id="expert",
            summary="scripted pick and place on simulator truth",
            trained_levels=(),
            data="none: geometry alone; its constants were tuned on starts 0-4 of every task, "
            "pick, goal and scale -3..3",
        )

    def reset(self, slots: Sequence[Slot]) -> None:
        """Begin again in these slots."""
        self._machines.update({slot.id: PickPlace() for slot in slots})

    def act(self, slots: Sequence[Slot], observations: Sequence[Observation], deadline: float) -> list[ActionChunk]:
        """One action per slot: the expert looks after every control step."""
        del deadline
        return [self._next(slot, seen) for slot, seen in zip(slots, observations, strict=True)]

    def _next(self, slot: Slot, seen: Observation) -> ActionChunk:
        if seen.privileged is None:
            raise PolicyError("the expert needs simulator truth", got="an observation without it")
        action = self._machines[slot.id].action(seen.privileged)
        return ActionChunk(action[None], self.spec.action, 1)

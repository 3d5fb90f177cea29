"""The contract of an axis: it turns tau_0's scene into tau_k's, and never touches a simulator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ..core.scene import Scene
from ..core.world import Task


@dataclass(frozen=True)
class AxisCard:
    """What an axis is, for people and for reports.

    Attributes:
        id: registered id, ``world/name-vN``; of a composition, its parts' with the world once, ``world/a-v1+b-v1``.
        world: the world its scenes belong to.
        summary: one line for people.
        levels: the levels it defines, ascending; 0 is tau_0.
        step: size of one step in ``unit``.
        unit: unit of ``step``, e.g. ``m``.
        changes: the one thing it changes, in words.
        source: where it comes from, e.g. the paper's section.
        follows: the role (``pick``, ``goal``) whose target the axis moves, for axes that move one: reports then say
            how far the hand follows it; None for all others.
    """

    id: str
    world: str
    summary: str
    levels: tuple[int, ...]
    step: float
    unit: str
    changes: str
    source: str
    follows: str | None = None


@runtime_checkable
class Axis(Protocol):
    """A transform axis: level k is k applications of one step to tau_0.

    Laws (checked by :func:`~indgen.axes.laws.check_axis`): level 0 is the identity, level -k undoes level k,
    levels add up, and nothing but ``edits`` changes. A composition has laws of its own, stated there.
    """

    @property
    def card(self) -> AxisCard:
        """What it is."""
        ...

    def at(self, scene: Scene, k: int) -> Scene:
        """``scene`` moved by ``k`` steps along the axis.

        Raises:
            SceneError: if the scene has not the facts the axis needs.
        """
        ...


@runtime_checkable
class Selective(Protocol):
    """An axis that means something for some tasks of its world only; asked before anything runs."""

    def refuses(self, task: Task) -> str | None:
        """Why the axis means nothing for ``task``, in a few words; None where it does."""
        ...

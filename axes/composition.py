"""Composition: several axes of one world at once, so that what each of them costs a policy can be told apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..core.edits import Edit, edit_to_dict
from ..core.errors import SceneError, UsageError
from ..core.scene import Scene
from ..core.world import Task
from .contract import Axis, AxisCard, Selective

PLUS = "+"
"""Between the names of parts: ``libero/pick-v1+scale-v1``."""


class Composed:
    """Level k applies the first part's level k, and of every further part the level ``|k|``.

    The first part has the sign because further parts often have one direction only (more distractors, never fewer).
    Hence level -k does not undo level k; :func:`~indgen.axes.laws.check_axis` says which laws hold instead.

    Args:
        parts: two or more axes of one world, none of them composed.

    Attributes:
        card: levels are the first part's that every part can follow; step and unit are the first part's.

    Raises:
        UsageError: if the parts cannot be composed, whatever the scene.
    """

    def __init__(self, parts: Sequence[Axis]) -> None:
        self.parts = tuple(parts)
        self.card = _card([part.card for part in self.parts])

    def at(self, scene: Scene, k: int) -> Scene:
        """``scene`` with every part's edits.

        Raises:
            SceneError: if a part lacks a fact, or two parts edit one thing in one way.
        """
        self._check_apart(scene.base, k)
        for part, level in self.each(k):
            scene = part.at(scene, level)
        return scene

    def refuses(self, task: Task) -> str | None:
        """Why some part means nothing for ``task``; None where all of them mean something."""
        reasons = [part.refuses(task) for part in self.parts if isinstance(part, Selective)]
        return "; ".join(dict.fromkeys(filter(None, reasons))) or None

    def each(self, k: int) -> Iterator[tuple[Axis, int]]:
        """The parts in turn, each with the level that it contributes to level k."""
        for number, part in enumerate(self.parts):
            yield part, k if number == 0 else abs(k)

    def _check_apart(self, base: Scene, k: int) -> None:
        """Edits that add up to one could cancel at -k and double at k, and no part could be told from another."""
        owners: dict[str, str] = {}
        for part, level in self.each(k):
            for target in sorted({_target(edit) for edit in part.at(base, level).edits}):
                other = owners.setdefault(target, part.card.id)
                if other != part.card.id:
                    raise SceneError(
                        f"{self.card.id}: two parts edit one thing in one way",
                        got=f"{target} by {other} and {part.card.id}",
                        expected="parts that change different things",
                    )


def _target(edit: Edit) -> str:
    """What an edit changes, and in which way; by how much does not matter."""
    return " ".join(str(value) for name, value in edit_to_dict(edit).items() if name not in ("k", "step"))


def _card(cards: Sequence[AxisCard]) -> AxisCard:
    _check_cards(cards)
    first, *further = cards
    prefix = first.id[: first.id.rfind("/") + 1]
    return AxisCard(
        id=PLUS.join([first.id, *(card.id.removeprefix(prefix) for card in further)]),
        world=first.world,
        summary=_joined([card.summary for card in cards]),
        levels=_levels(first, further),
        step=first.step,
        unit=first.unit,
        changes=_joined([card.changes for card in cards]),
        source=_joined([card.source for card in cards]),
        follows=first.follows,
    )


def _joined(texts: Sequence[str]) -> str:
    return "; ".join(dict.fromkeys(texts))


def _check_cards(cards: Sequence[AxisCard]) -> None:
    ids = [card.id for card in cards]
    if len(cards) < 2:
        raise UsageError("a composition needs parts", got=", ".join(ids) or "none", expected="two axes or more")
    composed = [card.id for card in cards if PLUS in card.id]
    if composed:
        raise UsageError("a part is itself composed", got=composed[0], expected="registered axes, each by itself")
    strange = [card for card in cards if card.world != cards[0].world]
    if strange:
        raise UsageError(
            "the parts of a composition are of one world",
            got=f"{cards[0].id} of {cards[0].world}, {strange[0].id} of {strange[0].world}",
        )
    names = [re.sub(r"-v\d+$", "", id) for id in ids]
    twice = [id for number, id in enumerate(ids) if names[number] in names[:number]]
    if twice:
        raise UsageError("a part of a composition is named twice", got=PLUS.join(ids), expected="different axes")


def _levels(first: AxisCard, further: Sequence[AxisCard]) -> tuple[int, ...]:
    levels = tuple(k for k in first.levels if all(abs(k) in card.levels for card in further))
    if not any(levels):
        each = "; ".join(f"{card.id}: {', '.join(map(str, card.levels))}" for card in (first, *further))
        raise UsageError(
            "the levels of these axes never fit", got=each, expected="a level k of the first, |k| of every further one"
        )
    return levels

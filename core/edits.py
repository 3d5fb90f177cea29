"""Edits: integer steps on named things.

Integers make the laws of an axis exact: steps add up, a step and its inverse cancel, and k = 0 leaves no
edit behind. Metres and factors are worked out by the world that applies an edit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Literal

from .errors import SceneError

Direction = Literal["x", "y", "z"]


@dataclass(frozen=True)
class Translate:
    """Move ``body`` by ``k`` steps of ``step`` metres along a world axis."""

    kind: ClassVar[str] = "translate"
    body: str
    axis: Direction
    k: int
    step: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "step", float(self.step))

    @property
    def metres(self) -> float:
        """Signed displacement in metres."""
        return self.k * self.step


@dataclass(frozen=True)
class Scale:
    """Scale ``body`` uniformly by the factor ``1 + k * step``; mass goes as the factor's cube."""

    kind: ClassVar[str] = "scale"
    body: str
    k: int
    step: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "step", float(self.step))

    @property
    def factor(self) -> float:
        """Size relative to tau_0, above 0."""
        return 1.0 + self.k * self.step


@dataclass(frozen=True)
class Reveal:
    """Show the first ``k`` objects of the scene's reserve."""

    kind: ClassVar[str] = "reveal"
    k: int


@dataclass(frozen=True)
class Deepen:
    """Apply the recursion that the task's arrangement is made by ``k`` times more."""

    kind: ClassVar[str] = "deepen"
    k: int


Edit = Translate | Scale | Reveal | Deepen
_KINDS: dict[str, type[Edit]] = {cls.kind: cls for cls in (Translate, Scale, Reveal, Deepen)}


def edit_to_dict(edit: Edit) -> dict[str, Any]:
    """Plain data, with the edit's kind beside its fields."""
    return {"kind": edit.kind, **asdict(edit)}


def edit_from_dict(data: dict[str, Any]) -> Edit:
    """The inverse of :func:`edit_to_dict`."""
    fields = dict(data)
    kind = fields.pop("kind", None)
    if kind not in _KINDS:
        raise SceneError("unknown edit", got=repr(kind), exists=sorted(_KINDS))
    return _KINDS[kind](**fields)


def _target(edit: Edit) -> tuple[tuple[str, str], ...]:
    """What an edit acts on; edits of one target add up."""
    fields = edit_to_dict(edit)
    del fields["k"]
    return tuple(sorted((name, repr(value)) for name, value in fields.items()))


def merge(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Add up the steps on each target; drop what cancels; order does not matter."""
    totals: dict[tuple[tuple[str, str], ...], Edit] = {}
    for edit in edits:
        key = _target(edit)
        known = totals.get(key)
        totals[key] = edit if known is None else replace(known, k=known.k + edit.k)
    return tuple(totals[key] for key in sorted(totals) if totals[key].k != 0)

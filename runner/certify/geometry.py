"""From instantiated starts to the geometric verdict of a cell; pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ...axes.certificates import INVALID_SHARE, SEEN_SHARE, Broken, Geometry
from ...core.edits import Deepen, Reveal, Scale, Translate
from ...core.inspection import Inspection
from ...core.scene import Scene

_MASS = 1e-3
"""Relative error of a mass that follows from its size."""


@dataclass(frozen=True)
class Pair:
    """One start at tau_0 and at the level in question.

    Attributes:
        start: rollout number.
        scene: the level's scene.
        base: tau_0, instantiated.
        found: the level, instantiated.
    """

    start: int
    scene: Scene
    base: Inspection
    found: Inspection


def judge(pairs: Sequence[Pair], inner: float | None, level: int) -> Geometry:
    """The geometric verdict of one cell.

    Args:
        pairs: one per start.
        inner: distance of the next level inward from tau_0's starts; None for the innermost ones.
        level: of the axis; 0 need not leave tau_0's starts.
    """
    broken = tuple(Broken(start=p.start, cause=p.found.problem) for p in pairs if p.found.problem is not None)
    sound = [pair.found for pair in pairs if pair.found.problem is None]
    reaches = [found.reach for found in sound if found.reach is not None]
    seen = {role: min(f.seen[role] for f in sound) for role in sorted(sound[0].seen)} if sound else {}
    changed = sorted({change for pair in pairs for change in changes(pair)})
    distance = _distance(pairs)
    reach = min(reaches, default=None)
    reasons = [
        *_broken_reason(broken, len(pairs)),
        *([f"out of the arm's reach by {-100 * reach:.1f} cm"] if reach is not None and reach < 0 else []),
        *(f"{share:.0%} of the task's objects in view of {role}" for role, share in seen.items() if share < SEEN_SHARE),
        *(f"changes {change}" for change in sorted({c for pair in pairs for c in _undeclared(pair)})),
        *sorted({reason for pair in pairs for reason in _mass_reasons(pair)}),
        *({"means something else" for pair in pairs if pair.base.meaning != pair.found.meaning}),
        *_support_reason(distance, inner, level),
    ]
    return Geometry(
        starts=len(pairs),
        broken=broken,
        changed=tuple(changed),
        distance=distance,
        reach=None if reach is None else round(reach, 4),
        seen={role: round(share, 3) for role, share in seen.items()},
        reasons=tuple(reasons),
    )


def _broken_reason(broken: Sequence[Broken], starts: int) -> list[str]:
    if len(broken) <= INVALID_SHARE * starts:
        return []
    return [f"{len(broken)} of {starts} starts are broken, e.g. start {broken[0].start}: {broken[0].cause}"]


def _support_reason(distance: float | None, inner: float | None, level: int) -> list[str]:
    if level == 0:
        return []
    if distance is None or distance <= 0:
        return ["lies within tau_0's starts"]
    return ["no farther from tau_0's starts than the level before"] if inner is not None and distance <= inner else []


def changes(pair: Pair) -> Iterable[str]:
    """What differs between tau_0 and the level, part by part."""
    base, found = pair.base, pair.found
    yield from (f"shape of {name}" for name in base.model if found.model.get(name) != base.model[name])
    yield from (f"presence of {name}" for name in found.model if name not in base.model)
    yield from (f"position of {name}" for name in base.state if found.state.get(name) != base.state[name])
    yield from (f"position of {name}" for name in found.state if name not in base.state)


def _undeclared(pair: Pair) -> Iterable[str]:
    """Differences that the scene's edits do not say."""
    edits = pair.scene.edits
    moved = {edit.body for edit in edits if isinstance(edit, Translate | Scale)}
    sized = {edit.body for edit in edits if isinstance(edit, Scale)}
    allowed = {f"position of {name}" for name in moved} | {f"shape of {name}" for name in sized}
    shown = sum(edit.k for edit in edits if isinstance(edit, Reveal))
    added = [name for name in pair.found.model if name not in pair.base.model]
    last = list(pair.found.model)[len(pair.base.model) :]
    deepened = any(isinstance(edit, Deepen) for edit in edits)
    if added == last and (deepened or len(added) == shown):
        allowed |= {f"presence of {name}" for name in added}
    if deepened:
        # A larger arrangement is placed anew where it fits; how it lies within itself is the world's to check.
        allowed |= {f"position of {name}" for name in pair.base.state}
    return (change for change in changes(pair) if change not in allowed)


def _mass_reasons(pair: Pair) -> Iterable[str]:
    """A size changes mass with its cube; nothing else changes any."""
    factors = {edit.body: edit.factor for edit in pair.scene.edits if isinstance(edit, Scale)}
    for name, mass in pair.base.masses.items():
        expected = mass * factors.get(name, 1.0) ** 3
        got = pair.found.masses.get(name, 0.0)
        if not math.isclose(got, expected, rel_tol=_MASS):
            yield f"{name} weighs {1000 * got:.1f} g instead of {1000 * expected:.1f} g"


def _distance(pairs: Sequence[Pair]) -> float | None:
    """How far the level's nearest start lies from all of tau_0's, in the step's unit; the least over its edits."""
    made = [pair for pair in pairs if pair.scene.edits]
    found = [_edit_distance(made, number) for number in range(len(made[0].scene.edits))] if made else []
    return round(min(found), 6) if found else None


def _edit_distance(pairs: Sequence[Pair], number: int) -> float:
    edit = pairs[0].scene.edits[number]
    if isinstance(edit, Scale):
        return abs(edit.factor - 1.0)
    if isinstance(edit, Reveal | Deepen):
        return float(edit.k)
    rests = np.array([pair.scene.fact("rest")[edit.body][:3] for pair in pairs])
    moved = rests + np.eye(3)["xyz".index(edit.axis)] * edit.metres
    return float(np.linalg.norm(moved[:, None] - rests[None], axis=2).min())

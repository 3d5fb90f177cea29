"""What differs between runs: what matters, which is refused, and what a reader should know."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..words import pending, short_names
from .arms import Arm

_PROTOCOL = ("success", "max_steps")
_AXIS = ("id", "step", "unit", "changes")


def differences(arms: Sequence[Arm]) -> list[str]:
    """What makes the runs incomparable, one line each: ``name: value (A, B), other value (C)``.

    World, its packages, assets and suite; OpenGL among policies that look at images; success predicate, step
    limit and tasks; the replan horizon, unless each policy chose its own; per axis its version and step.
    """
    found = _spread(arms, "world", lambda arm: arm.folder.plan.world)
    for name in _names(_world(arm) for arm in arms):
        found += _spread(arms, f"world.{name}", lambda arm, name=name: _world(arm).get(name))
    looking = [arm for arm in arms if arm.folder.policy_spec.images]
    found += _spread(looking, "world.gl", lambda arm: _manifest(arm, "world").get("gl"))
    for name in _PROTOCOL:
        found += _spread(arms, name, lambda arm, name=name: getattr(arm.folder.plan, name))
    found += _tasks(arms)
    if any(arm.folder.plan.execute != arm.folder.policy_spec.execute for arm in arms):
        found += _spread(arms, "execute", lambda arm: arm.folder.plan.execute)
    for axis in dict.fromkeys(arm.axis for arm in arms):
        same = [arm for arm in arms if arm.axis == axis]
        for name in _AXIS:
            found += _spread(same, f"axis.{name}", lambda arm, name=name: getattr(arm.folder.axis_card, name))
    return found


def notes(arms: Sequence[Arm]) -> list[str]:
    """What a reader should know besides: unfinished runs, and differences that do not stand in the way."""
    found = [
        f"{arm.symbol} is INCOMPLETE: {pending(arm.report)[0]} planned episodes have not run"
        for arm in arms
        if not arm.report.complete
    ]
    for axis in dict.fromkeys(arm.axis for arm in arms):
        if len({arm.folder.plan.uncertified for arm in arms if arm.axis == axis}) > 1:
            found.append(
                f"{axis}: the runs leave out different uncertified cells; tests take the cells that both count, "
                "rates and break levels are each run's own"
            )
    found += [
        f"{arm.symbol} gave nearly the same episode again and again at levels "
        f"{', '.join(map(str, arm.report.near_replicates))}: its starts there are worth less than their number"
        for arm in arms
        if arm.report.near_replicates
    ]
    if all(arm.folder.plan.execute == arm.folder.policy_spec.execute for arm in arms):
        found += _spread(arms, "execute (each policy's own)", lambda arm: arm.folder.plan.execute)
    found += _spread(arms, "privileged (simulator truth seen)", lambda arm: list(arm.report.privileged))
    found += _spread(arms, "trained levels", lambda arm: arm.folder.policy_card.trained_levels)
    found += _spread(arms, "source of indgen", lambda arm: str(arm.folder.manifest.get("source"))[:12])
    for name in _names(_manifest(arm, "packages") for arm in arms):
        found += _spread(arms, f"package {name}", lambda arm, name=name: _manifest(arm, "packages").get(name))
    if len({frozenset(arm.folder.plan.tasks) for arm in arms}) > 1:
        found.append("rates and break levels are over each run's own tasks, tests over the tasks all runs share")
    if any(arm.folder.plan.top_up for arm in arms):
        found.append("topped-up rollouts count for rates and break levels, not for tests: outcomes called for them")
    return found


def _spread(arms: Sequence[Arm], name: str, value: Callable[[Arm], Any]) -> list[str]:
    """Nothing where all agree, else one line that says who has what."""
    holders: dict[str, list[str]] = {}
    for arm in arms:
        holders.setdefault(json.dumps(value(arm), sort_keys=True, default=str), []).append(arm.symbol)
    if len(holders) < 2:
        return []
    return [f"{name}: " + ", ".join(f"{_plain(text)} ({', '.join(who)})" for text, who in holders.items())]


def _plain(text: str) -> str:
    return "nothing" if text in ("null", "[]") else text.strip('"')


def _tasks(arms: Sequence[Arm]) -> list[str]:
    """What each run has beyond the tasks that all of them share; nothing where all have the same."""
    short = short_names(sorted({task for arm in arms for task in arm.folder.plan.tasks}))
    shared = set.intersection(*(set(arm.folder.plan.tasks) for arm in arms))
    extra = [(arm.symbol, [short[task] for task in arm.folder.plan.tasks if task not in shared]) for arm in arms]
    if not any(names for _, names in extra):
        return []
    return ["tasks beyond the shared ones: " + ", ".join(f"{_join(names)} ({who})" for who, names in extra)]


def _join(names: Sequence[str]) -> str:
    return " and ".join(names) or "none"


def _names(found: Iterator[Mapping[str, Any]]) -> list[str]:
    return sorted({name for values in found for name in values})


def _manifest(arm: Arm, part: str) -> Mapping[str, Any]:
    values = arm.folder.manifest.get(part)
    return values if isinstance(values, Mapping) else {}


def _world(arm: Arm) -> dict[str, Any]:
    """The world's part of the manifest by dotted name, without OpenGL."""
    return {name: value for name, value in _flat(_manifest(arm, "world")) if name != "gl"}


def _flat(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in data.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value

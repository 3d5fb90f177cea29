"""From what was asked for to a plan: names resolved, ranges checked, the gate passed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..axes import PLUS, Axis, AxisCard, Composed, axes, check_levels
from ..core.errors import PLUGIN_FAULTS, UnknownName, UsageError
from ..core.registry import Registered, Registry
from ..core.text import describe, one_line
from ..core.world import World
from ..policies import Policy, PolicyCard, PolicySpec, check_fit, policies
from .plan import MOST_ROLLOUTS, Plan
from .records import check_record

worlds = Registry("world", "indgen.worlds")
"""Registered worlds; each entry is a callable without arguments that returns a world."""

_WIDEST = 10_000
_MOST_STEPS = 10**6
_RANGE = re.compile(r"^(-?[0-9]{1,6})(?:\.\.(-?[0-9]{1,6}))?$")


@dataclass(frozen=True)
class Parts:
    """The three things a sweep brings together."""

    world: World
    policy: Policy
    axis: Axis


def load_parts(world: str, policy: str, axis: str) -> Parts:
    """Find the registered parts and check that they fit.

    Args:
        world: id of the world.
        policy: id or short name.
        axis: id or short name; ``a+b`` for a composition of axes.

    Raises:
        UnknownName: for a name nothing is registered under.
        LayoutError: if the policy does not fit the world.
        UsageError: if a plugin's card is malformed, or names another id than the registered one.
    """
    chosen_world, chosen_axis = load_axis(world, axis)
    registered = policies.resolve(policy, chosen_world.id)
    chosen_policy: Policy = _made(registered, lambda made: made.card.id, chosen_world.layout)
    check_record(PolicyCard, chosen_policy.card, registered.id)
    check_record(PolicySpec, chosen_policy.spec, registered.id)
    check_fit(chosen_policy, chosen_world.layout, chosen_world.id)
    return Parts(chosen_world, chosen_policy, chosen_axis)


def load_axis(world: str, axis: str) -> tuple[World, Axis]:
    """Find a world and an axis, or a composition of axes, of it.

    Raises:
        UnknownName: for a name nothing is registered under.
        UsageError: if a plugin's card is malformed, or the axes are not of this world or cannot be composed.
    """
    chosen: World = _made(worlds.resolve(world), lambda made: made.id)
    return chosen, _axis(axis, chosen.id)


def _axis(asked: str, world: str) -> Axis:
    if PLUS not in asked:
        return _registered_axis(asked, world)
    names = [name.strip() for name in asked.split(PLUS)]
    if not all(names):
        raise UsageError("a composed axis lacks a part", got=repr(one_line(asked)), expected="e.g. pick+scale")
    return Composed([_registered_axis(name, world) for name in names])


def _registered_axis(name: str, world: str) -> Axis:
    # The id of a composition names the world once, and its parts with their versions.
    full = f"{world}/{name}"
    found: Axis = _made(axes.resolve(full if full in axes.all() else name, world), lambda made: made.card.id)
    check_record(AxisCard, found.card, found.card.id)
    if found.card.world != world:
        raise UsageError(f"axis {found.card.id} is not of this world", got=found.card.world, expected=world)
    check_levels(found.card)
    return found


def _made(registered: Registered, id_of: Callable[[Any], str], *args: Any) -> Any:
    """A plugin's object. Its own id must be the registered one: runs are told apart by it."""
    made = registered.create(*args)
    try:
        own = id_of(made)
    except PLUGIN_FAULTS as cause:
        raise UsageError(
            f"{registered.id} is no {registered.entry.group.removeprefix('indgen.')} plugin",
            got=describe(cause),
            hint=f"registered by {registered.source}",
        ) from cause
    if own != registered.id:
        raise UsageError(
            f"{registered.id} calls itself something else",
            got=repr(own),
            expected=repr(registered.id),
            hint=f"registered by {registered.source}",
        )
    return made


def make_plan(
    parts: Parts,
    *,
    tasks: str | None = None,
    levels: str | None = None,
    rollouts: int = 50,
    top_up: int | None = None,
    seed: int = 0,
    max_steps: int | None = None,
    success: str | None = None,
    label: str | None = None,
    video: bool = False,
) -> Plan:
    """A plan; what is not given takes the world's, the axis' or the policy's default.

    Args:
        parts: world, policy and axis.
        tasks: comma-separated full or short names; None for all.
        levels: comma-separated numbers and ranges ``a..b``; None for all of the axis.
        rollouts: per task and level.
        top_up: per task at a level that those leave undecided; more than ``rollouts``.
        seed: root of every seed.
        max_steps: control steps the policy gets.
        success: success predicate.
        label: free text that groups runs.
        video: whether to film every episode.

    Raises:
        UsageError: for anything out of range, saying what would be in it.
    """
    world, spec = parts.world, parts.policy.spec
    chosen = find_tasks(world, tasks)
    _check_rollouts(parts, chosen, rollouts, "--rollouts")
    if top_up is not None:
        _check_top_up(rollouts, top_up)
        _check_rollouts(parts, chosen, top_up, "--top-up")
    steps = world.max_steps if max_steps is None else max_steps
    if not 1 <= steps <= _MOST_STEPS:
        raise UsageError(
            "an episode needs steps", got=f"--max-steps {steps}", expected=f"1 or more, up to {_MOST_STEPS}"
        )
    if label is not None and label != one_line(label):
        raise UsageError("a label is a line of plain text", got=ascii(label[:60]), expected="printable characters")
    predicate = success or world.successes[0]
    if predicate not in world.successes:
        raise UnknownName(f"success predicate of {world.id}", predicate, world.successes)
    return Plan(
        world=world.id,
        policy=parts.policy.card.id,
        axis=parts.axis.card.id,
        label=label,
        tasks=chosen,
        levels=find_levels(parts.axis, levels),
        rollouts=rollouts,
        top_up=top_up,
        seed=seed,
        max_steps=steps,
        success=predicate,
        execute=spec.execute,
        video=video,
    )


def find_tasks(world: World, asked: str | None) -> tuple[str, ...]:
    """Full names in the benchmark's order, of full or short ones separated by commas; None for all.

    Raises:
        UnknownName: for a task the world has not.
        UsageError: if no task is named.
    """
    if asked is None:
        return tuple(task.name for task in world.tasks)
    by_name = {name: task.name for task in world.tasks for name in (task.name, task.short)}
    wanted = set()
    for name in filter(None, (part.strip() for part in asked.split(","))):
        if name not in by_name:
            raise UnknownName(f"task of {world.id}", name, [task.short for task in world.tasks])
        wanted.add(by_name[name])
    if not wanted:
        raise UsageError("no task given", got=repr(asked), exists=[task.short for task in world.tasks])
    return tuple(task.name for task in world.tasks if task.name in wanted)


def parse_levels(asked: str) -> tuple[int, ...]:
    """``-3..-1,2`` to (-3, -2, -1, 2); ascending and distinct.

    Raises:
        UsageError: for anything else.
    """
    found: set[int] = set()
    for part in (piece.strip() for piece in asked.split(",")):
        match = _RANGE.match(part)
        if match is None:
            raise UsageError(
                "levels cannot be read",
                got=repr(one_line(asked)[:80]),
                expected="numbers and ranges, e.g. -3..3 or 0,2",
            )
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last:
            raise UsageError("a range of levels runs upwards", got=part, expected=f"{last}..{first}")
        if last - first > _WIDEST:
            raise UsageError("a range of levels is too wide", got=part, expected=f"at most {_WIDEST} levels")
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def find_levels(axis: Axis, asked: str | None) -> tuple[int, ...]:
    """Levels of an axis as :func:`parse_levels` reads them; None for all.

    Raises:
        UsageError: if they cannot be read, or the axis has not all of them.
    """
    defined = axis.card.levels
    if asked is None:
        return defined
    levels = parse_levels(asked)
    unknown = [level for level in levels if level not in defined]
    if unknown:
        raise UsageError(
            f"{axis.card.id} has no such level", got=_join(unknown), expected=f"levels among {_join(defined)}"
        )
    return levels


def _join(levels: Sequence[int]) -> str:
    return ", ".join(map(str, levels))


def _check_rollouts(parts: Parts, tasks: Sequence[str], rollouts: int, flag: str) -> None:
    if not 1 <= rollouts <= MOST_ROLLOUTS:
        raise UsageError(
            "a sweep needs rollouts",
            got=f"{flag} {rollouts}",
            expected=f"1 or more per task and level, up to {MOST_ROLLOUTS}",
        )
    if parts.policy.spec.stochastic:
        return
    limits = [limit for limit in map(parts.world.starts, tasks) if limit is not None]
    if limits and rollouts > min(limits):
        raise UsageError(
            f"{parts.world.id} has {min(limits)} published starts per task",
            got=f"{flag} {rollouts}",
            expected=f"at most {min(limits)}",
            hint=f"policy {parts.policy.card.id} draws no noise, so a start run twice would be one rollout",
        )


def _check_top_up(rollouts: int, top_up: int) -> None:
    if top_up <= rollouts:
        raise UsageError(
            "a top-up adds rollouts", got=f"--top-up {top_up}", expected=f"more than --rollouts {rollouts}"
        )

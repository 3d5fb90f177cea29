"""From what was asked for to a plan: names resolved, ranges checked, the gate passed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..axes import Axis, axes
from ..core.errors import UnknownName, UsageError
from ..core.registry import Registry
from ..core.world import World
from ..policies import Policy, check_fit, policies
from .plan import Plan

worlds = Registry("world", "indgen.worlds")
"""Registered worlds; each entry is a callable without arguments that returns a world."""

_WIDEST = 10_000
_RANGE = re.compile(r"^(-?\d+)(?:\.\.(-?\d+))?$")


@dataclass(frozen=True)
class Parts:
    """The three things a sweep brings together."""

    world: World
    policy: Policy
    axis: Axis


def load_parts(world: str, policy: str, axis: str) -> Parts:
    """Find the registered parts and check that they fit.

    Raises:
        UnknownName: for a name nothing is registered under.
        LayoutError: if the policy does not fit the world.
    """
    chosen_world: World = worlds.resolve(world).create()
    chosen_axis: Axis = axes.resolve(axis, chosen_world.id).create()
    if chosen_axis.card.world != chosen_world.id:
        raise UsageError(
            f"axis {chosen_axis.card.id} is not of this world", got=chosen_axis.card.world, expected=chosen_world.id
        )
    chosen_policy: Policy = policies.resolve(policy, chosen_world.id).create(chosen_world.layout)
    check_fit(chosen_policy, chosen_world.layout, chosen_world.id)
    return Parts(chosen_world, chosen_policy, chosen_axis)


def make_plan(
    parts: Parts,
    *,
    tasks: str | None = None,
    levels: str | None = None,
    rollouts: int = 50,
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
        seed: root of every seed.
        max_steps: control steps the policy gets.
        success: success predicate.
        label: free text that groups runs.
        video: whether to film every episode.

    Raises:
        UsageError: for anything out of range, saying what would be in it.
    """
    world, spec = parts.world, parts.policy.spec
    chosen = _tasks(world, tasks)
    _check_rollouts(parts, chosen, rollouts)
    steps = world.max_steps if max_steps is None else max_steps
    if steps < 1:
        raise UsageError("an episode needs steps", got=f"--max-steps {steps}", expected="1 or more")
    predicate = success or world.successes[0]
    if predicate not in world.successes:
        raise UnknownName(f"success predicate of {world.id}", predicate, world.successes)
    return Plan(
        world=world.id,
        policy=parts.policy.card.id,
        axis=parts.axis.card.id,
        label=label,
        tasks=chosen,
        levels=_levels(parts.axis, levels),
        rollouts=rollouts,
        seed=seed,
        max_steps=steps,
        success=predicate,
        execute=spec.execute,
        video=video,
    )


def _tasks(world: World, asked: str | None) -> tuple[str, ...]:
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
            raise UsageError("levels cannot be read", got=repr(asked), expected="numbers and ranges, e.g. -3..3 or 0,2")
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last:
            raise UsageError("a range of levels runs upwards", got=part, expected=f"{last}..{first}")
        if last - first > _WIDEST:
            raise UsageError("a range of levels is too wide", got=part, expected=f"at most {_WIDEST} levels")
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def _levels(axis: Axis, asked: str | None) -> tuple[int, ...]:
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


def _check_rollouts(parts: Parts, tasks: Sequence[str], rollouts: int) -> None:
    if rollouts < 1:
        raise UsageError(
            "a sweep needs rollouts", got=f"--rollouts {rollouts}", expected="1 or more per task and level"
        )
    if parts.policy.spec.stochastic:
        return
    limits = [limit for limit in map(parts.world.starts, tasks) if limit is not None]
    if limits and rollouts > min(limits):
        raise UsageError(
            f"{parts.world.id} has {min(limits)} published starts per task",
            got=f"--rollouts {rollouts}",
            expected=f"at most {min(limits)}",
            hint=f"policy {parts.policy.card.id} draws no noise, so a start run twice would be one rollout",
        )

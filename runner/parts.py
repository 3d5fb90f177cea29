"""The three things a sweep brings together: found by name, checked, and fitted to one another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..axes import PLUS, Axis, AxisCard, Composed, axes, check_levels
from ..core.errors import PLUGIN_FAULTS, LayoutError, UsageError
from ..core.registry import Registered, Registry
from ..core.text import describe, one_line
from ..core.world import World
from ..policies import Policy, PolicyCard, PolicySpec, check_fit, mismatches, policies
from .records import check_record

worlds = Registry("world", "indgen.worlds")
"""Registered worlds; each entry is a callable without arguments that returns a world."""


EXPERTS = ("expert", "oracle")
"""Built-in policies that solve every level by construction."""


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
    chosen_policy: Policy = make_registered(registered, lambda made: made.card.id, chosen_world.layout)
    check_record(PolicyCard, chosen_policy.card, registered.id)
    check_record(PolicySpec, chosen_policy.spec, registered.id)
    check_fit(chosen_policy, chosen_world.layout, chosen_world.id)
    _check_demonstrator(chosen_policy, chosen_world)
    return Parts(chosen_world, chosen_policy, chosen_axis)


def _check_demonstrator(policy: Policy, world: World) -> None:
    """Who demonstrates to a policy must fit the world as well, and be known to before anything runs."""
    support = policy.spec.support
    if support is None:
        return
    teacher: Policy = make_registered(
        policies.resolve(support.demonstrator, world.id), lambda made: made.card.id, world.layout
    )
    try:
        check_fit(teacher, world.layout, world.id)
    except LayoutError as cause:
        raise LayoutError(
            f"{policy.card.id} cannot be run in {world.id}",
            got=f"it learns from {support.demonstrator}, which does not fit that world",
            hint="`indgen policies` lists the others",
        ) from cause


def expert_of(world: World) -> str:
    """The built-in policy that knows how a world's tasks are done: the first of ``EXPERTS`` that fits it.

    Raises:
        UsageError: if none fits.
    """
    for name in EXPERTS:
        policy: Policy = policies.resolve(name).create(world.layout)
        if not mismatches(policy.spec, world.layout):
            return name
    raise UsageError(f"no built-in expert fits {world.id}", got=", ".join(EXPERTS), hint="--expert names one that does")


def load_axis(world: str, axis: str) -> tuple[World, Axis]:
    """Find a world and an axis, or a composition of axes, of it.

    Raises:
        UnknownName: for a name nothing is registered under.
        UsageError: if a plugin's card is malformed, or the axes are not of this world or cannot be composed.
    """
    chosen: World = make_registered(worlds.resolve(world), lambda made: made.id)
    return chosen, find_axis(axis, chosen.id)


def find_axis(asked: str, world: str) -> Axis:
    """A registered axis, or a composition of some.

    Args:
        asked: id or short name; ``a+b`` for a composition.
        world: id of the world it must belong to.

    Raises:
        UnknownName: for a name nothing is registered under.
        UsageError: for an axis of another world, a malformed card, or parts that cannot be composed.
    """
    if PLUS not in asked:
        return _registered_axis(asked, world)
    names = [name.strip() for name in asked.split(PLUS)]
    if not all(names):
        raise UsageError("a composed axis lacks a part", got=repr(one_line(asked)), expected="e.g. pick+scale")
    return Composed([_registered_axis(name, world) for name in names])


def _registered_axis(name: str, world: str) -> Axis:
    # The id of a composition names the world once, and its parts with their versions.
    full = f"{world}/{name}"
    found: Axis = make_registered(axes.resolve(full if full in axes.all() else name, world), lambda made: made.card.id)
    check_record(AxisCard, found.card, found.card.id)
    if found.card.world != world:
        raise UsageError(f"axis {found.card.id} is not of this world", got=found.card.world, expected=world)
    check_levels(found.card)
    return found


def make_registered(registered: Registered, id_of: Callable[[Any], str], *args: Any) -> Any:
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

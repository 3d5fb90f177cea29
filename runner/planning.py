"""From what was asked for to a plan: ranges checked, tasks chosen, defaults filled in."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.errors import UnknownName, UsageError
from ..core.text import one_line
from .choosing import choose_suite, choose_tasks
from .levels import find_levels
from .parts import Parts
from .plan import MOST_ROLLOUTS, Plan
from .refusals import refuses_of

_MOST_STEPS = 10**6


def make_plan(
    parts: Parts,
    *,
    suite: str | None = None,
    tasks: str | None = None,
    levels: str | None = None,
    rollouts: int = 50,
    first: int = 0,
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
        suite: name of the world's suite, or its last word; None for the first one.
        tasks: comma-separated full or short names of the suite's; None for all that axis and world do not refuse.
        levels: comma-separated numbers and ranges ``a..b``; None for all of the axis.
        rollouts: per task and level.
        first: the first rollout; earlier starts are left to tuning or training.
        top_up: per task at a level that those leave undecided; more than ``rollouts``.
        seed: root of every seed.
        max_steps: control steps the policy gets; None for what published evaluations give.
        success: success predicate.
        label: free text that groups runs.
        video: whether to film every episode.

    Raises:
        UsageError: for anything out of range, saying what would be in it, and for tasks that are refused.
    """
    world, spec = parts.world, parts.policy.spec
    predicate = success or world.successes[0]
    if predicate not in world.successes:
        raise UnknownName(f"success predicate of {world.id}", predicate, world.successes)
    sweep = f"{parts.axis.card.id} by {parts.policy.card.id}"
    found = choose_tasks(world, choose_suite(world, suite), tasks, refuses_of(parts, predicate), sweep)
    chosen = tuple(task.name for task in found)
    if not 0 <= first <= MOST_ROLLOUTS:
        raise UsageError(
            "rollouts are counted from 0", got=f"--first-start {first}", expected=f"0 or more, up to {MOST_ROLLOUTS}"
        )
    _check_rollouts(parts, chosen, rollouts, first, "--rollouts")
    if top_up is not None:
        _check_top_up(rollouts, top_up)
        _check_rollouts(parts, chosen, top_up, first, "--top-up")
    steps = max(task.max_steps or world.max_steps for task in found) if max_steps is None else max_steps
    if not 1 <= steps <= _MOST_STEPS:
        raise UsageError(
            "an episode needs steps", got=f"--max-steps {steps}", expected=f"1 or more, up to {_MOST_STEPS}"
        )
    if label is not None and label != one_line(label):
        raise UsageError("a label is a line of plain text", got=ascii(label[:60]), expected="printable characters")
    return Plan(
        world=world.id,
        policy=parts.policy.card.id,
        axis=parts.axis.card.id,
        label=label,
        tasks=chosen,
        levels=find_levels(parts.axis, levels),
        rollouts=rollouts,
        first=first,
        top_up=top_up,
        seed=seed,
        max_steps=steps,
        success=predicate,
        execute=spec.execute,
        video=video,
    )


def _check_rollouts(parts: Parts, tasks: Sequence[str], rollouts: int, first: int, flag: str) -> None:
    if not 1 <= rollouts <= MOST_ROLLOUTS:
        raise UsageError(
            "a sweep needs rollouts",
            got=f"{flag} {rollouts}",
            expected=f"1 or more per task and level, up to {MOST_ROLLOUTS}",
        )
    if parts.policy.spec.stochastic:
        return
    limits = [limit for limit in map(parts.world.starts, tasks) if limit is not None]
    if limits and first + rollouts > min(limits):
        raise UsageError(
            f"{parts.world.id} has {min(limits)} published starts per task",
            got=f"{flag} {rollouts}" + (f" from --first-start {first} on" if first else ""),
            expected=f"at most {max(min(limits) - first, 0)}",
            hint=f"policy {parts.policy.card.id} draws no noise, so a start run twice would be one rollout",
        )


def _check_top_up(rollouts: int, top_up: int) -> None:
    if top_up <= rollouts:
        raise UsageError(
            "a top-up adds rollouts", got=f"--top-up {top_up}", expected=f"more than --rollouts {rollouts}"
        )

"""Which tasks a plan is about: the suite, the names that were asked for, and what the parts refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches

from ..core.errors import UnknownName, UsageError
from ..core.world import Task, World

Refuses = Callable[[Task], str | None]
"""Why a task is refused; None where it is not."""


def suites(world: World) -> dict[str, list[Task]]:
    """Suite to its tasks, the default one first; one nameless suite where the world has none."""
    found: dict[str, list[Task]] = {}
    for task in world.tasks:
        found.setdefault(task.suite, []).append(task)
    return found


def choose_suite(world: World, asked: str | None) -> list[Task]:
    """The tasks of a suite, by its name or its name's last word; the default suite's for None.

    Raises:
        UnknownName: for a suite the world has not.
        UsageError: if the world has no suites at all.
    """
    known = suites(world)
    if asked is None:
        return next(iter(known.values()))
    if list(known) == [""]:
        raise UsageError(f"{world.id} has no suites", got=f"--suite {asked}")
    by_name = {**{suite.rpartition("_")[2]: suite for suite in known}, **{suite: suite for suite in known}}
    if asked not in by_name:
        close = get_close_matches(asked, by_name, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]}?" if close else None
        raise UnknownName(f"suite of {world.id}", asked, known, hint)
    return known[by_name[asked]]


def choose_tasks(
    world: World, suite: Sequence[Task], asked: str | None, refuses: Refuses, sweep: str
) -> tuple[Task, ...]:
    """Tasks of a suite, in the benchmark's order.

    Args:
        world: the world.
        suite: the suite's tasks.
        asked: comma-separated full or short names; None for all that are not refused.
        refuses: why a task cannot be taken.
        sweep: what they are to be taken for, e.g. ``libero/pick-v1 by noop``.

    Raises:
        UnknownName: for a task the suite has not; names the other suite, if it is of one.
        UsageError: if a task that was named is refused, or none is left, with the reasons.
    """
    wanted = suite if asked is None else _named(world, suite, asked)
    refused = {task: reason for task in wanted if (reason := refuses(task)) is not None}
    if asked is not None and refused:
        raise UsageError(f"these tasks cannot be taken for {sweep}", hint=tell(refused))
    if len(refused) == len(wanted):
        common = set(refused.values())
        hint = common.pop() if len(common) == 1 else tell(refused)
        raise UsageError(f"no task of {suite[0].suite or world.id} can be taken for {sweep}", hint=hint)
    return tuple(task for task in wanted if task not in refused)


def _named(world: World, suite: Sequence[Task], asked: str) -> list[Task]:
    by_name = {name: task for task in suite for name in (task.name, task.short)}
    elsewhere = {name: task.suite for task in world.tasks for name in (task.name, task.short)}
    shorts = [task.short for task in suite]
    wanted = set()
    for name in filter(None, (part.strip() for part in asked.split(","))):
        if name not in by_name:
            if name in elsewhere:
                raise UsageError(
                    f"task {name} is of another suite",
                    got=elsewhere[name],
                    expected=suite[0].suite,
                    hint=f"add --suite {elsewhere[name]}",
                )
            raise UnknownName(f"task of {suite[0].suite or world.id}", name, shorts)
        wanted.add(by_name[name])
    if not wanted:
        raise UsageError("no task given", got=repr(asked), exists=shorts)
    return [task for task in suite if task in wanted]


def tell(refused: Mapping[Task, str]) -> str:
    """What is refused and why, tasks of one reason together."""
    reasons = list(dict.fromkeys(refused.values()))
    return "; ".join(f"{_join(task for task in refused if refused[task] == why)}: {why}" for why in reasons)


def _join(tasks: Iterable[Task]) -> str:
    return ", ".join(task.short for task in tasks)

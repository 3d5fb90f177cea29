"""Which tasks cannot be swept, and why: what the world cannot give to a policy, and where the axis means nothing."""

from __future__ import annotations

from ..axes import Axis, Selective
from ..core.errors import PLUGIN_FAULTS, UsageError
from ..core.text import describe, one_line
from ..core.world import Demanding, Task, View
from ..policies import policies
from .choosing import Refuses
from .parts import Parts, make_registered
from .plan import Plan


def left_out(parts: Parts, plan: Plan) -> dict[Task, str]:
    """The tasks of a plan's suite that axis or world refuse, and why."""
    suite = suite_of(parts, plan)
    refuses = refuses_of(parts, plan.success)
    tasks = [task for task in parts.world.tasks if task.suite == suite and task.name not in plan.tasks]
    return {task: reason for task in tasks if (reason := refuses(task)) is not None}


def suite_of(parts: Parts, plan: Plan) -> str:
    """The suite of a plan's tasks; empty where the world has none."""
    return next(task.suite for task in parts.world.tasks if task.name == plan.tasks[0])


def refuses_of(parts: Parts, success: str) -> Refuses:
    """Why a task cannot be swept: the world cannot give what a policy reads, or the axis means nothing for it."""
    views = _views(parts, success)

    def refuses(task: Task) -> str | None:
        if isinstance(parts.world, Demanding):
            for reader, view in views.items():
                if reason := parts.world.refuses(task.name, view):
                    return f"{reason} ({reader})" if view.privileged else reason
        return meaningless(parts.axis, task)

    return refuses


def _views(parts: Parts, success: str) -> dict[str, View]:
    """Who reads to what it reads: the policy, and the policy that demonstrates to it."""
    world, policy = parts.world, parts.policy
    readers = {f"policy {policy.card.id} reads it": policy.spec}
    if policy.spec.support is not None and isinstance(world, Demanding):
        name = policy.spec.support.demonstrator
        teacher = make_registered(policies.resolve(name, world.id), lambda made: made.card.id, world.layout)
        readers[f"{name}, which demonstrates to {policy.card.id}, reads it"] = teacher.spec
    return {
        reader: View(world.max_steps, success, spec.images, bool(spec.privileged)) for reader, spec in readers.items()
    }


def meaningless(axis: Axis, task: Task) -> str | None:
    """Why an axis means nothing for a task; None where it means something, or does not say.

    Raises:
        UsageError: if a plugin's axis cannot say.
    """
    if not isinstance(axis, Selective):
        return None
    try:
        answer = axis.refuses(task)
    except PLUGIN_FAULTS as cause:
        raise UsageError(f"axis {axis.card.id} cannot say what it refuses", got=describe(cause)) from cause
    return None if answer is None else one_line(str(answer))

"""What a LIBERO task is about, from its BDDL file alone: what is to be placed, where, and what stands on what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

FIXTURES = frozenset(
    {
        "floor",
        "main_table",
        "kitchen_table",
        "living_room_table",
        "study_table",
        "wooden_cabinet_1",
        "white_cabinet_1",
        "flat_stove_1",
        "wine_rack_1",
        "microwave_1",
        "desk_caddy_1",
    }
)
"""Every fixture of the four suites; whatever else has a name is a free-joint body."""


@dataclass(frozen=True)
class Goal:
    """One conjunct of a task's goal.

    Attributes:
        predicate: LIBERO's predicate; ``on`` and ``in`` place an object, the others set a fixture's state.
        subject: the body to place, or the fixture (or its region) whose state it is.
        holder: body or fixture it is to be placed on or in; None for a state.
        region: site of the place within the holder; None where the holder as a whole is meant.
    """

    predicate: str
    subject: str
    holder: str | None = None
    region: str | None = None

    def __str__(self) -> str:
        return " ".join(filter(None, (self.predicate, self.subject, self.region or self.holder)))


@dataclass(frozen=True)
class Roles:
    """The bodies of one task.

    Attributes:
        problem: LIBERO's problem class (key of its TASK_MAPPING).
        goals: all conjuncts of the goal.
        stacked: body to (``on`` or ``in``, what holds it) at the start; bodies not named stand free on the table
            or the floor.
    """

    problem: str
    goals: tuple[Goal, ...]
    stacked: Mapping[str, tuple[str, str]] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def placements(self) -> tuple[Goal, ...]:
        """The conjuncts that place an object."""
        return tuple(goal for goal in self.goals if goal.holder is not None)

    @property
    def pick(self) -> str | None:
        """The one object that is to be placed; None where there are several, or none."""
        return _only(goal.subject for goal in self.placements)

    @property
    def goal(self) -> str | None:
        """The one body or fixture that everything is to be placed on or in."""
        return _only(goal.holder for goal in self.placements)

    @property
    def region(self) -> str | None:
        """The one site that everything is to be placed into."""
        return _only(goal.region for goal in self.placements)

    def bound(self, body: str) -> str | None:
        """Why ``body`` cannot be moved or scaled alone; None where it stands free."""
        if body in FIXTURES:
            return f"{body} is a fixture"
        if body in self.stacked:
            return "{} stands {} {}, not free".format(body, *self.stacked[body])
        carried = [other for other, (_, holder) in self.stacked.items() if holder == body]
        return f"{body} carries {carried[0]}" if carried else None

    def no_pick(self) -> str | None:
        """Why no object to pick can be moved or scaled; None where one can."""
        if not self.placements:
            return f"no object is to be placed, the goal is ({self.goals[0]})"
        if self.pick is None:
            return self._two(goal.subject for goal in self.placements)
        return self.bound(self.pick)

    def no_goal(self) -> str | None:
        """Why what holds the goal cannot be moved; None where it can."""
        if not self.placements:
            return f"no object is to be placed, the goal is ({self.goals[0]})"
        if self.goal is None:
            return self._two(goal.holder for goal in self.placements)
        return self.bound(self.goal)

    def no_truth(self) -> str | None:
        """Why the layout's privileged state cannot be told; None where it can."""
        if self.pick and self.region and self.goal not in FIXTURES:
            return None
        return "simulator truth is told of tasks with one object to place and one movable container to place it in"

    def no_strict(self) -> str | None:
        """Why the predicate ``strict`` means nothing; None where it does."""
        return None if self.pick else "strict success is defined for one object that is placed and released"

    def _two(self, bodies: Iterable[str | None]) -> str:
        names = " and ".join(dict.fromkeys(map(str, bodies)))
        return f"{len(self.placements)} goals, of {names}: one step would change two things"


def _only(names: Iterable[str | None]) -> str | None:
    distinct = set(names)
    return distinct.pop() if len(distinct) == 1 else None

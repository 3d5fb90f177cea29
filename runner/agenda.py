"""What is still to run, and in which order places get it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ..core.slots import EpisodeKey

Group = tuple[str, int]
"""A grounded start: (task, rollout). Its levels share one tau_0."""


def group_of(key: EpisodeKey) -> Group:
    """The start an episode begins from."""
    return key.task, key.rollout


@dataclass(frozen=True)
class Compiled:
    """What a place has compiled: a task, and which of its models (scenes of one compile key share one)."""

    task: str
    model: str


class Agenda:
    """Pending episodes, handed out so that a place keeps its compiled model as long as there is work for it.

    The order decides nothing but speed: every episode is a function of its key.

    Args:
        keys: what is to run, in the plan's order.
    """

    def __init__(self, keys: Iterable[EpisodeKey]) -> None:
        self._pending: dict[str, deque[EpisodeKey]] = {}
        for key in keys:
            self._pending.setdefault(key.task, deque()).append(key)
        self._holders: Counter[str] = Counter()

    def __len__(self) -> int:
        return sum(map(len, self._pending.values()))

    def take(
        self,
        last: Compiled | None,
        ready: Callable[[EpisodeKey], bool],
        model: Callable[[EpisodeKey], str | None],
    ) -> EpisodeKey | None:
        """The next episode for a place; None if nothing is ready.

        Args:
            last: the task and the model the place has compiled; None for a new place.
            ready: whether an episode can be handed out now (its start is not being grounded elsewhere).
            model: compile key of an episode's model; None while its start is not grounded.
        """
        for task in self._preferred(last):
            candidates = filter(ready, self._pending[task])
            key = _nearest(candidates, last, model) if last and task == last.task else next(candidates, None)
            if key is not None:
                self._pending[task].remove(key)
                self._hold(last.task if last else None, task)
                return key
        return None

    def retry(self, key: EpisodeKey) -> None:
        """Put an episode back, to run after what else is pending of its task."""
        self._pending.setdefault(key.task, deque()).append(key)

    def _preferred(self, last: Compiled | None) -> list[str]:
        """The place's own task first, then those with the fewest places at work on them."""
        tasks = [task for task, queue in self._pending.items() if queue]
        return sorted(tasks, key=lambda task: (not last or task != last.task, self._holders[task]))

    def _hold(self, old: str | None, new: str) -> None:
        if old is not None:
            self._holders[old] -= 1
        self._holders[new] += 1


def _nearest(
    candidates: Iterator[EpisodeKey], last: Compiled, model: Callable[[EpisodeKey], str | None]
) -> EpisodeKey | None:
    """One of the same model; else one that is still to be grounded, at tau_0's model; else any."""
    ungrounded = other = None
    for key in candidates:
        found = model(key)
        if found == last.model:
            return key
        if found is None:
            ungrounded = ungrounded or key
        else:
            other = other or key
    return ungrounded or other

"""What is still to run, and in which order places get it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from ..core.slots import EpisodeKey

Group = tuple[str, int]
"""A grounded start: (task, rollout). Its levels share one tau_0."""


def group_of(key: EpisodeKey) -> Group:
    """The start an episode begins from."""
    return key.task, key.rollout


class Agenda:
    """Pending episodes, handed out so that a place keeps its compiled task as long as there is work for it.

    The order decides nothing but speed: every episode is a function of its key.

    Args:
        keys: what is to run, in the plan's order.
    """

    def __init__(self, keys: Iterable[EpisodeKey]) -> None:
        self._pending: dict[str, deque[EpisodeKey]] = {}
        for key in keys:
            self._pending.setdefault(key.task, deque()).append(key)
        self._holders: dict[str, int] = {}

    def __len__(self) -> int:
        return sum(map(len, self._pending.values()))

    def take(self, last_task: str | None, ready: Callable[[EpisodeKey], bool]) -> EpisodeKey | None:
        """The next episode for a place that last ran ``last_task``; None if nothing is ready.

        Args:
            last_task: the task the place has compiled.
            ready: whether an episode can be handed out now (its start is not being grounded elsewhere).
        """
        for task in self._preferred(last_task):
            queue = self._pending[task]
            for key in queue:
                if ready(key):
                    queue.remove(key)
                    self._hold(last_task, task)
                    return key
        return None

    def retry(self, key: EpisodeKey) -> None:
        """Put an episode back, to run after what else is pending of its task."""
        self._pending.setdefault(key.task, deque()).append(key)

    def _preferred(self, last_task: str | None) -> list[str]:
        """The place's own task first, then those with the fewest places at work on them."""
        tasks = [task for task, queue in self._pending.items() if queue]
        return sorted(tasks, key=lambda task: (task != last_task, self._holders.get(task, 0)))

    def _hold(self, old: str | None, new: str) -> None:
        if old == new:
            return
        if old is not None:
            self._holders[old] -= 1
        self._holders[new] = self._holders.get(new, 0) + 1

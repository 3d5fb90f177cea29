"""Places in this process: thousands of episodes of a batch world, stepped together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..core.errors import IndgenError, SimulatorError
from ..core.observation import ActionChunk, Observation, Transition
from ..core.scene import Scene
from ..core.slots import EpisodeKey, Slot
from ..core.world import BatchEnv
from .places import Fault, Grounded, Moved, News, Started


class BatchPlaces:
    """Collects the calls of one round and carries them out together when polled.

    Args:
        env: the batch environment.
        count: how many places.
    """

    def __init__(self, env: BatchEnv, count: int) -> None:
        self.capacity = count
        self.compiles = False
        self.manifest = env.manifest()
        self._env = env
        self._grounding: list[tuple[int, EpisodeKey, int]] = []
        self._starting: list[tuple[Slot, Scene]] = []
        self._moving: list[tuple[Slot, ActionChunk]] = []

    def ground(self, place: int, key: EpisodeKey, seed: int) -> None:
        """As :meth:`Places.ground`."""
        self._grounding.append((place, key, seed))

    def start(self, slot: Slot, scene: Scene) -> None:
        """As :meth:`Places.start`."""
        self._starting.append((slot, scene))

    def advance(self, slots: Sequence[Slot], chunks: Sequence[ActionChunk]) -> None:
        """As :meth:`Places.advance`."""
        self._moving.extend(zip(slots, chunks, strict=True))

    def poll(self, wait_s: float) -> list[tuple[int, News]]:
        """As :meth:`Places.poll`; nothing here ever has to be waited for."""
        del wait_s
        return [*self._ground(), *self._start(), *self._advance()]

    def _ground(self) -> list[tuple[int, News]]:
        calls, self._grounding = self._grounding, []
        news: list[tuple[int, News]] = []
        for place, key, seed in calls:
            try:
                news.append((place, Grounded(self._env.ground(key.task, key.rollout, seed))))
            except Exception as error:
                news.append((place, Fault(_ours(error))))
        return news

    def _start(self) -> list[tuple[int, News]]:
        calls, self._starting = self._starting, []
        slots, scenes = [slot for slot, _ in calls], [scene for _, scene in calls]
        return self._answers(slots, lambda: self._env.reset(slots, scenes))

    def _advance(self) -> list[tuple[int, News]]:
        calls, self._moving = self._moving, []
        slots, chunks = [slot for slot, _ in calls], [chunk for _, chunk in calls]
        return self._answers(slots, lambda: self._env.advance(slots, chunks))

    @staticmethod
    def _answers(
        slots: Sequence[Slot], call: Callable[[], Sequence[Observation | Transition | Exception]]
    ) -> list[tuple[int, News]]:
        if not slots:
            return []
        try:
            answers = call()
        except Exception as error:
            answers = [error] * len(slots)
        return [(slot.id, _news(answer)) for slot, answer in zip(slots, answers, strict=True)]

    def close(self) -> None:
        """As :meth:`Places.close`."""
        self._env.close()


def _news(answer: Observation | Transition | Exception) -> News:
    if isinstance(answer, Observation):
        return Started(answer)
    return Moved(answer) if isinstance(answer, Transition) else Fault(_ours(answer))


def _ours(error: Exception) -> IndgenError:
    if isinstance(error, IndgenError):
        return error
    return SimulatorError(f"{type(error).__name__}: {' '.join(str(error).split())}")

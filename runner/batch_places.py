"""Places in this process: thousands of episodes of a batch world, stepped together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from ..core.errors import PLUGIN_FAULTS, IndgenError, SimulatorError
from ..core.observation import ActionChunk, Observation, Transition
from ..core.scene import Scene
from ..core.slots import EpisodeKey, Slot
from ..core.text import describe
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
        return [(place, self._grounded(key, seed)) for place, key, seed in calls]

    def _grounded(self, key: EpisodeKey, seed: int) -> News:
        try:
            scene = self._env.ground(key.task, key.rollout, seed)
        except PLUGIN_FAULTS as error:
            return Fault(_ours(error))
        return Grounded(scene) if isinstance(scene, Scene) else _strange(scene, Scene)

    def _start(self) -> list[tuple[int, News]]:
        calls, self._starting = self._starting, []
        slots, scenes = [slot for slot, _ in calls], [scene for _, scene in calls]

        def news(answer: object) -> News:
            return Started(answer) if isinstance(answer, Observation) else _strange(answer, Observation)

        return _answers(slots, lambda: self._env.reset(slots, scenes), news)

    def _advance(self) -> list[tuple[int, News]]:
        calls, self._moving = self._moving, []
        slots, chunks = [slot for slot, _ in calls], [chunk for _, chunk in calls]

        def news(answer: object) -> News:
            return Moved(answer) if isinstance(answer, Transition) else _strange(answer, Transition)

        return _answers(slots, lambda: self._env.advance(slots, chunks), news)

    def close(self) -> None:
        """As :meth:`Places.close`."""
        # What is over is in the ledger; a world that cannot even be closed costs nothing more.
        with suppress(*PLUGIN_FAULTS):
            self._env.close()


def _answers(
    slots: Sequence[Slot], call: Callable[[], Sequence[object]], news: Callable[[object], News]
) -> list[tuple[int, News]]:
    """One call for all slots, its answers told apart; a call that fails as a whole is everybody's fault."""
    if not slots:
        return []
    try:
        answers = list(call())
    except PLUGIN_FAULTS as error:
        return [(slot.id, Fault(SimulatorError("the batch failed", got=describe(error)))) for slot in slots]
    if len(answers) != len(slots):
        fault = Fault(SimulatorError("the batch gave another number of answers", got=len(answers), expected=len(slots)))
        return [(slot.id, fault) for slot in slots]
    return [(slot.id, news(answer)) for slot, answer in zip(slots, answers, strict=True)]


def _strange(answer: object, expected: type) -> Fault:
    """A fault in the place of an answer, or something that is no answer at all."""
    if isinstance(answer, BaseException):
        return Fault(_ours(answer))
    return Fault(SimulatorError("the world gave no answer", got=type(answer).__name__, expected=expected.__name__))


def _ours(error: BaseException) -> IndgenError:
    return error if isinstance(error, IndgenError) else SimulatorError(describe(error))

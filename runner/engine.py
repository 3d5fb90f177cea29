"""The engine: keep every place busy, let the policy look where something is ready, record what ends.

One loop, no threads: places answer when they can, slots refill at once, and no episode waits for another.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np

from ..axes.contract import Axis
from ..core.errors import EpisodeFault, IndgenError, InvalidStart, SweepAborted
from ..core.observation import Observation, Transition
from ..core.scene import Scene
from ..core.slots import EpisodeKey, Slot
from ..core.world import World
from ..policies.contract import Policy
from .agenda import Agenda, Compiled, Group, group_of
from .answers import check_grounded, check_observation, check_transition
from .episodes import Outcome
from .looking import Looker
from .places import Fault, Grounded, Moved, News, Places, Started
from .scenes import SceneStore, at_level

ATTEMPTS = 2
"""An error is retried once per run of the command."""
_POLL_S = 0.2


@dataclass
class Ended:
    """One attempt at an episode, over.

    Attributes:
        key: which episode.
        outcome: how it ended.
        cause: why, for anything but a success.
        transition: the last one; None if it never got that far.
        scene: the scene it started from; None if it could not be grounded.
        attempt: 1 for the first try within this command.
        retried: whether another try follows.
        started: UTC, ISO 8601.
        wall_s: seconds from the start of its reset.
        policy_s: seconds spent waiting for the policy.
        policy_seed: seed of the policy's own noise.
        frames: video frames.
        actions: every action executed, for demonstrations.
    """

    key: EpisodeKey
    outcome: Outcome
    cause: str | None
    transition: Transition | None
    scene: Scene | None
    attempt: int
    retried: bool
    started: str
    wall_s: float
    policy_s: float
    policy_seed: int
    frames: Sequence[np.ndarray]
    actions: Sequence[np.ndarray]


@dataclass
class _Seat:
    """What runs in one place now."""

    slot: Slot
    scene: Scene | None = None
    began: float = field(default_factory=time.monotonic)
    started: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))
    policy_s: float = 0.0
    frames: list[np.ndarray] = field(default_factory=list)
    actions: list[np.ndarray] = field(default_factory=list)
    last: Transition | None = None
    stands: bool = False


class Engine:
    """Runs an agenda to its end.

    Args:
        places: where episodes run.
        policy: what acts.
        axis: what turns tau_0's scene into tau_k's.
        world: whose episodes they are.
        max_steps: control steps an episode has.
        scenes: grounded starts.
        seeds: episode key to (seed of its start, seed of the policy's noise).
        on_end: called with every attempt that ends.
        after_round: called once per loop, e.g. to make what ended durable and to redraw.
    """

    def __init__(
        self,
        places: Places,
        policy: Policy,
        axis: Axis,
        world: World,
        max_steps: int,
        scenes: SceneStore,
        seeds: Callable[[EpisodeKey], tuple[int, int]],
        on_end: Callable[[Ended], None],
        after_round: Callable[[], None],
    ) -> None:
        self._places, self._axis, self._world, self._scenes = places, axis, world, scenes
        self._seeds, self._on_end, self._after_round = seeds, on_end, after_round
        self._max_steps = max_steps
        self._looker = Looker(policy, world.layout.action)
        self._seats: dict[int, _Seat] = {}
        self._compiled: dict[int, Compiled] = {}
        self._grounding: set[Group] = set()
        self._models: dict[EpisodeKey, str] = {}
        self._attempts: dict[EpisodeKey, int] = {}
        self._errors_on_end = 0

    def run(self, agenda: Agenda) -> None:
        """Run every episode of the agenda.

        Raises:
            SweepAborted: if attempt after attempt ends in an error: something is broken for good.
        """
        self._agenda = agenda
        # One fault can end an episode in every place at once; only what goes on after that is for good.
        self._patience = 3 * ATTEMPTS + min(self._places.capacity, len(agenda))
        while True:
            self._fill()
            if not self._seats and not len(agenda):
                return
            ready: dict[int, Observation] = {}
            for place, news in self._places.poll(_POLL_S):
                self._take_in(place, news, ready)
            self._act(ready)
            self._after_round()

    def _fill(self) -> None:
        for place in range(self._places.capacity):
            if place in self._seats:
                continue
            key = self._agenda.take(self._compiled.get(place), self._is_ready, self._model)
            if key is None:
                return
            self._seat(place, key)

    def _is_ready(self, key: EpisodeKey) -> bool:
        """Whether no place is grounding this episode's start right now."""
        return group_of(key) not in self._grounding

    def _model(self, key: EpisodeKey) -> str | None:
        """Compile key of an episode's model, once its start is grounded."""
        if key not in self._models:
            if not self._scenes.has(group_of(key)):
                return None
            try:
                self._models[key] = self._world.compile_key(self._scene(key))
            except IndgenError:
                return None
        return self._models[key]

    def _scene(self, key: EpisodeKey) -> Scene:
        return at_level(self._axis, self._scenes.get(group_of(key)), key.level)

    def _seat(self, place: int, key: EpisodeKey) -> None:
        start_seed, policy_seed = self._seeds(key)
        seat = self._seats[place] = _Seat(Slot(place, key, is_first=True, seed=policy_seed))
        self._attempts[key] = self._attempts.get(key, 0) + 1
        if self._scenes.has(group_of(key)):
            self._start(seat)
        else:
            self._grounding.add(group_of(key))
            self._places.ground(place, key, start_seed)

    def _start(self, seat: _Seat) -> None:
        key = seat.slot.key
        try:
            seat.scene = self._scene(key)
        except IndgenError as error:
            self._end(seat, Outcome.ERROR, str(error))
            return
        if self._places.compiles:
            self._compiled[seat.slot.id] = Compiled(key.task, self._world.compile_key(seat.scene))
        self._places.start(seat.slot, seat.scene)

    def _take_in(self, place: int, news: News, ready: dict[int, Observation]) -> None:
        seat = self._seats[place]
        try:
            match news:
                case Grounded(scene):
                    self._keep(seat.slot.key, scene)
                    self._start(seat)
                case Started(observation):
                    check_observation(observation)
                    seat.stands = True
                    ready[place] = observation
                case Moved(transition):
                    check_transition(transition, seat.last.step if seat.last else 0, self._max_steps)
                    self._move(seat, transition, ready)
                case Fault(error):
                    raise error
        except IndgenError as error:
            # Only a start can be invalid, and only before the policy has looked.
            broken_start = isinstance(error, InvalidStart) and seat.scene is not None and not seat.stands
            self._end(seat, Outcome.INVALID if broken_start else Outcome.ERROR, str(error))

    def _keep(self, key: EpisodeKey, scene: Scene) -> None:
        check_grounded(scene, self._world.id, key, self._seeds(key)[0])
        self._scenes.put(group_of(key), scene)
        self._grounding.discard(group_of(key))

    def _move(self, seat: _Seat, transition: Transition, ready: dict[int, Observation]) -> None:
        seat.last = transition
        seat.frames.extend(transition.frames)
        if transition.observation is not None and not transition.done:
            ready[seat.slot.id] = transition.observation
        elif transition.success:
            self._end(seat, Outcome.SUCCESS, None)
        else:
            self._end(
                seat, Outcome.FAILURE, f"not done after {transition.step} steps, {transition.stage or 'no'} stage"
            )

    def _act(self, ready: Mapping[int, Observation]) -> None:
        """Let the policy look at everything that is ready, in one call."""
        seats = [self._seats[place] for place in sorted(ready)]
        if not seats:
            return
        looks = self._looker.look([seat.slot for seat in seats], [ready[seat.slot.id] for seat in seats])
        slots, chunks = [], []
        for seat, look in zip(seats, looks, strict=True):
            seat.policy_s += look.seconds
            if isinstance(look.answer, EpisodeFault):
                self._end(seat, Outcome.ERROR, str(look.answer))
                continue
            slots.append(seat.slot)
            chunks.append(look.answer)
            seat.actions.append(look.answer.actions)
            seat.slot = Slot(seat.slot.id, seat.slot.key, is_first=False, seed=seat.slot.seed)
        if slots:
            self._places.advance(slots, chunks)

    def _end(self, seat: _Seat, outcome: Outcome, cause: str | None) -> None:
        key = seat.slot.key
        del self._seats[seat.slot.id]
        if seat.scene is None:
            self._grounding.discard(group_of(key))
        self._on_end(
            Ended(
                key=key,
                outcome=outcome,
                cause=cause,
                transition=seat.last,
                scene=seat.scene,
                attempt=self._attempts[key],
                retried=outcome is Outcome.ERROR and self._attempts[key] < ATTEMPTS,
                started=seat.started,
                wall_s=time.monotonic() - seat.began,
                policy_s=seat.policy_s,
                policy_seed=seat.slot.seed,
                frames=seat.frames,
                actions=seat.actions,
            )
        )
        self._mind_errors(key, outcome, cause)

    def _mind_errors(self, key: EpisodeKey, outcome: Outcome, cause: str | None) -> None:
        if outcome is not Outcome.ERROR:
            self._errors_on_end = 0
            return
        self._errors_on_end += 1
        if self._attempts[key] < ATTEMPTS:
            self._agenda.retry(key)
        if self._errors_on_end >= self._patience:
            raise SweepAborted(
                f"sweep stopped: {self._errors_on_end} attempts in a row ended in an error, the last one with",
                got=cause,
                hint="nothing finished is lost; mend the cause and run the same command again to resume",
            )

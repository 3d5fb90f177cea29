"""Has the task been done? The published predicate, a stricter one, and the stage reached on the way."""

from __future__ import annotations

import numpy as np

from ...core.errors import SceneError
from .simulation import Simulation
from .tasks import ROLES

STAGES = ("none", "reached", "grasped", "lifted", "over goal", "placed")
_NEAR = 0.10
"""Metres from the hand to the object's origin: a tall object is held 5 cm above it."""
_LIFTED = 0.03
_ON = 0.03
"""Metres sideways within which LIBERO takes one body to be on another (object_states/base_object_states.py:102)."""
_STILL = 0.01
_STABLE_STEPS = 10


class Judge:
    """Follows one episode.

    ``published`` is LIBERO's own predicate, e.g. the object's body origin inside the contain region; it holds even
    while the object is still gripped. ``strict`` asks besides that no finger touches the object and that it
    moves slower than 1 cm/s, for 10 control steps on end. Where there is not one object to place, the only
    stages are ``none`` and ``placed``.

    Args:
        sim: the simulation, settled.
        predicate: which of the two ends the episode.

    Raises:
        SceneError: for an unknown predicate, or for ``strict`` where there is not one object to place.
    """

    def __init__(self, sim: Simulation, predicate: str) -> None:
        if predicate not in ("published", "strict"):
            raise SceneError("LIBERO has no such success predicate", got=predicate, exists=("published", "strict"))
        self._sim = sim
        self._predicate = predicate
        self._stable = 0
        self._stage = 0
        self._body = -1 if sim.pick is None else sim.movable[sim.pick]
        if sim.pick is None:
            if predicate == "strict":
                raise SceneError(f"{sim.task} has no strict success", got=ROLES[sim.task].no_strict())
            return
        self._rest_height = float(sim.data.xpos[self._body][2])
        model = sim.model
        gripper = sim.env.robots[0].gripper
        self._fingers = [
            {int(sim.env.sim.model.geom_name2id(name)) for name in gripper.important_geoms[side]}
            for side in ("left_finger", "right_finger")
        ]
        self._own = {geom for geom in range(model.ngeom) if int(model.geom_bodyid[geom]) == self._body}

    @property
    def stage(self) -> str:
        """The farthest stage reached so far."""
        return STAGES[self._stage]

    def step(self) -> bool:
        """Look at the state after a control step; returns whether the episode's predicate holds."""
        inside = bool(self._sim.env._check_success())
        self._advance_stage(inside)
        if self._predicate == "published":
            return inside
        self._stable = self._stable + 1 if inside and self._released() else 0
        return self._stable >= _STABLE_STEPS

    def _advance_stage(self, inside: bool) -> None:
        data = self._sim.data
        place, hand = data.xpos[self._body], data.site_xpos[self._sim.hand_site]
        if inside:
            self._stage = 5
        elif self._body < 0:
            return
        elif self._stage >= 2 and place[2] - self._rest_height > _LIFTED:
            over = self._over_goal(place)
            self._stage = max(self._stage, 4 if over else 3)
        elif self._stage < 2 and np.linalg.norm(place - hand) < _NEAR:
            self._stage = max(self._stage, 2 if all(self._touching()) else 1)

    def _over_goal(self, place: np.ndarray) -> bool:
        sim, site = self._sim, self._sim.region_site
        if site is None:
            assert sim.goal is not None
            return bool(np.linalg.norm(place[:2] - sim.data.xpos[sim.movable[sim.goal]][:2]) < _ON)
        # The box that LIBERO takes too (objects/site_object.py, in_box).
        size = np.abs(sim.data.site_xmat[site].reshape(3, 3) @ sim.model.site_size[site])
        return bool(np.all(np.abs(place - sim.data.site_xpos[site])[:2] < size[:2]))

    def _touching(self) -> list[bool]:
        """Whether the left and the right finger touch the object."""
        data = self._sim.data
        touched = set()
        for index in range(data.ncon):
            pair = {int(data.contact[index].geom1), int(data.contact[index].geom2)}
            if pair & self._own:
                touched |= pair
        return [bool(finger & touched) for finger in self._fingers]

    def _released(self) -> bool:
        # cvel is com-based; a free body's own translational velocity is what qvel holds.
        speed = np.linalg.norm(self._sim.data.qvel[self._velocity])
        return bool(speed < _STILL) and not any(self._touching())

    @property
    def _velocity(self) -> slice:
        first = int(self._sim.model.body_dofadr[self._body])
        return slice(first, first + 3)

"""Are a world's answers what its contract promises? Whatever is not is the simulator's error, never an outcome."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..core.errors import SceneError, SimulatorError
from ..core.observation import ACT_KINDS, Act, Observation, Transition
from ..core.scene import Scene
from ..core.slots import EpisodeKey

_FAR = 1e9
"""Metres; whatever is not nearer than this is no place, NaN included."""


def check_grounded(scene: Scene, world: str, key: EpisodeKey, seed: int) -> None:
    """A grounded start must be the one asked for, unedited.

    Raises:
        SceneError: saying what differs.
    """
    expected = {"world": world, "task": key.task, "seed": seed, "edits": ()}
    got = {name: getattr(scene, name) for name in expected}
    wrong = [f"{name} {got[name]!r} instead of {expected[name]!r}" for name in expected if got[name] != expected[name]]
    if wrong:
        raise SceneError(
            f"the grounded start of {key.task}, rollout {key.rollout} is another one", got="; ".join(wrong)
        )


def check_observation(observation: Observation) -> None:
    """No NaN may reach a policy.

    Raises:
        SimulatorError: naming the entry.
    """
    for kind, entries in (("state", observation.state), ("privileged", observation.privileged or {})):
        _check_finite(kind, entries)


def _check_finite(kind: str, entries: Mapping[str, np.ndarray]) -> None:
    for name, value in entries.items():
        if not np.isfinite(value).all():
            raise SimulatorError(f"the world's {kind} is not finite", got=name)


def check_transition(transition: Transition, before: int, max_steps: int) -> None:
    """A transition must move on, end within the step limit, and be over exactly if it says so.

    Args:
        transition: what came back.
        before: control steps executed before it.
        max_steps: control steps an episode has.

    Raises:
        SimulatorError: saying what is off.
    """
    step = transition.step
    if isinstance(step, bool) or not isinstance(step, int | np.integer) or step <= before:
        raise SimulatorError("the world did not count its steps", got=repr(step), expected=f"more than {before}")
    if step > max_steps or (step == max_steps and not transition.done):
        raise SimulatorError("the world went past its step limit", got=step, expected=f"done at {max_steps}")
    if transition.success and not transition.done:
        raise SimulatorError("the world called an episode a success and went on")
    _check_acts(transition.acts)
    if not transition.done:
        if not isinstance(transition.observation, Observation):
            raise SimulatorError("the world ended an episode without saying so", got="no observation")
        check_observation(transition.observation)


def _check_acts(acts: Mapping[str, Act]) -> None:
    """Role to act; anything but finite places is the world's fault, not something the policy did."""
    if not isinstance(acts, Mapping):
        raise SimulatorError("the world told no acts by role", got=type(acts).__name__, expected="a mapping")
    for role, act in acts.items():
        told = isinstance(role, str) and isinstance(act, Act) and isinstance(act.how, str)
        if not told or act.how not in ACT_KINDS:
            raise SimulatorError("the world told an act that is none", got=f"{role!r}: {act!r}", expected="an Act")
        for name, place in (("hand", act.hand), ("target", act.target)):
            if not _is_point(place):
                raise SimulatorError(
                    f"the {name} of the act {role!r} is no place", got=repr(place), expected="3 finite numbers"
                )


def _is_point(place: object) -> bool:
    if not isinstance(place, tuple | list) or len(place) != 3:
        return False
    numbers = int | float | np.integer | np.floating
    return all(isinstance(value, numbers) and not isinstance(value, bool) and abs(value) < _FAR for value in place)

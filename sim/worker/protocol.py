"""What a worker and the runner say to each other: msgpack requests and replies, checked by a handshake."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ...core.errors import (
    EpisodeFault,
    IndgenError,
    InvalidStart,
    RenderingUnavailable,
    SceneError,
    SimulatorError,
    WorkerError,
)
from ...core.observation import Act, ActionChunk, Frame, Observation, Transition

PROTOCOL = 1
_SHARED = ("core", "sim")
_ERRORS: dict[str, type[IndgenError]] = {
    cls.__name__: cls for cls in (InvalidStart, RenderingUnavailable, SceneError, SimulatorError, WorkerError)
}


@dataclass(frozen=True)
class Reply:
    """A worker's answer to one call."""

    value: Any


@dataclass(frozen=True)
class Failed:
    """A call that raised, or a worker that died; ``error`` is what to record."""

    error: IndgenError


@cache
def source_digest() -> str:
    """SHA-256 over the sources both sides share, so that a worker of another build is refused."""
    root = Path(__file__).resolve().parents[2]
    digest = hashlib.sha256()
    for package in _SHARED:
        for path in sorted((root / package).rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def error_to_dict(error: BaseException) -> dict[str, str]:
    """An exception as plain data; anything that is not ours becomes a simulator error with its type."""
    if type(error).__name__ in _ERRORS:
        return {"kind": type(error).__name__, "text": str(error)}
    if isinstance(error, EpisodeFault):
        return {"kind": "SimulatorError", "text": str(error)}
    return {"kind": "SimulatorError", "text": f"{type(error).__name__}: {' '.join(str(error).split())}"}


def error_from_dict(data: Mapping[str, str]) -> IndgenError:
    """The exception a worker sent."""
    return _ERRORS.get(data["kind"], WorkerError)(data["text"])


def frame_to_dict(frame: Frame) -> dict[str, Any]:
    """A frame as plain data and arrays."""
    return {"images": dict(frame.images), "state": dict(frame.state), "step": frame.step}


def observation_to_dict(observation: Observation) -> dict[str, Any]:
    """An observation as plain data and arrays."""
    return {
        "images": dict(observation.images),
        "state": dict(observation.state),
        "instruction": observation.instruction,
        "step": observation.step,
        "history": [frame_to_dict(frame) for frame in observation.history],
        "privileged": None if observation.privileged is None else dict(observation.privileged),
    }


def observation_from_dict(data: Mapping[str, Any]) -> Observation:
    """The inverse of :func:`observation_to_dict`."""
    return Observation(**{**data, "history": tuple(Frame(**frame) for frame in data["history"])})


def transition_to_dict(transition: Transition) -> dict[str, Any]:
    """A transition as plain data and arrays."""
    observation = transition.observation
    return {
        "observation": None if observation is None else observation_to_dict(observation),
        "step": transition.step,
        "success": transition.success,
        "done": transition.done,
        "stage": transition.stage,
        "frames": list(transition.frames),
        "acts": {role: asdict(act) for role, act in transition.acts.items()},
    }


def transition_from_dict(data: Mapping[str, Any]) -> Transition:
    """The inverse of :func:`transition_to_dict`."""
    seen = data["observation"]
    acts = {role: _act_from_dict(act) for role, act in data["acts"].items()}
    return Transition(**{**data, "observation": None if seen is None else observation_from_dict(seen), "acts": acts})


def _act_from_dict(data: Mapping[str, Any]) -> Act:
    return Act(**{**data, "hand": tuple(data["hand"]), "target": tuple(data["target"])})


def chunk_to_dict(chunk: ActionChunk) -> dict[str, Any]:
    """A chunk as plain data and one array."""
    return {"actions": np.asarray(chunk.actions), "layout": chunk.layout, "execute": chunk.execute}


def chunk_from_dict(data: Mapping[str, Any]) -> ActionChunk:
    """The inverse of :func:`chunk_to_dict`."""
    return ActionChunk(**data)


def last_lines(path: Path, count: int = 3) -> Sequence[str]:
    """The last non-empty lines of a worker's log, for its obituary."""
    if not path.exists():
        return ()
    lines = [line.strip() for line in path.read_text(errors="replace").splitlines()]
    return [line for line in lines if line][-count:]

"""Checkpoints: parameters as safetensors, and beside them a card that says where they come from."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load, save

from ...core.errors import IndgenError, UsageError
from ..layout import LARGEST_GRID
from . import METHODS
from .method import Method

FORMAT = "indgen-blockenv-checkpoint-1"
WEIGHTS, CARD, LOCK = ".safetensors", ".json", ".training"
_HINT = "delete it and its card, and train it again; or choose another folder"
SHIPPED = Path(__file__).resolve().parents[1] / "checkpoints"
"""One seed of every method."""


@dataclass(frozen=True)
class CheckpointCard:
    """Where a checkpoint comes from.

    Attributes:
        method: which baseline.
        revision: of the method, when it was trained.
        grid: side G it was trained on.
        levels: levels it was trained on.
        seed: of its demonstrations, initial parameters and minibatches.
        demonstrations: how many of each level.
        updates: steps of the optimiser.
        loss: mean over the last tenth of them.
        command: what makes it again.
        versions: of what made it.
        weights: SHA-256 of the parameters' file.
        format: of this card.
    """

    method: str
    revision: int
    grid: int
    levels: tuple[int, ...]
    seed: int
    demonstrations: int
    updates: int
    loss: float
    command: str
    versions: dict[str, str]
    weights: str = ""
    format: str = FORMAT

    @property
    def data(self) -> str:
        """What it was trained on, in words."""
        levels = ", ".join(f"L{level}" for level in self.levels)
        return f"{self.demonstrations} oracle demonstrations each of {levels} on {self.grid} x {self.grid}"


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A card and what it speaks of.

    Attributes:
        card: where it comes from.
        params: name to float32 array.
    """

    card: CheckpointCard
    params: dict[str, np.ndarray]

    @property
    def method(self) -> Method:
        """Which baseline it is."""
        return METHODS[self.card.method]


def weights_path(folder: Path, method: str, seed: int) -> Path:
    """Where a method's parameters lie; the card lies beside them."""
    return folder / f"{method}-seed{seed}{WEIGHTS}"


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Within it, nobody else trains in the folder, which is made and can be written to.

    Raises:
        UsageError: if it cannot be written, or another process holds it.
    """
    hint = "choose another folder with --out"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK).open("a")
    except OSError as cause:
        raise UsageError("the folder cannot be written", got=f"{folder}: {cause.strerror}", hint=hint) from cause
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as cause:
            raise UsageError("another process trains in this folder", got=folder, hint=hint) from cause
        yield


def write_checkpoint(folder: Path, card: CheckpointCard, params: dict[str, np.ndarray]) -> Path:
    """Write parameters, then the card that vouches for them; a crash between leaves no checkpoint.

    Raises:
        UsageError: if the folder cannot be written.
    """
    weights = save(params)
    whole = {**asdict(card), "weights": sha256(weights).hexdigest()}
    path = weights_path(folder, card.method, card.seed)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.with_suffix(CARD).unlink(missing_ok=True)
        path.write_bytes(weights)
        part = path.with_suffix(CARD + ".part")
        part.write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
        part.replace(path.with_suffix(CARD))
    except OSError as cause:
        raise UsageError("the checkpoint cannot be written", got=f"{path}: {cause.strerror}") from cause
    return path


def read_checkpoint(path: Path) -> Checkpoint:
    """A checkpoint, checked against its card and against what its method is now.

    Args:
        path: the parameters' file.

    Raises:
        UsageError: if it is missing, truncated, changed, stale, or of no method known here.
    """
    card = read_card(path.with_suffix(CARD))
    try:
        weights = path.read_bytes()
    except OSError as cause:
        raise UsageError("the checkpoint cannot be read", got=f"{path}: {cause.strerror}") from cause
    if sha256(weights).hexdigest() != card.weights:
        raise _broken(path, f"{len(weights)} bytes that its card does not vouch for: truncated or changed")
    method = METHODS[card.method]
    if card.revision != method.revision:
        raise _broken(path, f"revision {card.revision} of {method.name}, which is at {method.revision} now: stale")
    try:
        params = {name: value.astype(np.float32) for name, value in load(weights).items()}
    except Exception as cause:  # Whatever the decoder raises about a file that is none of ours.
        raise _broken(path, f"no safetensors: {cause}") from cause
    _check_params(path, params, method, card.grid)
    return Checkpoint(card, params)


def _check_params(path: Path, params: dict[str, np.ndarray], method: Method, grid: int) -> None:
    expected = {name: value.shape for name, value in method.initial(np.random.default_rng(0), grid).items()}
    found = {name: value.shape for name, value in params.items()}
    for name in sorted(expected.keys() | found.keys()):
        if expected.get(name) != found.get(name):
            raise _broken(path, f"{name} of shape {found.get(name)}, where {method.name} has {expected.get(name)}")
    if not all(np.isfinite(value).all() for value in params.values()):
        raise _broken(path, "parameters that are not finite")


def read_card(path: Path) -> CheckpointCard:
    """A checkpoint's card.

    Raises:
        UsageError: if it is missing, malformed, or of no method known here.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as cause:
        raise UsageError("the checkpoint's card cannot be read", got=f"{path}: {cause.strerror}", hint=_HINT) from cause
    except (ValueError, RecursionError) as cause:
        raise UsageError("the checkpoint's card is no JSON", got=f"{path}: {cause}", hint=_HINT) from cause
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UsageError("this is no checkpoint's card", got=path, expected=f"format {FORMAT}")
    names = {field.name for field in fields(CheckpointCard)}
    if data.keys() != names or not _sound(data):
        raise UsageError("a checkpoint's card is malformed", got=path, expected=", ".join(sorted(names)), hint=_HINT)
    if data["method"] not in METHODS:
        raise UsageError("a checkpoint of an unknown method", got=repr(data["method"]), exists=METHODS)
    return CheckpointCard(**{**data, "levels": tuple(data["levels"])})


def _sound(data: dict[str, Any]) -> bool:
    whole = [data[name] for name in ("revision", "grid", "seed", "demonstrations", "updates")]
    levels, versions = data["levels"], data["versions"]
    return (
        isinstance(levels, list)
        and all(isinstance(value, int) and not isinstance(value, bool) for value in (*whole, *levels))
        and all(isinstance(data[name], str) for name in ("method", "command", "weights"))
        and isinstance(data["loss"], float)
        and isinstance(versions, dict)
        and all(isinstance(value, str) for value in versions.values())
        and 1 <= data["grid"] <= LARGEST_GRID
        and bool(levels)
        and all(0 <= level < data["grid"] for level in levels)
    )


def find_checkpoint(method: str, where: Path = SHIPPED) -> Path:
    """The one checkpoint of a method in a folder; or ``where`` itself, if it is a file.

    Raises:
        UsageError: if there is none, or more than one.
    """
    if where.is_file():
        return where
    found = sorted(where.glob(f"{method}-seed*{WEIGHTS}"))
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(
            f"there is no checkpoint of {method}",
            got=where,
            expected=weights_path(Path(), method, 0),
            hint=f"`indgen train blockenv {method}` makes one",
        )
    raise UsageError(
        f"there are several checkpoints of {method}",
        got=where,
        exists=[each.name for each in found],
        hint="name one of these files",
    )


def _broken(path: Path, what: str) -> IndgenError:
    return UsageError("a checkpoint is of no use", got=f"{path}: {what}", hint=_HINT)

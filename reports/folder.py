"""Reading a run folder: plan, manifest and episodes, without a simulator."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from ..axes.contract import AxisCard
from ..core.errors import LedgerError, RunFolderError
from ..core.slots import EpisodeKey
from ..core.text import one_line
from ..policies.contract import PolicyCard, PolicySpec
from ..runner.episodes import Episode, fold
from ..runner.ledger import Event, read
from ..runner.plan import PLAN_VERSION, Plan
from ..runner.top_up import TOP_UP, topped_levels

T = TypeVar("T")


@dataclass(frozen=True)
class RunFolder:
    """What a run folder says.

    Attributes:
        path: the folder.
        plan: the frozen request.
        manifest: what changes results, as recorded.
        axis_card: the axis as it was when the run started.
        policy_card: the policy's card, likewise.
        policy_spec: what the policy saw and returned.
        episodes: what stands in the ledger, sorted by key.
        topped: levels that got the plan's second stage, ascending.
    """

    path: Path
    plan: Plan
    manifest: Mapping[str, Any]
    axis_card: AxisCard
    policy_card: PolicyCard
    policy_spec: PolicySpec
    episodes: Mapping[EpisodeKey, Episode]
    topped: tuple[int, ...] = ()

    def pictures(self) -> dict[int, bytes]:
        """PNG files by level, for the levels that have one."""
        found = {level: self.path / "pictures" / f"level_{level}.png" for level in sorted(self.plan.levels)}
        return {level: path.read_bytes() for level, path in found.items() if path.is_file()}

    def caption(self) -> str:
        """What the pictures show: a task and a start; empty where nobody wrote it down."""
        file = self.path / "pictures" / "caption.txt"
        return one_line(file.read_text(encoding="utf-8", errors="replace")) if file.is_file() else ""


def read_run(path: Path) -> RunFolder:
    """Read a run folder, finished or not.

    Raises:
        RunFolderError: if it is no run folder, or its plan or manifest cannot be read.
        LedgerError: if its events are broken elsewhere than in the last line.
    """
    request = _json(path, "plan.json")
    plan = _typed(Plan, request.get("plan"), path / "plan.json", "plan")
    if plan.version != PLAN_VERSION:
        raise RunFolderError(
            f"{path / 'plan.json'} is of another version",
            got=plan.version,
            expected=f"{PLAN_VERSION}, which this indgen reads",
        )
    if plan.hash != request.get("hash"):
        raise RunFolderError(
            f"{path / 'plan.json'} was changed after the run started",
            got=f"hash {str(request.get('hash'))[:12]}",
            expected=plan.hash[:12],
        )
    manifest = _json(path, "manifest.json")
    source = path / "manifest.json"
    if not (path / "events.jsonl").is_file():
        raise RunFolderError(
            f"the ledger of {path} is gone", got="no events.jsonl", expected="the events of the run", hint="restore it"
        )
    episodes, topped = _events(path / "events.jsonl", plan)
    return RunFolder(
        path=path,
        plan=plan,
        manifest=manifest,
        axis_card=_typed(AxisCard, manifest.get("axis_card"), source, "axis_card"),
        policy_card=_typed(PolicyCard, manifest.get("policy_card"), source, "policy_card"),
        policy_spec=_typed(PolicySpec, manifest.get("policy_spec"), source, "policy_spec"),
        episodes=episodes,
        topped=topped,
    )


def _json(folder: Path, name: str) -> dict[str, Any]:
    try:
        data = json.loads((folder / name).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError) as cause:
        exists = sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else None
        raise RunFolderError(
            f"{folder} is no run folder",
            got="a folder" if folder.is_dir() else "no such folder",
            expected=f"a folder with {name}",
            exists=exists,
            hint="name the folder that --out named",
        ) from cause
    except (OSError, ValueError) as cause:
        raise RunFolderError(f"{folder / name} cannot be read", got=cause, expected="a JSON object") from cause
    if not isinstance(data, dict):
        raise RunFolderError(
            f"{folder / name} is not what a run writes", got=type(data).__name__, expected="a JSON object"
        )
    return data


def _typed(kind: type[T], data: object, source: Path, name: str) -> T:
    try:
        return TypeAdapter(kind).validate_python(data)
    except ValidationError as cause:
        raise RunFolderError(
            f"{source} has no usable {name!r}",
            got=_first(cause),
            expected=f"the fields of {kind.__name__}",
            hint="another version of indgen may have written it",
        ) from cause


def _events(path: Path, plan: Plan) -> tuple[dict[EpisodeKey, Episode], tuple[int, ...]]:
    """The episodes that stand and the levels that were topped up, in one pass."""
    topped: set[int] = set()

    def watched() -> Iterator[Event]:
        for event in read(path):
            if event.kind == TOP_UP:
                topped.update(topped_levels([event]))
            yield event

    try:
        with _uncollected():
            standing = fold(watched())
        foreign = topped - set(plan.levels)
        if foreign:
            raise LedgerError(f"{path} tops up a level that the plan does not have", got=min(foreign))
        return standing, tuple(sorted(topped))
    except ValidationError as cause:
        raise LedgerError(f"{path} holds an episode that cannot be read", got=_first(cause)) from cause


@contextmanager
def _uncollected() -> Iterator[None]:
    """No garbage collection: records hold no cycles, and walking through a million of them takes seconds each time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _first(error: ValidationError) -> str:
    details = error.errors()[0]
    place = ".".join(str(part) for part in details["loc"])
    return f"{place}: {details['msg']}" if place else details["msg"]

"""The run folder: who may write it, and what lies in it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ..core.errors import LedgerError, RunFolderError
from .agenda import Group
from .episodes import Episode, fold
from .files import write_atomically
from .ledger import Ledger
from .plan import PLAN_VERSION, Plan
from .scenes import SceneStore

PLAN = "plan.json"
MANIFEST = "manifest.json"
EVENTS = "events.jsonl"
EPISODES = "episodes.jsonl"
GROUNDED = "grounded"


def default_folder(plan: Plan) -> Path:
    """``runs/<policy>-<axis>[-<label>]-<hash>``: the same command finds its own folder again."""
    words = [plan.policy, plan.axis, *([plan.label[:40]] if plan.label else ())]
    name = "-".join("".join(c if c.isalnum() or c in "-_." else "_" for c in word) for word in words)
    return Path("runs") / f"{name}-{plan.hash[:8]}"


class RunFolder:
    """A run folder open for writing. Creating one claims the folder; the same plan resumes.

    Args:
        path: the folder; made if missing.
        plan: what is to be run in it.
        shown: how to call it to people; ``path`` if not given.

    Raises:
        RunFolderError: if it is foreign, of another plan, in use, or cannot be written.
    """

    def __init__(self, path: Path, plan: Plan, shown: Path | None = None) -> None:
        # A plugin may change the working folder.
        self.shown, self.path = shown or path, path.absolute()
        self.plan = plan
        path = self.path
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._check_owner()
            self.ledger = Ledger(path / EVENTS)
            try:
                self._check_ledger()
                self._write_plan()
                self._restore_manifest()
            except BaseException:
                self.ledger.close()
                raise
        except OSError as cause:
            raise RunFolderError(
                "cannot write the run folder", got=f"{path}: {cause.strerror}", hint="choose another one with --out"
            ) from cause
        grounded = {(e.data["task"], e.data["rollout"]): e.data["digest"] for e in self.ledger if e.kind == GROUNDED}
        self.scenes = SceneStore(self.path / "scenes", grounded, self._log_ground)

    def _check_owner(self) -> None:
        known = read_plan(self.path)
        if known is None:
            strangers = sorted(entry.name for entry in self.path.iterdir() if not _left_by_a_crash(entry))
            if strangers:
                raise RunFolderError(
                    "this folder holds something else",
                    got=f"{self.path} with {', '.join(strangers[:3])}{', ...' if len(strangers) > 3 else ''}",
                    expected=f"an empty folder or a run's (with {PLAN})",
                    hint="choose another one with --out",
                )
        elif known != self.plan:
            raise RunFolderError(
                f"{self.shown} holds a run of another plan",
                got="; ".join(self.plan.differences(known)),
                expected="the same request, to resume it",
                hint="choose another folder with --out",
            )

    def _check_ledger(self) -> None:
        """Whatever else lies there, the ledger is the run: without it nothing may be begun over it."""
        fold_there = (self.path / EPISODES).exists() and (self.path / EPISODES).stat().st_size > 0
        if len(self.ledger) == 0 and fold_there:
            raise LedgerError(
                f"the ledger of {self.shown} is gone",
                got=f"an empty {EVENTS} beside {EPISODES}",
                expected="the events of the run",
                hint="restore it from a copy, or begin another run with --out",
            )

    def _log_ground(self, group: Group, digest: str) -> None:
        self.ledger.append(GROUNDED, {"task": group[0], "rollout": group[1], "digest": digest})

    def _write_plan(self) -> None:
        if not (self.path / PLAN).exists():
            content = {"plan": self.plan.model_dump(mode="json"), "hash": self.plan.hash}
            write_atomically(self.path / PLAN, json.dumps(content, indent=2) + "\n")

    def episodes(self) -> list[Episode]:
        """The episodes that stand now, sorted by key."""
        return list(fold(self.ledger).values())

    def write_episodes(self) -> None:
        """Bring ``episodes.jsonl`` up to date with the ledger."""
        lines = (json.dumps(episode.to_data()) + "\n" for episode in self.episodes())
        write_atomically(self.path / EPISODES, "".join(lines))

    def adopt_manifest(self, manifest: dict[str, Any]) -> None:
        """Keep the manifest of the first session; refuse to mix results of another world or policy.

        Raises:
            RunFolderError: listing what differs.
        """
        if (self.path / MANIFEST).exists():
            self.check_manifest(manifest, ("world", "policy_card", "policy_spec", "axis_card"))
        else:
            self._write_manifest(manifest)

    def check_manifest(self, manifest: Mapping[str, Any], parts: Sequence[str]) -> None:
        """Refuse to go on with other ``parts`` of the manifest than the run was begun with.

        Raises:
            RunFolderError: listing what differs.
        """
        path = self.path / MANIFEST
        known = _read_object(path) if path.exists() else manifest
        changed = [part for part in parts if known.get(part) != manifest.get(part)]
        if changed:
            raise RunFolderError(
                "what this run was begun with has changed",
                got="; ".join(f"{part}: {_difference(known.get(part), manifest.get(part))}" for part in changed),
                hint="begin another run with --out",
            )

    def _restore_manifest(self) -> None:
        """A lost manifest comes back from the ledger, which holds that of every session."""
        begun = next((event.data["manifest"] for event in self.ledger if event.kind == "started"), None)
        if begun is not None and not (self.path / MANIFEST).exists():
            self._write_manifest(begun)

    def _write_manifest(self, manifest: Mapping[str, Any]) -> None:
        write_atomically(self.path / MANIFEST, json.dumps(manifest, indent=2, sort_keys=True) + "\n")

    def close(self) -> None:
        """Let go of the folder."""
        self.ledger.close()


def read_plan(path: Path) -> Plan | None:
    """The plan of a run folder; None if there is none.

    Raises:
        RunFolderError: if the plan file cannot be read or is of another version.
    """
    file = path / PLAN
    if not file.exists():
        return None
    try:
        plan = Plan.model_validate(json.loads(file.read_text())["plan"])
        if plan.version != PLAN_VERSION:
            raise ValueError(f"version {plan.version}, this indgen reads {PLAN_VERSION}")
        return plan
    except (OSError, ValueError, KeyError, TypeError, ValidationError) as cause:
        raise RunFolderError(
            "cannot read the plan of this run folder",
            got=f"{os.fspath(file)}: {str(cause).splitlines()[0]}",
            hint="choose another --out",
        ) from cause


def _read_object(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text())
    except (OSError, ValueError) as cause:
        raise RunFolderError(
            f"cannot read {path.name} of this run folder", got=cause, hint="choose another --out"
        ) from cause
    if not isinstance(found, dict):
        raise RunFolderError(
            f"cannot read {path.name} of this run folder", got=type(found).__name__, expected="an object"
        )
    return found


def _left_by_a_crash(entry: Path) -> bool:
    """Whether a run that died before its plan was written left this: an empty ledger, or part of a plan."""
    return entry.name.startswith(f".{PLAN}.") or (entry.name == EVENTS and entry.is_file() and not entry.stat().st_size)


def _difference(old: Any, new: Any) -> str:
    if isinstance(old, dict) and isinstance(new, dict):
        keys = [key for key in sorted({*old, *new}) if old.get(key) != new.get(key)]
        return ", ".join(f"{key} {_difference(old.get(key), new.get(key))}" for key in keys)
    return f"was {json.dumps(old)}, is {json.dumps(new)}"

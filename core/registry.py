"""One registry for built-ins and plugins alike: Python entry points.

A distribution registers an axis, a policy or a world under the groups ``indgen.axes``, ``indgen.policies``
and ``indgen.worlds``. Ids read ``[world/]name[-vN]``; a short name resolves within the chosen world, to the
highest version.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from .errors import PLUGIN_FAULTS, IndgenError, UnknownName, UsageError
from .text import describe

_ID = re.compile(r"^(?:(?P<world>[a-z0-9_]+)/)?(?P<name>[a-z0-9_]+)(?:-v(?P<version>[0-9]+))?$")


@dataclass(frozen=True)
class Registered:
    """One registered name and the distribution it comes from."""

    id: str
    entry: EntryPoint

    @property
    def parts(self) -> tuple[str | None, str, int]:
        """World (or None), short name, version (0 where there is none)."""
        match = _ID.match(self.id)
        if match is None:
            raise IndgenError(
                "malformed id in a plugin",
                got=f"{self.id!r} by {self.source}",
                expected="[world/]name[-vN] in a-z, 0-9 and _",
            )
        return match["world"], match["name"], int(match["version"] or 0)

    @property
    def source(self) -> str:
        """Name and version of the distribution that registered it."""
        return f"{self.entry.dist.name} {self.entry.dist.version}" if self.entry.dist else "unknown"

    def load(self) -> Any:
        """Import the registered object.

        Raises:
            UsageError: if the plugin cannot be imported.
        """
        try:
            return self.entry.load()
        except PLUGIN_FAULTS as cause:
            raise UsageError(
                f"cannot load {self.id}", got=describe(cause), hint=f"registered by {self.source}"
            ) from cause

    def create(self, *args: Any) -> Any:
        """Import the registered object and call it.

        Raises:
            UsageError: if the plugin cannot be imported, or raises anything but an error of ours.
        """
        factory = self.load()
        try:
            return factory(*args)
        except IndgenError:
            raise
        except PLUGIN_FAULTS as cause:
            raise UsageError(
                f"{self.id} cannot be made",
                got=describe(cause),
                hint=f"registered by {self.source}",
            ) from cause


class Registry:
    """The names registered under one entry-point group.

    Args:
        kind: what they are, for messages: ``axis``, ``policy`` or ``world``.
        group: the entry-point group.
    """

    def __init__(self, kind: str, group: str) -> None:
        self.kind = kind
        self.group = group

    def all(self) -> Mapping[str, Registered]:
        """Every registered id, sorted.

        Raises:
            IndgenError: if two distributions registered one id.
        """
        found: dict[str, Registered] = {}
        for entry in entry_points(group=self.group):
            known = found.get(entry.name)
            if known is not None and known.entry.value != entry.value:
                raise IndgenError(
                    f"two plugins registered the {self.kind} {entry.name}",
                    got=f"{known.source} and {Registered(entry.name, entry).source}",
                    hint="uninstall one of them",
                )
            found[entry.name] = Registered(entry.name, entry)
        return dict(sorted(found.items()))

    def resolve(self, name: str, world: str | None = None) -> Registered:
        """Find an id, a versionless id, or a short name within ``world``.

        Raises:
            UnknownName: with the names of that world and the closest matches.
        """
        known = self.all()
        if name in known:
            return known[name]
        known = {id: entry for id, entry in known.items() if _ID.match(id)}
        matches = [entry for entry in known.values() if self._answers(entry, name, world)]
        if matches:
            return max(matches, key=lambda entry: entry.parts[2])
        exists = [entry.id for entry in known.values() if world is None or entry.parts[0] in (world, None)]
        short = {entry.parts[1] for entry in known.values() if entry.id in exists}
        elsewhere = sorted({entry.parts[0] or "" for entry in known.values() if entry.parts[1] == name})
        hint = f"it is of {', '.join(elsewhere)}: add --world" if elsewhere else f"see `indgen {self._list}`"
        raise UnknownName(self.kind, name, short | set(exists) if world is None else short, hint)

    @property
    def _list(self) -> str:
        return self.group.rpartition(".")[2]

    @staticmethod
    def _answers(entry: Registered, name: str, world: str | None) -> bool:
        home, short, _ = entry.parts
        if name == short:
            return world is None or home in (world, None)
        return home is not None and name == f"{home}/{short}"

"""The ledger: an append-only file of events, the sole truth about a run.

Each line carries a sequence number and a checksum. A line that a crash tore is copied aside and cut off; a
line that is broken anywhere else stops everything, because then something else has written to the file.
Simulated sweeps and the real robot use the same ledger.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pydantic_core import from_json

from ..core.errors import LedgerError, RunFolderError


@dataclass(frozen=True)
class Event:
    """One line of the ledger.

    Attributes:
        seq: 0, 1, 2, ... without gaps.
        kind: ``episode``, ``amend``, ``void``, ``started``, ``ended``, or a runner's own.
        time: UTC, ISO 8601.
        data: the kind's own fields, plain JSON.
    """

    seq: int
    kind: str
    time: str
    data: Mapping[str, Any]

    def line(self) -> bytes:
        """The line as written, newline included: JSON whose last entry is a checksum of the text before it."""
        body = {"seq": self.seq, "kind": self.kind, "time": self.time, "data": dict(self.data)}
        text = json.dumps(body).encode()[:-1]
        return text + _seal(text)

    @classmethod
    def parse(cls, line: bytes) -> Event:
        """Read one line back.

        Raises:
            ValueError: if the line is torn or its checksum is wrong.
        """
        text = line[:-_SEAL]
        if line[-_SEAL:] != _seal(text):
            raise ValueError("checksum")
        return cls(**_read_json(text + b"}"))


def _read_json(text: bytes) -> Any:
    """Three times as fast as ``json``, which alone knows lone surrogates (undecodable bytes of a file name)."""
    try:
        return from_json(text, cache_strings="keys")
    except ValueError:
        return json.loads(text)


def _seal(text: bytes) -> bytes:
    return b', "sum": "' + hashlib.sha256(text).hexdigest()[:16].encode() + b'"}\n'


_SEAL = len(_seal(b""))


def read(path: Path) -> Iterator[Event]:
    """The intact events of a ledger, one by one, without opening it for writing; a torn tail is left out.

    Raises:
        LedgerError: if a line other than the last is broken, or a sequence number is missing.
    """
    return (event for event, _ in _scan(path))


def _scan(path: Path) -> Iterator[tuple[Event, int]]:
    """The intact events, and for each the length in bytes of the file up to its end."""
    if not path.exists():
        return
    good = 0
    try:
        file = path.open("rb")
    except OSError as cause:
        raise LedgerError(f"cannot read {path}", got=cause.strerror) from cause
    with file:
        for expected, line in enumerate(file):
            try:
                event = Event.parse(line)
            except (ValueError, TypeError, RecursionError) as cause:
                if not file.read(1):
                    return
                raise LedgerError(
                    f"{path} is broken at line {expected + 1}",
                    got=f"{cause}",
                    expected="an intact event: only the last line may be torn",
                    hint="something else has written to this file; restore it from a copy",
                ) from cause
            if event.seq != expected:
                raise LedgerError(f"{path} misses an event", got=f"sequence number {event.seq}", expected=expected)
            good += len(line)
            yield event, good


@contextmanager
def _disk_faults(path: Path) -> Iterator[None]:
    """A full or vanished disk, in a user's words."""
    try:
        yield
    except OSError as cause:
        raise LedgerError(
            f"cannot write {path}", got=cause.strerror, hint="whatever was written before is kept: make room and resume"
        ) from cause


class Ledger:
    """A ledger open for appending; at most one process holds it.

    Args:
        path: the events file; created if missing.

    Raises:
        RunFolderError: if another process holds it.
        LedgerError: if it is broken elsewhere than in its last line.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("ab")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as cause:
            self._file.close()
            raise RunFolderError(
                "another run is writing to this folder",
                got=str(path.parent),
                hint="wait for it, or choose another --out",
            ) from cause
        try:
            self._count, good = 0, 0
            for _, end in _scan(path):
                self._count, good = self._count + 1, end
            self._set_torn_tail_aside(good)
        except BaseException:
            self._file.close()
            raise
        self._dirty = False

    def _set_torn_tail_aside(self, good: int) -> None:
        with self.path.open("rb") as file:
            file.seek(good)
            torn = file.read()
        self.torn: Path | None = None
        if torn:
            aside = self.path.with_name(f"{self.path.name}.torn-{datetime.now(UTC):%Y%m%dT%H%M%S%f}")
            aside.write_bytes(torn)
            self.torn = aside
            self._file.truncate(good)
            os.fsync(self._file.fileno())

    def append(self, kind: str, data: Mapping[str, Any]) -> Event:
        """Write an event; it is durable after the next :meth:`commit`."""
        # Through JSON first: the checksum must be over what will be read back.
        plain = json.loads(json.dumps(data))
        event = Event(self._count, kind, datetime.now(UTC).isoformat(timespec="milliseconds"), plain)
        with _disk_faults(self.path):
            self._file.write(event.line())
        self._count += 1
        self._dirty = True
        return event

    def commit(self) -> None:
        """Make everything appended so far survive a crash: one fsync for the batch."""
        if self._dirty:
            with _disk_faults(self.path):
                self._file.flush()
                os.fsync(self._file.fileno())
            self._dirty = False

    def close(self) -> None:
        """Commit and let go of the folder, even if a forked child still has the file open."""
        try:
            self.commit()
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)
            self._file.close()

    def __len__(self) -> int:
        """Number of events."""
        return self._count

    def __iter__(self) -> Iterator[Event]:
        """Every event so far, read back from the file."""
        self._file.flush()
        return read(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

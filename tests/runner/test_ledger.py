"""The ledger on real files: torn tails, flipped bits, a second process."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.core.errors import LedgerError, RunFolderError
from indgen.runner.ledger import Event, Ledger, read

JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=8)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "events.jsonl"


def write(path: Path, count: int = 3) -> bytes:
    with Ledger(path) as ledger:
        for number in range(count):
            ledger.append("episode", {"n": number, "text": "ü\r\n"})
    return path.read_bytes()


def numbers(path: Path) -> list[int]:
    return [event.data["n"] for event in list(read(path))]


def aside(path: Path) -> list[bytes]:
    return [file.read_bytes() for file in sorted(path.parent.glob("events.jsonl.torn-*"))]


@given(st.integers(0, 9), st.text(max_size=8), st.dictionaries(st.text(max_size=5), JSON, max_size=3))
def test_an_event_is_one_line_and_comes_back(seq: int, kind: str, data: dict[str, Any]) -> None:
    event = Event(seq, kind, "2025-01-01T00:00:00.000+00:00", data)
    assert event.line().count(b"\n") == 1
    assert len(event.line().splitlines()) == 1
    assert Event.parse(event.line()) == event


def test_what_was_appended_is_read_in_order(path: Path) -> None:
    write(path)
    assert numbers(path) == [0, 1, 2]
    assert [event.seq for event in list(read(path))] == [0, 1, 2]


def test_a_ledger_goes_on_where_it_stopped(path: Path) -> None:
    first = write(path)
    with Ledger(path) as ledger:
        assert [event.data["n"] for event in ledger] == [0, 1, 2]
        ledger.append("episode", {"n": 3})
    assert path.read_bytes().startswith(first)
    assert numbers(path) == [0, 1, 2, 3]


def test_a_missing_ledger_has_no_events(path: Path) -> None:
    assert list(read(path)) == []
    assert not path.exists()


def test_opening_and_closing_leaves_no_trace(path: Path) -> None:
    whole = write(path)
    Ledger(path).close()
    assert path.read_bytes() == whole
    assert aside(path) == []


def test_cut_at_every_byte_of_the_last_line_the_rest_stands_and_the_tail_is_kept(tmp_path: Path) -> None:
    whole = write(tmp_path / "events.jsonl")
    start = len(b"".join(whole.splitlines(keepends=True)[:2]))
    for cut in range(start, len(whole)):
        path = tmp_path / str(cut) / "events.jsonl"
        path.parent.mkdir()
        path.write_bytes(whole[:cut])
        assert numbers(path) == [0, 1]
        assert path.read_bytes() == whole[:cut], "reading changes nothing"
        with Ledger(path) as ledger:
            ledger.append("episode", {"n": 9})
        assert aside(path) == ([whole[start:cut]] if cut > start else [])
        assert numbers(path) == [0, 1, 9]


@pytest.mark.parametrize("tail", [b"\0" * 512, b"garbage", b"garbage\n", b"[]\n", b"\n", b'{"seq": 3}\n', b"\xff\xfe"])
def test_a_tail_of_any_kind_is_set_aside(path: Path, tail: bytes) -> None:
    whole = write(path)
    path.write_bytes(whole + tail)
    with Ledger(path) as ledger:
        assert len(ledger) == 3
    assert path.read_bytes() == whole
    assert aside(path) == [tail]


def test_every_flipped_bit_before_the_last_line_stops_everything(path: Path) -> None:
    whole = write(path)
    last = len(b"".join(whole.splitlines(keepends=True)[:1]))
    unseen = []
    for index in range(8 * (last - 1)):
        damaged = bytearray(whole)
        damaged[index // 8] ^= 1 << index % 8
        path.write_bytes(bytes(damaged))
        try:
            if list(read(path)) != read_back(whole, path):
                unseen.append(index)
        except LedgerError:
            continue
    assert unseen == []


def read_back(whole: bytes, path: Path) -> list[Event]:
    """The undamaged events; for flips that JSON reads as the same text, e.g. of an escape's letter case."""
    path.write_bytes(whole)
    return list(read(path))


def test_a_flipped_bit_in_the_last_line_loses_that_line_at_most(path: Path) -> None:
    whole = write(path)
    good = [event.data["n"] for event in list(read(path))]
    start = len(b"".join(whole.splitlines(keepends=True)[:2]))
    for index in range(8 * start, 8 * len(whole)):
        damaged = bytearray(whole)
        damaged[index // 8] ^= 1 << index % 8
        path.write_bytes(bytes(damaged))
        try:
            assert numbers(path) in (good, good[:2])
        except LedgerError as error:
            assert "broken at line 3" in str(error)


def test_a_broken_line_is_named_with_what_to_do(path: Path) -> None:
    lines = write(path).splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1].replace(b'"n": 1', b'"n": 7') + lines[2])
    with pytest.raises(LedgerError, match=r"broken at line 2; got checksum; .*restore it from a copy"):
        list(read(path))


@pytest.mark.parametrize("order", [(0, 2), (1,), (0, 0), (0, 1, 1), (1, 0)])
def test_a_missing_repeated_or_swapped_line_stops_everything(path: Path, order: tuple[int, ...]) -> None:
    lines = write(path).splitlines(keepends=True)
    path.write_bytes(b"".join(lines[number] for number in order))
    with pytest.raises(LedgerError, match=r"misses an event; got sequence number \d; expected \d"):
        list(read(path))


def test_a_ledger_that_is_refused_is_closed(path: Path) -> None:
    path.write_bytes(write(path).splitlines(keepends=True)[1])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with contextlib.suppress(LedgerError):
            Ledger(path)
    assert [str(warning.message) for warning in caught] == []


def test_whatever_is_appended_can_be_read(path: Path) -> None:
    with Ledger(path) as ledger:
        ledger.append("note", {2: "two", 10: "ten"})  # type: ignore[dict-item]
        ledger.append("note", {})
    assert len(list(read(path))) == 2


def test_what_is_no_json_is_refused_and_leaves_the_ledger_whole(path: Path) -> None:
    with Ledger(path) as ledger:
        with pytest.raises(TypeError):
            ledger.append("episode", {"n": object()})
        ledger.append("episode", {"n": 0})
    assert numbers(path) == [0]


def test_a_second_ledger_in_this_process_is_refused_until_the_first_is_closed(path: Path) -> None:
    with Ledger(path), pytest.raises(RunFolderError, match="another run is writing to this folder"):
        Ledger(path)
    Ledger(path).close()


HOLD = """
import sys, time
from pathlib import Path
from indgen.runner.ledger import Ledger
ledger = Ledger(Path(sys.argv[1]))
ledger.append("episode", {"n": 0})
ledger.commit()
ledger.append("episode", {"n": 1})
print("held", flush=True)
time.sleep(60)
"""


def test_another_process_is_kept_out_until_the_holder_dies(path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        try:
            assert holder.stdout.readline() == "held\n"
            with pytest.raises(RunFolderError, match=r"got .*; wait for it, or choose another --out"):
                Ledger(path)
            assert numbers(path) == [0], "reading needs no lock, and what is committed is there"
        finally:
            os.kill(holder.pid, signal.SIGKILL)
    with Ledger(path) as ledger:
        assert [event.data["n"] for event in ledger] == [0]
        ledger.append("episode", {"n": 5})
    assert numbers(path) == [0, 5]


def test_a_line_holds_what_the_format_says(path: Path) -> None:
    body = json.loads(write(path, 1))
    assert sorted(body) == ["data", "kind", "seq", "sum", "time"]
    assert (body["seq"], body["kind"], body["time"][-6:]) == (0, "episode", "+00:00")

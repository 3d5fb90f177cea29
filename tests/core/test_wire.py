from __future__ import annotations

from typing import Any

import msgpack
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays, boolean_dtypes, floating_dtypes, integer_dtypes
from hypothesis.extra.numpy import unsigned_integer_dtypes as unsigned_dtypes

from indgen.core import wire
from indgen.core.errors import WorkerError
from indgen.core.wire import pack, unpack

DTYPES = st.one_of(floating_dtypes(endianness="?"), integer_dtypes(endianness="?"), unsigned_dtypes(), boolean_dtypes())
ARRAYS = arrays(DTYPES, array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4))
PLAIN = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.floats(allow_nan=False), st.text()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4) | st.integers(0, 9), inner),
    max_leaves=6,
)


def same(a: np.ndarray, b: np.ndarray) -> bool:
    return (a.dtype, a.shape) == (b.dtype, b.shape) and np.ascontiguousarray(a).tobytes() == b.tobytes()


@given(ARRAYS)
def test_arrays_come_back_exactly(array: np.ndarray) -> None:
    back = unpack(pack({"deep": [array]}))["deep"][0]
    assert same(array, back)
    assert back.flags.writeable


@given(PLAIN)
def test_plain_data_comes_back(value: Any) -> None:
    assert unpack(pack(value)) == value


@pytest.mark.parametrize(
    "array",
    [
        np.arange(24.0).reshape(4, 6).T,
        np.arange(24)[::-3],
        np.asfortranarray(np.eye(3)),
        np.broadcast_to(np.float32(2), (3, 2)),
        np.zeros((0, 5), np.uint8),
        np.array(7, np.int16),
    ],
)
def test_how_an_array_lies_in_memory_makes_no_difference(array: np.ndarray) -> None:
    assert same(array, unpack(pack(array)))


def test_numpy_scalars_arrive_as_numbers() -> None:
    arrived = unpack(pack([np.float64(0.1), np.int32(-3), np.bool_(True), np.float32(0.5)]))
    assert [float(value) for value in arrived] == [0.1, -3.0, 1.0, 0.5]


@pytest.mark.parametrize("array", [np.array([object()]), np.array(["a"]), np.array([1j]), np.array(["2020"], "M8[s]")])
def test_only_numbers_and_booleans_are_sent(array: np.ndarray) -> None:
    with pytest.raises(TypeError, match="cannot send an array of dtype"):
        pack(array)


@pytest.mark.parametrize("value", [object(), {1, 2}, print])
def test_only_plain_data_is_sent(value: object) -> None:
    with pytest.raises(TypeError, match="expected plain data or a numpy array"):
        pack(value)


@given(st.binary(max_size=64))
def test_noise_is_a_worker_s_error_or_plain_data(noise: bytes) -> None:
    try:
        unpack(noise)
    except WorkerError as error:
        assert "wire" in str(error)


MESSAGE = pack({"x": np.arange(6, dtype="<f4").reshape(2, 3), "ok": True})


@pytest.mark.parametrize("length", range(len(MESSAGE)))
def test_every_cut_is_a_worker_s_error(length: int) -> None:
    with pytest.raises(WorkerError):
        unpack(MESSAGE[:length])


def test_trailing_bytes_are_a_worker_s_error() -> None:
    with pytest.raises(WorkerError, match="cannot be read"):
        unpack(MESSAGE + b"\0")


def _forged(*header: Any, body: bytes = bytes(8)) -> bytes:
    return pack(msgpack.ExtType(1, b"".join(map(pack, header)) + body))


@pytest.mark.parametrize(
    "message",
    [
        _forged(["<f8", [2]]),
        _forged(["<f8", [-1]]),
        _forged(["<f8", [-1, -1]]),
        _forged(["<f8", ["1"]]),
        _forged(["<f8", [0, 2**63]], body=b""),
        _forged(["|O", [1]]),
        _forged(["<U2", [1]]),
        _forged(["f4,f4", [1]]),
        _forged(["nonsense", [1]]),
        _forged(7),
        _forged(["<f8"]),
        pack(msgpack.ExtType(2, b"")),
        b"\x91" * 5000,
        b"",
    ],
)
def test_a_forged_message_is_a_worker_s_error(message: bytes) -> None:
    with pytest.raises(WorkerError, match="wire"):
        unpack(message)


@pytest.mark.parametrize("message", [_forged(body=b""), _forged(body=b"\x92\xa3<f"), _forged(["(2,", [1]])], ids=repr)
def test_a_broken_array_header_is_a_worker_s_error(message: bytes) -> None:
    with pytest.raises(WorkerError):
        unpack(message)


def test_flipping_any_bit_raises_nothing_but_a_worker_s_error() -> None:
    escaped: set[str] = set()
    for index in range(8 * len(MESSAGE)):
        damaged = bytearray(MESSAGE)
        damaged[index // 8] ^= 1 << index % 8
        try:
            unpack(bytes(damaged))
        except WorkerError:
            pass
        except Exception as error:
            escaped.add(type(error).__name__)
    assert escaped == set()


def test_a_message_that_is_too_long_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "MAX_BYTES", len(MESSAGE) - 1)
    with pytest.raises(WorkerError, match=rf"too long; got {len(MESSAGE)} bytes; expected at most {len(MESSAGE) - 1}"):
        unpack(MESSAGE)


def test_no_length_in_a_message_makes_room_for_more_than_it_brings() -> None:
    with pytest.raises(WorkerError):
        unpack(b"\xdd\xff\xff\xff\xff")
    with pytest.raises(WorkerError):
        unpack(b"\xc9\xff\xff\xff\xff\x01" + bytes(16))

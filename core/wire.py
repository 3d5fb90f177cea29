"""msgpack with arrays as raw bytes: the only encoding between processes. No pickle."""

from __future__ import annotations

import math
from typing import Any

import msgpack
import numpy as np

from .errors import WorkerError

_ARRAY = 1
_KINDS = "fiub"
MAX_BYTES = 1 << 30
"""The largest message taken; a longer one is a broken peer."""


def pack(message: Any) -> bytes:
    """Encode plain data and numeric arrays."""
    packed = msgpack.packb(message, default=_pack_extra, use_bin_type=True)
    assert packed is not None
    return packed


def _pack_extra(value: Any) -> msgpack.ExtType:
    if isinstance(value, np.generic):
        value = np.asarray(value)
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in _KINDS:
            raise TypeError(f"cannot send an array of dtype {value.dtype}; expected numbers or booleans")
        head = pack([value.dtype.str, list(value.shape)])
        return msgpack.ExtType(_ARRAY, head + np.ascontiguousarray(value).tobytes())
    raise TypeError(f"cannot send a {type(value).__name__}; expected plain data or a numpy array")


def _unpack_extra(code: int, data: bytes) -> Any:
    if code != _ARRAY:
        raise WorkerError("unknown extension type on the wire", got=code, expected=_ARRAY)
    unpacker = msgpack.Unpacker()
    unpacker.feed(data[:256])
    dtype_name, shape = unpacker.unpack()
    offset = unpacker.tell()
    dtype = np.dtype(dtype_name)
    if dtype.kind not in _KINDS or math.prod(shape) * dtype.itemsize != len(data) - offset:
        raise WorkerError("array on the wire does not match its header", got=f"{dtype_name} {shape}, {len(data)} bytes")
    return np.frombuffer(data, dtype, offset=offset).reshape(shape).copy()


def unpack(data: bytes) -> Any:
    """Decode; arrays come back writable and exactly as sent.

    Raises:
        WorkerError: if the bytes are no such message.
    """
    if len(data) > MAX_BYTES:
        raise WorkerError(
            "a message on the wire is too long", got=f"{len(data)} bytes", expected=f"at most {MAX_BYTES}"
        )
    try:
        return msgpack.unpackb(data, ext_hook=_unpack_extra, strict_map_key=False)
    except (ValueError, TypeError, SyntaxError, msgpack.exceptions.UnpackException) as cause:
        raise WorkerError("a message on the wire cannot be read", got=f"{type(cause).__name__}: {cause}") from cause

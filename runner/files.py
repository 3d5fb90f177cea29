"""Files that are whole or not there."""

from __future__ import annotations

import os
from pathlib import Path


def write_atomically(path: Path, content: str | bytes, durable: bool = True) -> None:
    """Replace ``path`` in one step: a reader, or a crash of ours, sees the old content or the new.

    Args:
        path: the file.
        content: all of it.
        durable: whether it must survive a power cut at once; costs an fsync.
    """
    data = content.encode() if isinstance(content, str) else content
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with fresh.open("wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise

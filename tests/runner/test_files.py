from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from indgen.runner.files import write_atomically

FLIP = """
import sys
from pathlib import Path
from indgen.runner.files import write_atomically
print("ready", flush=True)
while True:
    for letter in "ab":
        write_atomically(Path(sys.argv[1]), letter * 200_000, durable=False)
"""


@pytest.mark.parametrize("durable", [True, False])
@pytest.mark.parametrize("content", ["", "grün\r\n", b"\0\xff"])
def test_what_is_written_is_all_there_is(tmp_path: Path, content: str | bytes, durable: bool) -> None:
    path = tmp_path / "file"
    path.write_text("something longer than what follows")
    write_atomically(path, content, durable)
    assert path.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_a_failure_before_the_end_leaves_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "file"
    write_atomically(path, "old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, "new")
    assert path.read_text() == "old"


def test_a_reader_sees_the_old_content_or_the_new_and_never_half(tmp_path: Path) -> None:
    path = tmp_path / "file"
    seen = set()
    with subprocess.Popen([sys.executable, "-c", FLIP, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        try:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            deadline = time.monotonic() + 20
            while len(seen) < 2 and time.monotonic() < deadline:
                for _ in range(50):
                    if path.exists():
                        seen.add(path.read_text())
        finally:
            writer.kill()
    assert seen == {"a" * 200_000, "b" * 200_000}

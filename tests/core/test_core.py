"""The package as a whole."""

from __future__ import annotations

import subprocess
import sys

import indgen.core


def test_core_imports_nothing_else_of_ours() -> None:
    code = (
        "import sys, indgen.core, indgen.core.wire;"
        "print([m for m in sys.modules if m.startswith('indgen.') and not m.startswith('indgen.core')], end='')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]"


def test_everything_announced_exists_and_is_sorted() -> None:
    assert all(hasattr(indgen.core, name) for name in indgen.core.__all__)
    assert sorted(indgen.core.__all__, key=str.casefold) == sorted(set(indgen.core.__all__), key=str.casefold)

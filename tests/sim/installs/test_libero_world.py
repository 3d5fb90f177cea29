"""The installed LIBERO world steps a state-only environment without loading any OpenGL library."""

from __future__ import annotations

import subprocess
import sys

import pytest

from indgen.sim.installs import interpreter, status
from indgen.sim.installs.locations import RECIPES

STEP = """
switch_off_opengl()
from libero.libero import benchmark
from libero.libero.envs.env_wrapper import ControlEnv

tasks = benchmark.get_benchmark("libero_object")()
env = ControlEnv(
    bddl_file_name=tasks.get_task_bddl_file_path(0),
    use_camera_obs=False,
    has_offscreen_renderer=False,
    has_renderer=False,
    hard_reset=False,
)
env.reset()
env.set_init_state(tasks.get_task_init_states(0)[0])
for _ in range(3):
    seen = env.step([0.0] * 6 + [-1.0])[0]
import cv2
with open("/proc/self/maps") as maps:
    loaded = maps.read()
found = [name for name in ("libGL", "libEGL", "libOSMesa", "libglfw") if name in loaded]
print("state", sorted(seen)[:1], "opengl", found)
"""


@pytest.mark.libero
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_no_opengl_library_is_needed() -> None:
    if status("libero").kind in ("own", "core"):
        pytest.skip("an interpreter of the user's own may load what it likes")
    check = (RECIPES / "libero_check.py").read_text(encoding="utf-8").split("if __name__")[0]
    done = subprocess.run([interpreter("libero"), "-c", check + STEP], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-500:]
    assert done.stdout.splitlines()[-1].endswith("opengl []")

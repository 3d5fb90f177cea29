"""The yardstick: a bare robosuite environment without cameras. Run by path with LIBERO's interpreter.

Reads action sequences, steps through each from its published start, and prints control steps per second of
stepping alone (no reset, no settling), one JSON number per line read from standard input.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import time
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np


def bare_env(task: str) -> tuple[Any, np.ndarray]:
    """A state-only environment and the task's init states; no OpenGL, as indgen's."""
    os.environ["MUJOCO_GL"] = "disabled"
    found = importlib.util.find_spec("robosuite")
    assert found is not None
    assert found.origin is not None
    spec = importlib.util.spec_from_file_location("robosuite.macros", Path(found.origin).with_name("macros.py"))
    assert spec is not None
    assert spec.loader is not None
    macros: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(macros)
    macros.MUJOCO_GPU_RENDERING, macros.FILE_LOGGING_LEVEL = False, None
    sys.modules["robosuite.macros"] = macros
    from libero.libero import benchmark, get_libero_path
    from libero.libero.envs.env_wrapper import ControlEnv

    suite = benchmark.get_benchmark_dict()["libero_object"]()
    states = suite.get_task_init_states(suite.get_task_names().index(task))
    bddl = Path(get_libero_path("bddl_files")) / "libero_object" / f"{task}.bddl"
    wrapper = ControlEnv(str(bddl), use_camera_obs=False, has_offscreen_renderer=False, hard_reset=False)
    return wrapper, states


def steps_per_second(wrapper: Any, states: np.ndarray, tapes: dict[int, np.ndarray]) -> float:
    """Control steps per second over all tapes, stepping alone."""
    steps, seconds = 0, 0.0
    for start, actions in tapes.items():
        wrapper.reset()
        wrapper.set_init_state(states[start])
        for _ in range(10):
            wrapper.step([0.0] * 6 + [-1.0])
        began = time.perf_counter()
        for action in actions:
            wrapper.step(action)
        seconds += time.perf_counter() - began
        steps += len(actions)
    return steps / seconds


if __name__ == "__main__":
    with redirect_stdout(StringIO()):
        env, init_states = bare_env(sys.argv[1])
        with np.load(sys.argv[2]) as archive:
            recorded = {int(name): archive[name] for name in archive.files}
        steps_per_second(env, init_states, recorded)
    print("ready", flush=True)
    for _ in sys.stdin:
        with redirect_stdout(StringIO()):
            measured = steps_per_second(env, init_states, recorded)
        print(json.dumps(measured), flush=True)

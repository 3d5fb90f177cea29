"""What a bare robosuite environment that renders every step returns; run by path with LIBERO's interpreter.

Knows nothing of indgen. Prints one JSON object: SHA-256 of every image and state after each control step.
"""

from __future__ import annotations

import hashlib
import json
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np

CAMERAS = ("agentview", "robot0_eye_in_hand")
STATE = ("eef_pos", "eef_quat", "gripper_qpos", "gripper_qvel", "joint_pos", "joint_vel")


def digest(array: np.ndarray) -> str:
    """SHA-256 of an array's bytes."""
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


def main(task: str, size: int, actions: np.ndarray) -> dict[str, list[str]]:
    """Reset as the published evaluations do (bit-reproducibly), settle 10 steps, then act."""
    from libero.libero import benchmark, get_libero_path
    from libero.libero.envs.env_wrapper import ControlEnv

    suite = benchmark.get_benchmark_dict()["libero_object"]()
    init = suite.get_task_init_states(suite.get_task_names().index(task))[0]
    wrapper = ControlEnv(
        str(Path(get_libero_path("bddl_files")) / "libero_object" / f"{task}.bddl"),
        hard_reset=False,
        camera_heights=size,
        camera_widths=size,
        camera_names=list(CAMERAS),
    )
    env = wrapper.env
    np.random.seed(0)
    env.reset()
    env.sim.set_state_from_flattened(init)
    data = env.sim.data._data
    for array in (data.qacc_warmstart, data.ctrl, data.qfrc_applied, data.xfrc_applied):
        array[:] = 0.0
    env.robots[0].gripper.current_action = np.zeros(1)
    env.sim.forward()
    env.robots[0].controller.update(force=True)
    env.robots[0].controller.reset_goal()
    env._post_process()
    env._update_observables(force=True)
    seen: dict[str, list[str]] = {name: [] for name in (*CAMERAS, *STATE)}
    for number, action in enumerate(np.concatenate([np.tile([0.0] * 6 + [-1.0], (10, 1)), actions])):
        observed = env.step(action)[0]
        if number < 9:
            continue
        for name in CAMERAS:
            seen[name].append(digest(observed[f"{name}_image"][::-1]))
        for name in STATE:
            seen[name].append(digest(np.asarray(observed[f"robot0_{name}"], dtype=np.float64)))
    return seen


if __name__ == "__main__":
    with redirect_stdout(StringIO()):
        result = main(sys.argv[1], int(sys.argv[2]), np.load(sys.argv[3]))
    print(json.dumps(result))

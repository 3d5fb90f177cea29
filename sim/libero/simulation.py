"""One compiled LIBERO task: robosuite's environment, its bodies, and a reset that is bit-reproducible."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...core.errors import SceneError, SimulatorError
from ...core.world import View
from .building import edited_problem, extra_name
from .layout import CAMERAS
from .looks import CameraGate
from .tasks import ROLES, SUITE_OF

SETTLE_STEPS = 10
"""Control steps before the policy starts, as in the published evaluations (openpi examples/libero/main.py:37)."""
SETTLE_ACTION = np.array([0.0] * 6 + [-1.0])
VIDEO_SIZE = (256, 256)
_DUMMY_CAMERA = "agentview"
_PLACEMENT_TRIES = 100


class Simulation:
    """A task's robosuite environment.

    Args:
        task: full task name.
        view: what it has to render.
        sizes: instance name to size over tau_0's; the model is compiled with them.
        extras: kinds of contact-free objects that are compiled in besides.

    Attributes:
        env: the robosuite environment (``step`` returns what published evaluations see).
        pick: instance name of the one object to place; None where there are several, or none.
        goal: instance name of the one body or fixture to place on or in; None likewise.
        region: site name of the goal region; None where ``goal`` as a whole is meant.
        movable: instance name to MuJoCo body id, for every free-joint body.
        owners: MuJoCo geom id to the movable body or fixture it belongs to; table, floor and robot are left out.
        gate: which control steps render.
    """

    def __init__(self, task: str, view: View, sizes: Mapping[str, float], extras: tuple[str, ...] = ()) -> None:
        from libero.libero import get_libero_path
        from libero.libero.envs import TASK_MAPPING
        from libero.libero.envs.env_wrapper import ControlEnv

        if task not in ROLES:
            raise SceneError("LIBERO has no such task", got=task)
        roles, suite = ROLES[task], SUITE_OF[task]
        bddl = Path(get_libero_path("bddl_files")) / suite / f"{task}.bddl"
        if not bddl.is_file():
            raise SceneError(f"this LIBERO has no such task of {suite}", got=task, hint=f"looked for {bddl.name}")
        cameras = _cameras(view)
        self.task, self.sizes, self.extras = task, dict(sizes), extras
        with edited_problem(TASK_MAPPING, roles.problem, sizes, extras):
            self._wrapper = ControlEnv(
                str(bddl),
                use_camera_obs=bool(cameras),
                has_offscreen_renderer=bool(cameras),
                hard_reset=False,
                ignore_done=True,
                horizon=2**31,
                camera_names=[CAMERAS[role] for role in cameras] or [_DUMMY_CAMERA],
                camera_heights=[size[0] for size in cameras.values()] or [1],
                camera_widths=[size[1] for size in cameras.values()] or [1],
            )
        self.env: Any = self._wrapper.env
        self.pick, self.goal, self.region = roles.pick, roles.goal, roles.region
        self.gate = CameraGate(self.env, {role: CAMERAS[role] for role in cameras})
        self._find_bodies()
        self._silence_objects()

    def _silence_objects(self) -> None:
        """Object poses come from MuJoCo where they are asked for; sampled 25 times a step they cost 3 %."""
        for observable in self.env._observables.values():
            if observable.modality == "object":
                observable.set_enabled(False)

    def _find_bodies(self) -> None:
        model = self.env.sim.model
        self.movable = {name: int(self.env.obj_body_id[name]) for name in self.env.objects_dict}
        self.owners = self._owners()
        self._joints = {name: self.env.objects_dict[name].joints[-1] for name in self.movable}
        self.region_site = None if self.region is None else int(model.site_name2id(self.region))
        self.hand_site = int(model.site_name2id("gripper0_grip_site"))

    def _owners(self) -> dict[int, str]:
        model = self.env.sim.model._model
        roots = {int(self.env.obj_body_id[name]): name for name in (*self.env.objects_dict, *self.env.fixtures_dict)}
        found = {}
        for geom in range(model.ngeom):
            body = int(model.geom_bodyid[geom])
            while body and body not in roots:
                body = int(model.body_parentid[body])
            if body:
                found[geom] = roots[body]
        return found

    @property
    def model(self) -> Any:
        """MuJoCo's mjModel."""
        return self.env.sim.model._model

    @property
    def data(self) -> Any:
        """MuJoCo's mjData."""
        return self.env.sim.data._data

    def sample_fixtures(self, start: int) -> dict[str, tuple[float, ...]]:
        """Fixture to pose (x, y, z, qw, qx, qy, qz) as robosuite's reset draws it, the same for the same start.

        No init state holds them. Published evaluations draw them anew in every episode, within 1 cm of the middle.
        """
        np.random.seed(start)
        self._reset_robosuite()
        model = self.model
        bodies = {name: int(self.env.obj_body_id[name]) for name in self.env.fixtures_dict}
        return {
            name: tuple(map(float, (*model.body_pos[body], *model.body_quat[body]))) for name, body in bodies.items()
        }

    def start(
        self,
        init_state: Iterable[float],
        places: Mapping[str, np.ndarray],
        fixtures: Mapping[str, Iterable[float]] | None = None,
    ) -> None:
        """Reset to an init state with some bodies put elsewhere, before any settling. Same inputs, same bits.

        Zeroes what survives robosuite's own reset (warm start, controls, applied forces, the gripper's
        command) and takes the controller's goal from the state instead of from before it.

        Args:
            init_state: flattened MuJoCo state: time, qpos, qvel.
            places: instance name to pose (x, y, z, qw, qx, qy, qz), for the bodies that are put elsewhere.
            fixtures: fixture to pose, likewise, as :meth:`sample_fixtures` gave it.

        Raises:
            SceneError: for an init state of the wrong length.
        """
        state = np.asarray(tuple(init_state))
        expected = 1 + self.model.nq + self.model.nv
        if state.shape != (expected,):
            raise SceneError(f"init state does not fit {self.task}", got=f"{state.size} numbers", expected=expected)
        # robosuite samples placements from the global generator; the init state overwrites them.
        np.random.seed(0)
        self._reset_robosuite()
        for name, pose in (fixtures or {}).items():
            body, pose = int(self.env.obj_body_id[name]), tuple(pose)
            self.model.body_pos[body], self.model.body_quat[body] = pose[:3], pose[3:]
        self.env.sim.set_state_from_flattened(state)
        for body, pose in places.items():
            self.env.sim.data.set_joint_qpos(self._joints[body], np.array(pose))
            self.env.sim.data.set_joint_qvel(self._joints[body], np.zeros(6))
        data = self.data
        for array in (data.qacc_warmstart, data.ctrl, data.qfrc_applied, data.xfrc_applied):
            array[:] = 0.0
        robot = self.env.robots[0]
        robot.gripper.current_action = np.zeros(robot.gripper.dof)
        self.env.sim.forward()
        robot.controller.update(force=True)
        robot.controller.reset_goal()
        # As set_init_state of libero/envs/env_wrapper.py: it sets the phase in which observables are sampled.
        self.env._post_process()
        self.env._update_observables(force=True)

    def _reset_robosuite(self) -> None:
        """The soft reset of robosuite; LIBERO's own wrapper would retry for ever on any exception."""
        from robosuite.utils.errors import RandomizationError

        for _ in range(_PLACEMENT_TRIES):
            try:
                self.env.reset()
            except RandomizationError:
                continue
            return
        raise SimulatorError(f"robosuite found no placement for {self.task}", got=f"{_PLACEMENT_TRIES} tries")

    def stand(self, poses: Mapping[str, tuple[float, ...]]) -> None:
        """Put the objects that were compiled in besides where they belong.

        Args:
            poses: kind to (x, y, z, qw, qx, qy, qz), for each of ``extras``; metres, world frame.
        """
        model = self.model
        for kind, pose in poses.items():
            body = int(self.env.sim.model.body_name2id(f"{extra_name(kind)}_main"))
            model.body_pos[body], model.body_quat[body] = pose[:3], pose[3:]

    def settle(self, look: bool) -> Mapping[str, np.ndarray]:
        """Let everything come to rest; returns the last step's observables, with images if ``look``."""
        observables: Mapping[str, np.ndarray] = {}
        for step in range(SETTLE_STEPS):
            observables = self.step(SETTLE_ACTION, look and step == SETTLE_STEPS - 1)
        return observables

    def step(self, action: np.ndarray, look: bool) -> Mapping[str, np.ndarray]:
        """One control step; returns exactly what ``env.step`` returned, images only if ``look``.

        Raises:
            SimulatorError: if MuJoCo met NaN or a diverging state (it resets itself and goes on otherwise).
        """
        with self.gate.looking(look):
            observables, _, _, _ = self.env.step(action)
        self._check_health()
        return observables

    def _check_health(self) -> None:
        from mujoco import mjtWarning

        warnings = self.data.warning
        for kind in (mjtWarning.mjWARN_BADQPOS, mjtWarning.mjWARN_BADQVEL, mjtWarning.mjWARN_BADQACC):
            if warnings[int(kind)].number:
                raise SimulatorError("MuJoCo's state diverged", got=kind.name, expected="finite positions and forces")

    def poses(self) -> dict[str, tuple[float, ...]]:
        """Instance name to (x, y, z, qw, qx, qy, qz) of every movable body, metres, world frame."""
        sim = self.env.sim.data
        return {name: tuple(map(float, sim.get_joint_qpos(joint))) for name, joint in self._joints.items()}

    def speeds(self) -> dict[str, float]:
        """Instance name to speed in m/s of every movable body."""
        sim = self.env.sim.data
        return {name: float(np.linalg.norm(sim.get_joint_qvel(joint)[:3])) for name, joint in self._joints.items()}

    def close(self) -> None:
        """Free the model (about 0.9 GB of meshes and textures)."""
        self._wrapper.close()
        del self._wrapper, self.env
        gc.collect()


def _cameras(view: View) -> dict[str, tuple[int, int]]:
    """Camera roles to sizes: the policy's, and the video's if that one is not among them."""
    cameras = dict(view.images)
    if view.video_every:
        cameras.setdefault("agentview", VIDEO_SIZE)
    return cameras

"""Simulator truth for privileged policies: poses at the look, boxes measured once per model."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import SceneError
from .reserve import Footprint
from .simulation import Simulation
from .tasks import ROLES

MESH, _PLANE, _SPHERE, _CAPSULE, _ELLIPSOID, _CYLINDER, _BOX = 7, 0, 2, 3, 4, 5, 6
"""MuJoCo's mjtGeom codes."""


class Truth:
    """Reads the names of the layout's ``privileged`` out of a simulation (world frame, metres, xyzw).

    Raises:
        SceneError: for a task that has not one object to place and one movable container to place it in.
    """

    def __init__(self, sim: Simulation) -> None:
        missing = ROLES[sim.task].no_truth()
        if missing or sim.pick is None or sim.region_site is None:
            raise SceneError(f"no simulator truth of {sim.task}", got=missing)
        self._sim, self._region = sim, sim.region_site
        self._pick = sim.movable[sim.pick]
        self._others = [body for name, body in sim.movable.items() if name not in (sim.pick, sim.goal)]
        self._pick_box = body_box(sim.model, self._pick)
        self._other_boxes = np.array([body_box(sim.model, body) for body in self._others]).reshape(-1, 2, 3)
        self._fingers = list(sim.env.robots[0]._ref_gripper_joint_pos_indexes)

    def read(self) -> dict[str, np.ndarray]:
        """Everything, as fresh float64 arrays."""
        sim, data = self._sim, self._sim.data
        return {
            "hand/pos": data.site_xpos[sim.hand_site].copy(),
            "hand/quat": quat_of(data.site_xmat[sim.hand_site].reshape(3, 3)),
            "gripper/qpos": data.qpos[self._fingers].copy(),
            "pick/pos": data.xpos[self._pick].copy(),
            "pick/quat": data.xquat[self._pick][[1, 2, 3, 0]].copy(),
            "pick/box": self._pick_box.copy(),
            "goal/pos": data.site_xpos[self._region].copy(),
            "goal/size": sim.model.site_size[self._region].copy(),
            "others/pos": data.xpos[self._others].copy(),
            "others/quat": data.xquat[self._others][:, [1, 2, 3, 0]].copy(),
            "others/box": self._other_boxes.copy(),
        }


def body_box(model: Any, body: int) -> np.ndarray:
    """Corners (2, 3) of a body's collision geoms, in the body's frame, metres."""
    first, count = int(model.body_geomadr[body]), int(model.body_geomnum[body])
    points = [
        _geom_points(model, geom)
        for geom in range(first, first + count)
        if model.geom_contype[geom] or model.geom_conaffinity[geom]
    ]
    cloud = np.concatenate(points) if points else np.zeros((1, 3))
    return np.stack([cloud.min(axis=0), cloud.max(axis=0)])


def footprints(sim: Simulation) -> dict[str, Footprint]:
    """Instance name to the rectangle a body covers on the floor where it is now."""
    found = {}
    for name, body in sim.movable.items():
        flat = body_corners(sim, body)[:, :2]
        near, far = flat.min(axis=0), flat.max(axis=0)
        centre, half = (near + far) / 2, (far - near) / 2
        found[name] = Footprint((float(centre[0]), float(centre[1])), (float(half[0]), float(half[1])))
    return found


def body_corners(sim: Simulation, body: int) -> np.ndarray:
    """The corners (8, 3) of a body's box where it is now, metres, world frame."""
    low, high = body_box(sim.model, body)
    corners = _corners() * (high - low) / 2 + (low + high) / 2
    return corners @ sim.data.xmat[body].reshape(3, 3).T + sim.data.xpos[body]


def _geom_points(model: Any, geom: int) -> np.ndarray:
    """Points that span a geom, (n, 3) in its body's frame."""
    kind, size = int(model.geom_type[geom]), np.array(model.geom_size[geom])
    if kind == MESH:
        mesh = int(model.geom_dataid[geom])
        first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
        local = np.array(model.mesh_vert[first : first + count], dtype=np.float64)
    else:
        local = _corners() * _half_sizes(kind, size)
    return local @ rotation_of(np.array(model.geom_quat[geom])).T + np.array(model.geom_pos[geom])


def _half_sizes(kind: int, size: np.ndarray) -> np.ndarray:
    if kind == _SPHERE:
        return np.repeat(size[0], 3)
    if kind == _CAPSULE:
        return np.array([size[0], size[0], size[1] + size[0]])
    if kind == _CYLINDER:
        return np.array([size[0], size[0], size[1]])
    return size


def _corners() -> np.ndarray:
    return np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)


def rotation_of(wxyz: np.ndarray) -> np.ndarray:
    """Rotation matrix (3, 3) of a unit quaternion in MuJoCo's order."""
    w, x, y, z = wxyz
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def quat_of(matrix: np.ndarray) -> np.ndarray:
    """Unit quaternion (4,) xyzw of a rotation matrix."""
    import mujoco

    wxyz = np.empty(4)
    mujoco.mju_mat2Quat(wxyz, np.ascontiguousarray(matrix, dtype=np.float64).ravel())
    return wxyz[[1, 2, 3, 0]]

"""What a start of LIBERO is: its compiled parts, its poses, what of it the arm reaches and the camera sees."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from .simulation import Simulation
from .truth import MESH, body_corners

SHOULDER = np.array([0.0, 0.0, 0.333])
"""From the arm's base to its second joint's axis, metres (Franka's data sheet)."""
REACH = 0.855
"""From there to the flange of the stretched arm, metres (Franka's data sheet)."""
_GLOBAL = ("actuator_gear", "actuator_gainprm", "actuator_biasprm", "actuator_ctrlrange", "eq_data", "pair_friction")
_BODY = ("mass", "inertia", "ipos", "iquat", "gravcomp")
_GEOM = ("type", "size", "pos", "quat", "friction", "contype", "conaffinity", "condim", "solref", "solimp", "margin")
_SITE = ("type", "size", "pos", "quat")
_JOINT = ("type", "axis", "range", "stiffness")
_DOF = ("damping", "armature", "frictionloss")


def compiled_parts(sim: Simulation) -> dict[str, str]:
    """The model at large and each tree of bodies, in the model's order, to a digest of what is compiled into it.

    Where a free body starts is state and not part of it.
    """
    model = sim.model
    trees: dict[int, Any] = {}
    for body in range(1, model.nbody):
        root = _root(model, body)
        trees.setdefault(root, hashlib.sha256())
        for piece in _pieces(model, body, moved=body == root):
            trees[root].update(piece)
    parts = {_name(sim, root): digest.hexdigest()[:16] for root, digest in trees.items()}
    rest = hashlib.sha256(repr((model.opt.timestep, tuple(model.opt.gravity), model.opt.cone)).encode())
    for name in _GLOBAL:
        rest.update(_bytes(getattr(model, name)))
    return {"options and actuators": rest.hexdigest()[:16], **parts}


def _root(model: Any, body: int) -> int:
    while model.body_parentid[body]:
        body = int(model.body_parentid[body])
    return body


def _name(sim: Simulation, body: int) -> str:
    return str(sim.env.sim.model.body_id2name(body)).removesuffix("_main")


def _pieces(model: Any, body: int, moved: bool) -> Iterable[bytes]:
    for name in _BODY:
        yield _bytes(getattr(model, f"body_{name}")[body])
    if not moved:
        yield _bytes(model.body_pos[body]) + _bytes(model.body_quat[body])
    geoms = np.flatnonzero(np.asarray(model.geom_bodyid) == body)
    for geom in geoms:
        yield b"".join(_bytes(getattr(model, f"geom_{name}")[geom]) for name in _GEOM)
        yield _mesh(model, int(geom))
    for site in np.flatnonzero(np.asarray(model.site_bodyid) == body):
        yield b"".join(_bytes(getattr(model, f"site_{name}")[site]) for name in _SITE)
    for joint in np.flatnonzero(np.asarray(model.jnt_bodyid) == body):
        yield b"".join(_bytes(getattr(model, f"jnt_{name}")[joint]) for name in _JOINT)
    for dof in np.flatnonzero(np.asarray(model.dof_bodyid) == body):
        yield b"".join(_bytes(getattr(model, f"dof_{name}")[dof]) for name in _DOF)


def _mesh(model: Any, geom: int) -> bytes:
    mesh = int(model.geom_dataid[geom])
    if mesh < 0 or int(model.geom_type[geom]) != MESH:
        return b""
    first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    return _bytes(model.mesh_vert[first : first + count])


def _bytes(values: Any) -> bytes:
    return np.ascontiguousarray(values).tobytes()


def positions(sim: Simulation) -> dict[str, tuple[float, ...]]:
    """Instance name to pose of every movable body, and the arm's joints."""
    joints = sim.data.qpos[sim.env.robots[0]._ref_joint_pos_indexes]
    return {**sim.poses(), "robot": tuple(map(float, joints))}


def masses(sim: Simulation) -> dict[str, float]:
    """Instance name to mass of every movable body, kilograms."""
    return {name: float(sim.model.body_subtreemass[body]) for name, body in sim.movable.items()}


def reach_left(sim: Simulation) -> float | None:
    """Metres by which the stretched arm reaches beyond the task's bodies; None for a task without any that move."""
    shoulder = np.asarray(sim.env.robots[0].base_pos) + SHOULDER
    far = [float(np.linalg.norm(sim.data.xpos[body] - shoulder)) for body in _task_bodies(sim)]
    return REACH - max(far) if far else None


def _task_bodies(sim: Simulation) -> list[int]:
    return [sim.movable[name] for name in (sim.pick, sim.goal) if name is not None and name in sim.movable]


def share_seen(sim: Simulation, camera: str) -> float | None:
    """Share of the corners of the task's bodies that fall inside a square picture, hidden or not; None without any."""
    bodies = _task_bodies(sim)
    if not bodies:
        return None
    index = int(sim.env.sim.model.camera_name2id(camera))
    corners = np.concatenate([body_corners(sim, body) for body in bodies])
    local = (corners - sim.data.cam_xpos[index]) @ sim.data.cam_xmat[index].reshape(3, 3)
    half = np.tan(np.radians(float(sim.model.cam_fovy[index])) / 2)
    flat = local[:, :2] / -local[:, 2:]
    inside = (local[:, 2] < 0) & (np.abs(flat) <= half).all(axis=1)
    return float(inside.mean())


def meaning(sim: Simulation, instruction: str) -> str:
    """The instruction and LIBERO's goal predicates."""
    goals = sim.env.parsed_problem["goal_state"]
    return f"{instruction}: " + " and ".join("(" + " ".join(map(str, goal)) + ")" for goal in goals)

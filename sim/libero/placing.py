"""Where a scene's edits put bodies before the settle."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...core.scene import Scene
from .scene import LiberoFacts, displacements, scales
from .simulation import Simulation
from .truth import body_box, rotation_of


def places(sim: Simulation, scene: Scene) -> Mapping[str, np.ndarray]:
    """Instance name to pose (7,) of every edited body.

    An edited body is put down as tau_0's settle left it, shifted: published states hold bodies up to 4 cm inside
    the floor, where they push neighbours they never touch. A scaled one stands on the floor with its own height.
    """
    rest, moved, sizes = LiberoFacts.of(scene).rest, displacements(scene.edits), scales(scene.edits)
    put = {}
    for body in sorted({*moved, *sizes}):
        pose = np.array(rest[body])
        pose[:3] += moved.get(body, 0.0)
        pose[2] += _lift(sim, body, pose, sizes.get(body, 1.0))
        put[body] = pose
    return put


def _lift(sim: Simulation, body: str, pose: np.ndarray, factor: float) -> float:
    """How much higher a scaled body's origin stands, metres: its lowest point stays where it was."""
    low, high = body_box(sim.model, sim.movable[body])
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    depth = -float((corners @ rotation_of(pose[3:]).T)[:, 2].min())
    return depth * (1.0 - 1.0 / factor)

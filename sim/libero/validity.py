"""Is a start sound? Whatever this finds is the start's fault, not the policy's."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...core.errors import InvalidStart
from ...core.scene import Scene
from .scene import LiberoFacts, displacements, scales
from .simulation import Simulation
from .truth import body_corners

DEEPEST = 0.001
"""Penetration in metres beyond which a start is broken."""
OPENING = 0.08
"""Metres between the opened fingers of Franka's hand (robosuite panda_gripper.xml: two of 0.04)."""
FARTHEST = 0.01
"""Displacement in metres beyond which a settled neighbour was pushed."""
FASTEST = 0.2
"""Speed in m/s beyond which a body has not come to rest: it is :data:`FARTHEST` off by the next control step."""


def check_graspable(sim: Simulation, scene: Scene) -> None:
    """Before settling: an object that goes between the fingers at tau_0 must still do so once it is scaled.

    Wider ones, such as bowls, are held by their rim.

    Raises:
        InvalidStart: with the narrowest width and the gripper's opening.
    """
    size = scales(scene.edits).get(sim.pick) if sim.pick else None
    if size is None:
        return
    width = narrowest(body_corners(sim, sim.movable[sim.pick]))
    if width > OPENING >= width / size:
        raise InvalidStart(
            f"{sim.pick} at {size:.3g} times its size is {100 * width:.1f} cm wide at its narrowest, "
            f"the gripper opens {100 * OPENING:.1f} cm"
        )


def narrowest(corners: np.ndarray) -> float:
    """Least horizontal width, metres, of a box given by its corners (8, 3), over all ways to turn a gripper."""
    yaws = np.radians(np.arange(180))
    across = corners[:, :2] @ np.stack([np.cos(yaws), np.sin(yaws)])
    return float((across.max(axis=0) - across.min(axis=0)).min())


def check_penetration(sim: Simulation, scene: Scene) -> None:
    """Before settling: no edited body may overlap another body or a fixture by more than 1 mm.

    What two bodies without edits do to each other is the published start's: there a bowl may well lie 1 mm deep
    in the box that carries it.

    Raises:
        InvalidStart: naming both bodies and the depth.
    """
    data, names = sim.data, sim.owners
    edited = {*displacements(scene.edits), *scales(scene.edits)}
    for index in range(data.ncon):
        contact = data.contact[index]
        first, second = names.get(int(contact.geom1)), names.get(int(contact.geom2))
        if first and second and first != second and {first, second} & edited and contact.dist < -DEEPEST:
            raise InvalidStart(
                f"{first} and {second} overlap by {-1000 * contact.dist:.1f} mm at the start of {scene.task}"
            )


def check_displacement(sim: Simulation, scene: Scene, put: Mapping[str, np.ndarray]) -> None:
    """After settling: every body must be at rest where tau_0 left it, or where its edits put it.

    Raises:
        InvalidStart: naming the body that is fastest or lies farthest off.
    """
    speeds = sim.speeds()
    fastest = max(speeds, key=lambda name: speeds[name])
    if speeds[fastest] > FASTEST:
        raise InvalidStart(f"{fastest} still moved at {speeds[fastest]:.1f} m/s when {scene.task} had settled")
    expected = {**LiberoFacts.of(scene).rest, **put}
    off = {name: float(np.linalg.norm(np.subtract(pose[:3], expected[name][:3]))) for name, pose in sim.poses().items()}
    worst = max(off, key=lambda name: off[name])
    if off[worst] > FARTHEST:
        raise InvalidStart(f"{worst} was displaced by {100 * off[worst]:.1f} cm while {scene.task} settled")

"""Is a start sound? Whatever this finds is the start's fault, not the policy's."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...core.errors import InvalidStart
from ...core.scene import Scene
from .scene import LiberoFacts, displacements, scales
from .simulation import Simulation

DEEPEST = 0.001
"""Penetration in metres beyond which a start is broken."""
FARTHEST = 0.01
"""Displacement in metres beyond which a settled neighbour was pushed."""
FASTEST = 0.2
"""Speed in m/s beyond which a body has not come to rest: it is :data:`FARTHEST` off by the next control step."""


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

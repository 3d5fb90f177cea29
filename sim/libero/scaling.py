"""Scale an object before its model is compiled: every mesh, geom and site of it together, mass with the cube."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from xml.etree.ElementTree import Element


def scale_object(body: Element, asset: Element, factor: float) -> None:
    """Scale an object's XML in place.

    Densities stay, so that mass and inertia follow from the size; a mass that is written down goes with the cube.

    Args:
        body: the object's body element, with its geoms and sites.
        asset: its assets, with its meshes.
        factor: new size over old, above 0.
    """
    for mesh in asset.iter("mesh"):
        _times(mesh, "scale", factor, default="1 1 1")
    for element in body.iter():
        if element.tag in ("geom", "site", "body"):
            _times(element, "pos", factor)
        if element.tag in ("geom", "site"):
            _times(element, "size", factor)
            _times(element, "mass", factor**3)


def _times(element: Element, name: str, factor: float, default: str | None = None) -> None:
    written = element.get(name, default)
    if written is not None:
        element.set(name, " ".join(repr(float(number) * factor) for number in written.split()))


@contextmanager
def scaled_objects(problems: dict[str, Any], problem: str, scales: Mapping[str, float]) -> Iterator[None]:
    """Within it, LIBERO builds ``problem`` with these objects scaled.

    Args:
        problems: LIBERO's TASK_MAPPING.
        problem: its key of the problem class.
        scales: instance name to factor; empty for the problem as it is.
    """
    original = problems[problem]

    class Scaled(original):
        def _load_objects_in_arena(self, mujoco_arena: Any) -> None:
            super()._load_objects_in_arena(mujoco_arena)
            for name, factor in scales.items():
                scale_object(self.objects_dict[name].get_obj(), self.objects_dict[name].asset, factor)

    # LIBERO compares the class's name with its BDDL file's.
    Scaled.__name__ = original.__name__
    problems[problem] = Scaled if scales else original
    try:
        yield
    finally:
        problems[problem] = original

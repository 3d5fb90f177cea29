"""Scale an object before its model is compiled: every mesh, geom and site of it together, mass with the cube."""

from __future__ import annotations

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

"""Change a LIBERO problem before its model is compiled: objects scaled, objects added."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from xml.etree.ElementTree import Element

from .scaling import scale_object


def extra_name(kind: str) -> str:
    """Instance name of an added object."""
    return f"distractor_{kind}"


@contextmanager
def edited_problem(
    problems: dict[str, Any], problem: str, scales: Mapping[str, float], extras: Iterable[str]
) -> Iterator[None]:
    """Within it, LIBERO builds ``problem`` with some objects scaled, and with others added after all of its own.

    What is added has no joint and touches nothing: positions, velocities and contacts stay what they were, and so
    do the init states that fit them.

    Args:
        problems: LIBERO's TASK_MAPPING.
        problem: its key of the problem class.
        scales: instance name to factor.
        extras: kinds of objects to add, in order.
    """
    original, added = problems[problem], tuple(extras)

    class Edited(original):
        def _load_objects_in_arena(self, mujoco_arena: Any) -> None:
            super()._load_objects_in_arena(mujoco_arena)
            for name, factor in scales.items():
                scale_object(self.objects_dict[name].get_obj(), self.objects_dict[name].asset, factor)

        def _load_model(self) -> None:
            super()._load_model()
            for kind in added:
                _add(self.model, kind)

    # LIBERO compares the class's name with its BDDL file's.
    Edited.__name__ = original.__name__
    problems[problem] = Edited if scales or added else original
    try:
        yield
    finally:
        problems[problem] = original


def _add(model: Any, kind: str) -> None:
    from libero.libero.envs.objects import get_object_fn

    made = get_object_fn(kind)(name=extra_name(kind))
    model.merge_assets(made)
    model.worldbody.append(contact_free(made.get_obj()))


def contact_free(body: Element) -> Element:
    """A body's XML, in place, without joints and with geoms that touch nothing."""
    for parent in list(body.iter()):
        for joint in [child for child in parent if child.tag in ("joint", "freejoint")]:
            parent.remove(joint)
    for geom in body.iter("geom"):
        geom.set("contype", "0")
        geom.set("conaffinity", "0")
    return body

"""A picture of every cell that was not certified."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO

from PIL import Image

from ...axes.certificates import Cell, Certificate
from ...core.errors import RenderingUnavailable, SceneError, SimulatorError
from ...core.scene import Scene
from ...core.slots import EpisodeKey
from ...core.world import Picture, View
from ..files import write_atomically
from ..folder import RunFolder
from ..opening import open_places
from ..places import Places
from ..preview import shoot
from ..scenes import at_level
from .certify import Certification

SIZE = 256


def photograph(asked: Certification, certificate: Certificate) -> str | None:
    """Write ``pictures/<task>_<level>.png`` of each excluded cell: a broken start, or one that the expert failed.

    Returns:
        Why there are none, or None if there are, or none are needed.
    """
    cells = [cell for cell in certificate.cells if not cell.certified]
    camera = next(iter(asked.parts.world.layout.images), None)
    if not cells or camera is None:
        return None
    view = View(max_steps=1, success=asked.plan.success, images={camera: (SIZE, SIZE)})
    folder = asked.folder / "pictures"
    folder.mkdir(exist_ok=True)
    run = RunFolder(asked.folder / "expert", asked.plan)
    try:
        places = open_places(asked.parts.world, view, 1, asked.folder / "logs")
        try:
            for cell in cells:
                start = _start(cell, certificate)
                picture = _picture(asked, cell, start, run.scenes.get((cell.task, start)), places, camera)
                if picture is not None:
                    buffer = BytesIO()
                    Image.fromarray(picture).save(buffer, format="png")
                    write_atomically(folder / f"{cell.task}_{cell.level}.png", buffer.getvalue(), durable=False)
        finally:
            places.close()
    except RenderingUnavailable as error:
        return str(error)
    finally:
        run.close()
    return None


def _picture(asked: Certification, cell: Cell, start: int, base: Scene, places: Places, camera: str) -> Picture | None:
    """What the camera sees; None of a start that cannot be made at all, or that the simulator gives up on."""
    with suppress(SceneError, SimulatorError):
        scene = at_level(asked.parts.axis, base, cell.level)
        key = EpisodeKey(cell.task, start, cell.level)
        return shoot(places, scene, key, {camera: (SIZE, SIZE)}).images.get(camera)
    return None


def _start(cell: Cell, certificate: Certificate) -> int:
    """A start that shows what is wrong, among those that the expert's run grounded."""
    first, last = certificate.expert_starts
    telling = [*(each.start for each in cell.geometry.broken), *(cell.expert.failed if cell.expert else ())]
    return next((start for start in telling if first <= start <= last), first)

"""One picture per level, for the report: the same start, moved along the axis."""

from __future__ import annotations

import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image

from ..core.errors import IndgenError, RenderingUnavailable
from ..core.world import View
from .agenda import group_of
from .files import write_atomically
from .folder import RunFolder
from .opening import open_places
from .plan import Plan
from .planning import Parts
from .worker_places import WorkerPlaces

SIZE = 256
FOLDER = "pictures"


def take_pictures(plan: Plan, parts: Parts, folder: RunFolder) -> str | None:
    """Photograph the plan's first start at every level, unless that is done; the report looks in ``pictures/``.

    Returns:
        Why there are none, or None if there are.
    """
    key = next(plan.episode_keys())
    missing = [level for level in plan.levels if not _path(folder, level).exists()]
    if not missing or not parts.world.layout.images or not folder.scenes.has(group_of(key)):
        return None
    camera = next(iter(parts.world.layout.images))
    view = View(max_steps=1, success=plan.success, images={camera: (SIZE, SIZE)})
    try:
        with tempfile.TemporaryDirectory() as logs:
            places = open_places(parts.world, view, 1, Path(logs))
            try:
                if isinstance(places, WorkerPlaces):
                    for level in missing:
                        scene = parts.axis.at(folder.scenes.get(group_of(key)), level)
                        _keep(folder, level, places.picture(scene, camera, SIZE, SIZE))
            finally:
                places.close()
    except RenderingUnavailable as error:
        return str(error)
    except IndgenError as error:
        return f"they failed: {error}"
    return None


def _path(folder: RunFolder, level: int) -> Path:
    return folder.path / FOLDER / f"level_{level}.png"


def _keep(folder: RunFolder, level: int, pixels) -> None:
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, format="png")
    _path(folder, level).parent.mkdir(exist_ok=True)
    write_atomically(_path(folder, level), buffer.getvalue(), durable=False)

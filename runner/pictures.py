"""One picture per level, for the report: the same start, moved along the axis."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

from PIL import Image

from ..core.errors import PLUGIN_FAULTS, RenderingUnavailable
from ..core.scene import Scene
from ..core.slots import EpisodeKey
from ..core.text import describe
from ..core.world import Picture, View
from .agenda import group_of
from .episodes import Outcome
from .files import write_atomically
from .folder import RunFolder
from .opening import open_places
from .parts import Parts
from .places import Places
from .plan import Plan
from .preview import shoot
from .worker_places import WorkerPlaces

SIZE = 256
FOLDER = "pictures"
CAPTION = "caption.txt"


def take_pictures(plan: Plan, parts: Parts, folder: RunFolder) -> str | None:
    """Photograph one start at every level, unless that is done; the report looks in ``pictures/``.

    The first start that is sound at every level is taken, or else the plan's first; a caption says which.

    Returns:
        Why there are none, or None if there are.
    """
    key = _sound_start(plan, folder)
    missing = [level for level in plan.levels if not _path(folder, level).exists()]
    if not missing or not parts.world.layout.images or not folder.scenes.has(group_of(key)):
        return None
    camera = next(iter(parts.world.layout.images))
    view = View(max_steps=1, success=plan.success, images={camera: (SIZE, SIZE)})
    try:
        places = open_places(parts.world, view, 1, folder.path / "logs")
        try:
            base = folder.scenes.get(group_of(key))
            for level in missing:
                picture = _picture(places, parts.axis.at(base, level), replace(key, level=level), camera)
                if picture is not None:
                    _keep(folder, level, picture)
            write_atomically(folder.path / FOLDER / CAPTION, f"{key.task}, start {key.rollout}\n", durable=False)
        finally:
            places.close()
    except RenderingUnavailable as error:
        return str(error)
    except PLUGIN_FAULTS as error:
        return f"they failed: {describe(error)}"
    return None


def _picture(places: Places, scene: Scene, key: EpisodeKey, camera: str) -> Picture | None:
    """What a camera sees of a start; None where the start is broken and its world shows no broken ones."""
    if isinstance(places, WorkerPlaces):
        return places.picture(scene, camera, SIZE, SIZE)
    return shoot(places, scene, key, {camera: (SIZE, SIZE)}).images.get(camera)


def _sound_start(plan: Plan, folder: RunFolder) -> EpisodeKey:
    broken = {group_of(e.key) for e in folder.episodes() if e.outcome in (Outcome.INVALID, Outcome.ERROR)}
    keys = list(plan.episode_keys())
    return next((key for key in keys if group_of(key) not in broken), keys[0])


def _path(folder: RunFolder, level: int) -> Path:
    return folder.path / FOLDER / f"level_{level}.png"


def _keep(folder: RunFolder, level: int, pixels: Picture) -> None:
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, format="png")
    _path(folder, level).parent.mkdir(exist_ok=True)
    write_atomically(_path(folder, level), buffer.getvalue(), durable=False)

"""What an axis does, as pictures: one start, at every level, through every camera of its world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ..axes import Axis
from ..core.errors import InvalidStart, SimulatorError, UsageError
from ..core.scene import Scene
from ..core.seeds import derive_seed
from ..core.slots import EpisodeKey, Slot
from ..core.world import Picture, View, World
from .answers import check_grounded
from .opening import open_places
from .places import Fault, Grounded, News, Places, Started
from .scenes import at_level
from .worker_places import WorkerPlaces

_PLACE = 0
_WAIT_S = 0.1


@dataclass(frozen=True)
class Shot:
    """One level of a start.

    Attributes:
        level: level k of the axis.
        images: camera role to what it sees once the scene has settled; a camera that could not is left out.
        invalid: why the start is no sound one; None if it is.
    """

    level: int
    images: Mapping[str, Picture]
    invalid: str | None


def sizes_of(world: World, size: int) -> dict[str, tuple[int, int]]:
    """Camera role to (height, width) in pixels: ``size`` rows, and columns as the camera's own shape has them.

    Raises:
        UsageError: if the world has no camera, or renders no images that large.
    """
    cameras = world.layout.images
    if not cameras:
        raise UsageError(
            f"world {world.id} has no camera", got="nothing to look through", hint="`indgen worlds` lists the others"
        )
    largest = min(camera.height for camera in cameras.values())
    if not 1 <= size <= largest:
        raise UsageError("pictures of another size", got=f"{size} pixels", expected=f"1 to {largest} pixels")
    return {role: (size, max(1, size * camera.width // camera.height)) for role, camera in cameras.items()}


def take_shots(
    world: World, axis: Axis, task: str, start: int, levels: Sequence[int], size: int, seed: int = 0
) -> Iterator[Shot]:
    """Photograph a start at level after level, valid or not.

    Args:
        world: where.
        axis: what moves the start.
        task: full name.
        start: rollout number, from 0; the same start as a sweep's with this seed.
        levels: of the axis.
        size: height of a picture, pixels.
        seed: root of every seed.

    Raises:
        UsageError: if the world has no such start, no camera, or no picture of that size.
        RenderingUnavailable: if there is no OpenGL that renders off screen.
        WorldMissing: if the world's interpreter environment is not installed.
        IndgenError: whatever else goes wrong while a level is set up.
    """
    sizes = sizes_of(world, size)
    published = world.starts(task)
    if start < 0 or (published is not None and start >= published):
        expected = "0 or more" if published is None else f"0 to {published - 1}"
        raise UsageError(f"{world.id} has no such start of {task}", got=start, expected=expected)
    view = View(max_steps=1, success=world.successes[0], images=sizes)
    with TemporaryDirectory(prefix="indgen-preview-") as logs:
        places = open_places(world, view, 1, Path(logs))
        try:
            key = EpisodeKey(task, start, 0)
            base = _ground(places, world.id, key, derive_seed(seed, world.id, task, start))
            for level in levels:
                yield shoot(places, at_level(axis, base, level), EpisodeKey(task, start, level), sizes)
        finally:
            places.close()


def _ground(places: Places, world: str, key: EpisodeKey, seed: int) -> Scene:
    places.ground(_PLACE, key, seed)
    news = _answer(places)
    if isinstance(news, Fault):
        raise news.error
    assert isinstance(news, Grounded)
    check_grounded(news.scene, world, key, seed)
    return news.scene


def shoot(places: Places, scene: Scene, key: EpisodeKey, sizes: Mapping[str, tuple[int, int]]) -> Shot:
    """Start a scene in a place of its own and look once.

    Raises:
        IndgenError: whatever goes wrong, but for a start that is broken.
    """
    places.start(Slot(_PLACE, key, is_first=True, seed=0), scene)
    news = _answer(places)
    if isinstance(news, Started):
        return Shot(key.level, news.observation.images, None)
    assert isinstance(news, Fault)
    if not isinstance(news.error, InvalidStart):
        raise news.error
    return Shot(key.level, _pictures(places, scene, sizes), str(news.error))


def _pictures(places: Places, scene: Scene, sizes: Mapping[str, tuple[int, int]]) -> dict[str, Picture]:
    """Of a start that cannot be played; one so broken that the simulator gives up is not seen at all."""
    if not isinstance(places, WorkerPlaces):
        return {}
    try:
        return {role: places.picture(scene, role, *size) for role, size in sizes.items()}
    except SimulatorError:
        return {}


def _answer(places: Places) -> News:
    while not (news := places.poll(_WAIT_S)):
        pass
    return news[0][1]

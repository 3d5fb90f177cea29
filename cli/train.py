"""``indgen train``: train BlockEnv's baselines."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from ..blockenv.baselines import METHODS, find_method
from ..blockenv.baselines.checkpoints import claimed, weights_path
from ..blockenv.baselines.course import DEMONSTRATIONS, Course, run_course
from ..blockenv.baselines.training import need_torch
from ..blockenv.layout import GRID
from ..core.errors import UnknownName
from ..runner.levels import parse_levels
from .console import note, progress

app = typer.Typer()
EXAMPLE = "Example: [bold]indgen train blockenv all --levels 0,1,2 --seeds 0,1,2[/bold]"
ALL = "all"
_EVERY_S = 10.0


@app.command("train", epilog=EXAMPLE)
def train_command(
    world: Annotated[str, typer.Argument(help="Where: blockenv.", show_default=False)],
    method: Annotated[str, typer.Argument(help=f"{', '.join(METHODS)}, or {ALL}.", show_default=False)],
    levels: Annotated[str, typer.Option(help="What to learn from.")] = "0,1,2",
    seeds: Annotated[str, typer.Option(help="One run each.")] = "0,1,2",
    grid: Annotated[int, typer.Option(help="Side of the grid.")] = GRID,
    demonstrations: Annotated[int, typer.Option(help="Of each level.")] = DEMONSTRATIONS,
    updates: Annotated[int | None, typer.Option(help="Steps of the optimiser. Default: the method's own.")] = None,
    folder: Annotated[Path, typer.Option("--out", help="Folder of the checkpoints.")] = Path("checkpoints"),
) -> int:
    """Train BlockEnv baselines by imitation of the oracle, on one thread, the same each time.

    The same command again resumes: a run whose checkpoint stands is not repeated. Needs torch.
    """
    if world != "blockenv":
        raise UnknownName("world to train in", world, ["blockenv"])
    methods = list(METHODS.values()) if method == ALL else [find_method(method)]
    asked = (parse_levels(levels), parse_levels(seeds, "seeds"))
    courses = [
        Course(each, seed, tuple(sorted(asked[0])), grid, demonstrations, updates)
        for each in methods
        for seed in asked[1]
    ]
    run_courses(courses, folder)
    note(f"Checkpoints: {folder}")
    return 0


def run_courses(courses: Sequence[Course], folder: Path) -> list[Path]:
    """Run them one after the other, telling how far they are; those that stand are not repeated.

    Raises:
        UsageError: as :func:`~indgen.blockenv.baselines.course.run_course`; before the first of them runs.
    """
    for course in courses:
        course.check()
    missing = [course for course in courses if course.standing(folder) is None]
    if missing:
        need_torch()
    note(f"{len(courses)} training runs, {len(courses) - len(missing)} of them done already")
    if not missing:
        return [weights_path(folder, course.method.name, course.seed) for course in courses]
    with claimed(folder):
        return _run(courses, missing, folder)


def _run(courses: Sequence[Course], missing: Sequence[Course], folder: Path) -> list[Path]:
    paths = []
    for course in courses:
        began = time.monotonic()
        name = f"{course.method.name}, seed {course.seed}"
        paths.append(run_course(course, folder, _reporter(name, course.steps)))
        if course in missing:
            note(f"{name}: done in {time.monotonic() - began:.0f} s")
    return paths


def _reporter(name: str, updates: int) -> Callable[[int, float], None]:
    last = time.monotonic()

    def report(update: int, loss: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > _EVERY_S:
            last = now
            progress(f"{name}: {update}/{updates} updates, loss {loss:.3f}")

    return report

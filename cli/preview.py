"""``indgen preview``: see what an axis does before sweeping it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import UsageError
from ..reports.contact_sheet import check_file, contact_sheet
from ..reports.words import signed
from ..runner.choosing import choose_suite, choose_tasks
from ..runner.files import write_atomically
from ..runner.levels import find_levels
from ..runner.parts import load_axis
from ..runner.preview import sizes_of, take_shots
from ..runner.refusals import meaningless
from .console import note, progress

app = typer.Typer()


@app.command("preview", epilog="Example: [bold]indgen preview pick --task milk --levels=-3..3[/bold]")
def preview_command(
    axis: Annotated[str, typer.Argument(help="What changes, or a+b; see [bold]indgen axes[/bold].")],
    task: Annotated[str, typer.Option(help="The task; a short name will do.", show_default=False)],
    world: Annotated[str, typer.Option(help="Where.")] = "libero",
    suite: Annotated[str | None, typer.Option(help="The task's suite. Default: the world's first.")] = None,
    start: Annotated[int, typer.Option(help="Which start: the rollout's number.")] = 0,
    levels: Annotated[str | None, typer.Option(help="E.g. -3..3 or 0,2. Default: all of the axis.")] = None,
    size: Annotated[int, typer.Option(help="Height of a picture, pixels.")] = 256,
    seed: Annotated[int, typer.Option(help="Root of every seed, as a sweep's.")] = 0,
    out_file: Annotated[Path | None, typer.Option("--out", help="PNG. Default: <axis>-<task>.png.")] = None,
) -> None:
    """Show a start at every level of an axis, through every camera, as one picture.

    Levels at which the start is broken are shown too, with the reason. Needs rendering.
    """
    # Plugins are about to be imported, and may change the working folder.
    here = Path.cwd()
    where, what = load_axis(world, axis)
    tasks = choose_tasks(where, choose_suite(where, suite), task, partial(meaningless, what), what.card.id)
    if len(tasks) != 1:
        raise UsageError("a preview is of one task", got=f"--task {task}", expected="one name")
    (found,) = tasks
    chosen = find_levels(what, levels)
    shown = out_file or Path(f"{what.card.id.rpartition('/')[2]}-{found.short}.png")
    check_file(here / shown)
    sizes = sizes_of(where, size)
    shots = []
    for shot in take_shots(where, what, found.name, start, chosen, size, seed):
        progress(f"level {signed(shot.level)}: {f'invalid: {shot.invalid}' if shot.invalid else 'valid'}")
        shots.append(shot)
    _write(here / shown, contact_sheet(what.card, shots, sizes, found, start))
    note(f"Preview: {shown}")


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, content, durable=False)
    except OSError as cause:
        raise UsageError(
            "the preview cannot be written", got=f"{path}: {cause.strerror}", hint="choose another file with --out"
        ) from cause

"""``indgen world``: the interpreter environments that worlds run in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..sim import installs
from ..sim.installs import SHOWN, Status

app = typer.Typer(
    help="Install the worlds whose simulators need a Python of their own.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

_KINDS = {"installed": "installed", "own": "your own Python", "core": "in indgen's own Python", None: "not installed"}


@app.command("install", epilog="Example: [bold]indgen world install libero[/bold]")
def install_command(
    name: Annotated[str, typer.Argument(help="The world, e.g. libero.", show_default=False)],
    python: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Make no environment; use this Python, which has the world already."),
    ] = None,
) -> None:
    """Make a world's environment from its pinned, hashed lock file (LIBERO: about 2 GB on disk)."""
    console = Console(highlight=False)

    def show(line: str) -> None:
        console.print(line, markup=False, soft_wrap=True)

    if not console.is_terminal:
        installs.install(name, python=python, report=show)
        return
    with console.status(f"Installing {name}") as progress:

        def report(line: str) -> None:
            # pip's packages pass by in the status line; everything else stays on the screen.
            if line.startswith("["):
                progress.update(escape(line))
            else:
                show(line)

        installs.install(name, python=python, report=report)


@app.command("list", epilog="Example: [bold]indgen world list[/bold]")
def list_command() -> None:
    """Show which worlds are installed, where, and with which versions."""
    table = Table(box=None, pad_edge=False)
    for column in ("world", "state", "python", *SHOWN, "size"):
        table.add_column(column, no_wrap=True)
    worlds = [installs.status(name) for name in installs.names()]
    for world in worlds:
        table.add_row(*_cells(world))
    console = Console(highlight=False)
    console.print(table)
    for world in worlds:
        line = f"{world.name}: {world.interpreter}"
        if not world.installed:
            line = f"{world.name}: run `indgen world install {world.name}`"
        console.print(line, markup=False, soft_wrap=True)


def _cells(world: Status) -> tuple[str, ...]:
    versions = [world.versions.get(package, "") for package in SHOWN]
    size = f"{world.size / 1e9:.1f} GB" if world.size is not None else ""
    return world.name, _KINDS[world.kind], world.python or "", *versions, size

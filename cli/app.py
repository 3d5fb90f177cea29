"""The command line: ``indgen COMMAND``."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Annotated

import typer

from . import certify, compare, evaluate_axis, listing, preview, report, reproduce, train, world
from .console import note, run

app = typer.Typer(
    help="Where does a robot policy break?",
    epilog="Example: [bold]indgen evaluate-axis --policy expert --axis pick[/bold]",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
)
app.add_typer(evaluate_axis.app)
app.add_typer(listing.app)
app.add_typer(preview.app)
app.add_typer(report.app)
app.add_typer(compare.app)
app.add_typer(certify.app)
app.add_typer(train.app)
app.add_typer(reproduce.app)
app.add_typer(world.app, name="world")


@app.callback(invoke_without_command=True)
def root(version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False) -> None:
    """Where does a robot policy break?"""
    if version:
        note(f"indgen {version_of('indgen')}")
        raise typer.Exit


def main() -> None:
    """Entry point of ``indgen``."""
    run(app)

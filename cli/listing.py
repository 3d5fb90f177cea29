"""``indgen axes | policies | worlds``: what is registered."""

from __future__ import annotations

from typing import Any

import typer
from rich.table import Table

from ..axes import axes
from ..core.errors import IndgenError
from ..core.registry import Registry
from ..policies import policies
from ..runner.planning import worlds
from .console import out

app = typer.Typer()


@app.command("axes", epilog="Example: [bold]indgen axes[/bold]")
def axes_command() -> None:
    """List the axes: what changes, and by how much."""
    _list(axes, ("id", "levels", "step", "what changes", "from"), _axis_row)


@app.command("policies", epilog="Example: [bold]indgen policies[/bold]")
def policies_command() -> None:
    """List the policies."""
    _list(policies, ("id", "what it is", "from"), _policy_row)


@app.command("worlds", epilog="Example: [bold]indgen worlds[/bold]")
def worlds_command() -> None:
    """List the worlds and their tasks."""
    _list(worlds, ("id", "tasks", "from"), _world_row)


def _list(registry: Registry, columns: tuple[str, ...], row: Any) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for entry in registry.all().values():
        try:
            cells = row(entry.load())
        except IndgenError as error:
            cells = (f"cannot be loaded: {error}", *[""] * (len(columns) - 3))
        table.add_row(entry.id, *cells, entry.source)
    out.print(table)


def _axis_row(factory: Any) -> tuple[str, ...]:
    card = factory().card
    return f"{card.levels[0]}..{card.levels[-1]}", f"{card.step:g} {card.unit}", card.changes


def _policy_row(factory: Any) -> tuple[str, ...]:
    return (((factory.__doc__ or "").strip().splitlines() or [""])[:1][0],)


def _world_row(factory: Any) -> tuple[str, ...]:
    return (", ".join(task.short for task in factory().tasks),)

"""``indgen axes | policies | worlds``: what is registered."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from ..axes import Composed, axes
from ..axes.certificates import shipped
from ..core.errors import IndgenError
from ..core.registry import Registry
from ..core.world import World
from ..policies import policies
from ..reports.certificate import certificate_table
from ..runner.choosing import suites
from ..runner.parts import find_axis, worlds
from .console import note, out

app = typer.Typer()


@app.command("axes", epilog="Example: [bold]indgen axes libero/pick-v1[/bold]")
def axes_command(
    name: Annotated[str | None, typer.Argument(help="Show this axis and its certificate.")] = None,
    world: Annotated[str | None, typer.Option(help="Of a short name. Default: libero.")] = None,
) -> None:
    """List the axes: what changes, and by how much. With a name: its certificate, and why cells are left out."""
    if name is None:
        _list(axes, ("id", "levels", "step", "what changes", "from"), _axis_row)
        return
    home, slash, _ = name.partition("/")
    axis = find_axis(name, world or (home if slash else "libero"))
    card = axis.card
    note(f"{card.id}: {card.summary}")
    note(f"changes: {card.changes}; levels {card.levels[0]}..{card.levels[-1]}; source: {card.source}")
    for part in axis.parts if isinstance(axis, Composed) else (axis,):
        certificate = shipped(part.card.id)
        if certificate is None:
            note(f"{part.card.id}: no certificate ships with it")
        else:
            out.print(*certificate_table(certificate), sep="\n")


@app.command("policies", epilog="Example: [bold]indgen policies[/bold]")
def policies_command() -> None:
    """List the policies."""
    _list(policies, ("id", "what it is", "from"), _policy_row)


@app.command("worlds", epilog="Example: [bold]indgen worlds libero[/bold]")
def worlds_command(
    name: Annotated[str | None, typer.Argument(help="Show what this world offers to a policy.")] = None,
) -> None:
    """List the worlds and their tasks, or what one world offers to a policy and takes from it."""
    if name is None:
        _list(worlds, ("id", "tasks", "from"), _world_row)
    else:
        _show_layout(worlds.resolve(name).create())


def _show_layout(world: World) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("kind", "name", "shape", "meaning"):
        table.add_column(column, overflow="fold")
    layout = world.layout
    for number, entry in enumerate(layout.action.fields):
        span = f"[{entry.low:g}, {entry.high:g}]"
        table.add_row("action", f"{number}: {entry.name}", escape(span), entry.meaning)
    for role, image in layout.images.items():
        table.add_row("image", role, f"up to {image.height}x{image.width}x3", image.view)
    for kind, entries in (("state", layout.state), ("privileged", layout.privileged)):
        for label, field in entries.items():
            shape = "x".join("n" if size is None else str(size) for size in field.shape)
            table.add_row(kind, label, shape, ", ".join(filter(None, (field.unit, field.frame))))
    rate = f", {layout.action.rate:g} steps per second" if layout.action.rate else ""
    note(f"{world.id}: action layout {layout.action.name}{rate}; {world.max_steps} steps per episode by default")
    note(f"success predicates: {', '.join(world.successes)}")
    out.print(table)


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
    lines = (
        f"{suite}: {names}" if suite else names
        for suite, tasks in suites(factory()).items()
        for names in (", ".join(task.short for task in tasks),)
    )
    return ("\n".join(lines),)

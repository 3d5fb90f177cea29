"""``indgen report``: make a run's report anew, without a simulator."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .. import reports
from .console import note, out

app = typer.Typer()


@app.command("report", epilog="Example: [bold]indgen report runs/demo[/bold]")
def report_command(run: Annotated[Path, typer.Argument(help="The run folder.", show_default=False)]) -> None:
    """Make a run's report anew from its events, without a simulator."""
    report = reports.build(run)
    page = reports.write(run, report)
    out.print(*reports.render(report), sep="\n")
    note(f"Report: {page}")

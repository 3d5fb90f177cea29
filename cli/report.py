"""``indgen report``: make a run's report anew, without a simulator."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .. import reports
from .console import note, out

app = typer.Typer()


@app.command("report", epilog="Example: [bold]indgen report runs/demo --confidence 0.9[/bold]")
def report_command(
    run: Annotated[Path, typer.Argument(help="The run folder.", show_default=False)],
    confidence: Annotated[float, typer.Option(help="Of intervals and sets, between 0 and 1.")] = reports.CONFIDENCE,
    threshold: Annotated[float, typer.Option(help="Success rate below which a level breaks.")] = reports.THRESHOLD,
) -> None:
    """Make a run's report anew from its events, without a simulator."""
    folder = reports.read_run(run)
    report = reports.build(folder, confidence=confidence, threshold=threshold)
    page = reports.write(folder, report)
    out.print(*reports.render(report), sep="\n")
    note(f"Report: {page}")

"""``indgen compare``: which of several runs succeeds more, and which breaks later."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from .console import note, out

app = typer.Typer()


class By(StrEnum):
    """What the whole curve compares."""

    RUN = "run"
    LABEL = "label"


@app.command("compare", epilog="Example: [bold]indgen compare runs/h-only runs/h-mg --out comparison[/bold]")
def compare_command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Run folders.", show_default=False)],
    force: Annotated[bool, typer.Option("--force", help="Compare runs that differ in what matters; says so.")] = False,
    out_dir: Annotated[Path | None, typer.Option("--out", help="Folder for compare.json and figures.")] = None,
    confidence: Annotated[float, typer.Option(help="Of the intervals; decisions are made at 1 minus it.")] = 0.95,
    by: Annotated[By, typer.Option(help="Compare whole curves of runs, or of all runs of a label.")] = By.RUN,
) -> None:
    """Compare runs level by level, over the whole curve, and by where they break.

    Runs on the same starts are compared start by start. Runs of several axes are compared axis by axis; a
    composed axis ([bold]pick+distractors[/bold]) is set beside its parts.
    """
    # Here, for statsmodels takes a second to import, which no other command should wait for.
    from ..reports import compare as comparing

    if out_dir is not None:
        comparing.check_folder(out_dir)
    comparison = comparing.compare(runs, confidence=confidence, by=by.value, force=force)
    out.print(*comparing.render(comparison), sep="\n")
    if out_dir is not None:
        note(f"Comparison: {comparing.write(out_dir, comparison)}")

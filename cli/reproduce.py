"""``indgen reproduce``: the paper's tables, from training to a page."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from .. import reports
from ..blockenv.baselines import METHODS
from ..blockenv.baselines.course import Course
from ..core.errors import UnknownName, UsageError
from ..reports.table1 import Run, comparison, each_seed
from ..runner.levels import parse_levels
from ..runner.observer import Silent
from ..runner.table1 import DEEP_WORLD, ROLLOUTS, Job, jobs, run_job
from .console import note
from .train import run_courses

app = typer.Typer()
EXAMPLE = "Example: [bold]indgen reproduce table1 --out runs/table1[/bold]"
TABLES = ("table1",)


@app.command("reproduce", epilog=EXAMPLE)
def reproduce_command(
    table: Annotated[str, typer.Argument(help=f"One of {', '.join(TABLES)}.", show_default=False)],
    seeds: Annotated[str | None, typer.Option(help="Training seeds. Default: 0,1,2, and two more for Ind.")] = None,
    rollouts: Annotated[int, typer.Option(help="Per level and network.", min=1)] = ROLLOUTS,
    folder: Annotated[Path, typer.Option("--out", help="Folder of checkpoints, runs and the table.")] = Path(
        "runs/table1"
    ),
) -> int:
    """Train every baseline, sweep it, and set the table beside the paper's.

    The same command again resumes. Needs torch, unless all checkpoints stand in the folder already.
    """
    if table not in TABLES:
        raise UnknownName("table", table, TABLES)
    asked = None if seeds is None else parse_levels(seeds, "seeds")
    by_method = {name: asked or tuple(range(method.seeds)) for name, method in METHODS.items()}
    began = time.process_time()
    courses = [Course(METHODS[name], seed) for name, chosen in by_method.items() for seed in chosen]
    run_courses(courses, folder / "checkpoints")
    trained = time.process_time()
    swept = _sweep(by_method, folder, rollouts)
    ended = time.process_time()
    note(f"CPU minutes: {(trained - began) / 60:.1f} training, {(ended - trained) / 60:.1f} sweeping and reporting")
    page = folder / "table1.md"
    try:
        page.write_text("\n".join(_page(swept)) + "\n", encoding="utf-8")
    except OSError as cause:
        raise UsageError("the table cannot be written", got=f"{page}: {cause.strerror}") from cause
    note(f"Table: {page}")
    return 0


def _sweep(seeds: Mapping[str, Sequence[int]], folder: Path, rollouts: int) -> list[tuple[Job, Run]]:
    asked = jobs(seeds, folder / "runs")
    note(f"{len(asked)} sweeps of {rollouts} rollouts a level")
    found = []
    for number, job in enumerate(asked, start=1):
        run_job(job, folder / "checkpoints", rollouts, Silent())
        report = reports.build(reports.read_run(job.path))
        found.append((job, Run(job.id, job.seed, report)))
        rates = " ".join("-" if level.rate is None else f"{100 * level.rate:.0f}" for level in report.levels)
        note(f"{number}/{len(asked)} {job.path.name}: {rates}")
    return found


def _page(swept: Sequence[tuple[Job, Run]]) -> list[str]:
    main = [run for job, run in swept if job.world != DEEP_WORLD]
    deep = [run for job, run in swept if job.world == DEEP_WORLD]
    return [
        "Mean success in % over seeds (lowest and highest seed):",
        "",
        *comparison(main),
        "",
        "Each network, with 95 % Clopper-Pearson intervals:",
        "",
        *each_seed(main),
        "",
        "On a grid of 20:",
        "",
        *each_seed(deep),
    ]

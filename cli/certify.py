"""``indgen certify``: are an axis' levels what it claims they are?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import UsageError
from ..reports.certificate import certificate_table, write_certificate, write_page
from ..runner.certify import Certification, certify, photograph
from ..runner.levels import parse_levels
from ..runner.parts import expert_of, load_axis, load_parts
from ..runner.planning import make_plan
from .console import note, out
from .progress import SweepProgress
from .sweeping import worker_count

app = typer.Typer()
EXAMPLE = "Example: [bold]indgen certify pick --tasks milk,butter --levels=-3..3[/bold]"


@app.command("certify", epilog=EXAMPLE)
def certify_command(
    axis: Annotated[str, typer.Argument(help="The axis; see [bold]indgen axes[/bold].", show_default=False)],
    world: Annotated[str, typer.Option(help="Where.")] = "libero",
    suite: Annotated[str | None, typer.Option(help="E.g. goal. Default: the first.")] = None,
    tasks: Annotated[str | None, typer.Option(help="Short names do. Default: all.")] = None,
    levels: Annotated[str | None, typer.Option(help="-3..3 or 0,2. Default: all.")] = None,
    starts: Annotated[int, typer.Option(help="Starts of a task to measure.", min=1)] = 50,
    expert: Annotated[
        str | None, typer.Option(help="Who tries whether it can be done. Default: expert; oracle in BlockEnv.")
    ] = None,
    expert_starts: Annotated[str, typer.Option(help="None it was tuned on.")] = "10..29",
    workers: Annotated[int | None, typer.Option(help="Default: one per core.")] = None,
    seed: Annotated[int, typer.Option(help="Root of every seed.")] = 0,
    folder: Annotated[Path | None, typer.Option("--out", help="Default: runs/certify-<axis>.")] = None,
) -> int:
    """Certify an axis, cell by cell (task, level); the same command again resumes.

    Every start is instantiated and compared with tau_0: only what the axis
    declares may differ, nothing may overlap or be pushed away, the task's objects
    must be in reach and in view. Apart from that, an expert with simulator truth
    tries starts that it was not tuned on.
    """
    # Plugins are about to be imported, and may change the working folder.
    here = Path.cwd()
    chosen = parse_levels(expert_starts, "starts")
    if list(chosen) != list(range(chosen[0], chosen[-1] + 1)) or chosen[0] < 0:
        raise UsageError(
            "starts cannot be read", got=f"--expert-starts {expert_starts}", expected="a range a..b from 0"
        )
    chosen_world, _ = load_axis(world, axis)
    parts = load_parts(world, expert or expert_of(chosen_world), axis)
    plan = make_plan(parts, suite=suite, tasks=tasks, levels=levels, rollouts=len(chosen), first=chosen[0], seed=seed)
    limits = [limit for limit in map(parts.world.starts, plan.tasks) if limit is not None]
    if limits and starts > min(limits):
        raise UsageError(
            f"{world} has {min(limits)} published starts per task", got=f"--starts {starts}", expected=min(limits)
        )
    where = folder or Path("runs") / f"certify-{plan.axis.replace('/', '-')}"
    note(
        f"{plan.axis}: {plan.cells} cells, {starts} starts measured and {plan.rollouts} tried by {plan.policy} in each"
    )
    note(f"Folder: {where}")
    asked = Certification(parts, plan, starts, here / where)
    with SweepProgress(out, plan.levels, len(plan.tasks) * plan.rollouts, []) as progress:
        certificate = certify(asked, worker_count(workers), progress)
    name = write_certificate(asked.folder, certificate).name
    missed = photograph(asked, certificate)
    write_page(asked.folder, certificate)
    out.print(*certificate_table(certificate), sep="\n")
    if missed:
        note(f"No pictures: {missed}")
    note(f"Certificate: {where / name}")
    return 0

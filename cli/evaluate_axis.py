"""``evaluate-axis``: the main job. Sweep a policy along an axis and say where it breaks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import IndgenError
from ..runner.certified import with_certificate
from ..runner.config import Sweeps, folder_in, make_sweeps
from ..runner.folder import RunFolder, default_folder
from ..runner.parts import Parts, load_parts
from ..runner.plan import Plan
from ..runner.planning import make_plan
from .console import fail, run
from .sweeping import show, sweep, tell_left_out, worker_count

app = typer.Typer(add_completion=False, rich_markup_mode="rich")
EXAMPLE = (
    "Example: [bold]evaluate-axis --policy expert --axis pick --tasks milk,butter --levels=-3..3 --rollouts 10[/bold]"
)


@app.command(name="evaluate-axis", epilog=EXAMPLE)
def evaluate_axis(
    policy: Annotated[str | None, typer.Option(help="What acts (indgen policies).")] = None,
    axis: Annotated[str | None, typer.Option(help="What changes (indgen axes).")] = None,
    config: Annotated[Path | None, typer.Option(help="YAML with these options.")] = None,
    world: Annotated[str | None, typer.Option(help="Where. Default: libero.")] = None,
    suite: Annotated[str | None, typer.Option(help="E.g. goal. Default: first.")] = None,
    tasks: Annotated[str | None, typer.Option(help="Short names do. Default: all.")] = None,
    levels: Annotated[str | None, typer.Option(help="-3..3 or 0,2. Default: all.")] = None,
    rollouts: Annotated[int | None, typer.Option(help="Per task, level. Default: 50.")] = None,
    first_start: Annotated[int | None, typer.Option(help="First start. Default: 0.")] = None,
    top_up: Annotated[int | None, typer.Option(help="Rollouts where undecided.")] = None,
    seed: Annotated[int | None, typer.Option(help="Root of seeds. Default: 0.")] = None,
    workers: Annotated[int | None, typer.Option(help="Default: one per core.")] = None,
    out_dir: Annotated[Path | None, typer.Option("--out", help="Folder. Default: runs/<name>.")] = None,
    label: Annotated[str | None, typer.Option(help="Free text that groups runs.")] = None,
    max_steps: Annotated[int | None, typer.Option(help="Default: the world's.")] = None,
    success: Annotated[str | None, typer.Option(help="Default: the published one.")] = None,
    video: Annotated[bool | None, typer.Option("--video/--no-video", help="Film every episode.")] = None,
    certificate: Annotated[Path | None, typer.Option(help="File. Default: the axis' own.")] = None,
    include_uncertified: Annotated[
        bool | None, typer.Option("--include-uncertified", help="Run the uncertified as well.")
    ] = None,
    protocol: Annotated[str | None, typer.Option(help="paper: count as published.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan, run nothing.")] = False,
) -> int:
    """Sweep a policy along an axis and report the first level at which it breaks.

    The same command again resumes: finished episodes are never repeated, errors are tried again.
    """
    given = {
        "policy": policy,
        "axis": axis,
        "world": world,
        "suite": suite,
        "tasks": tasks,
        "levels": levels,
        "rollouts": rollouts,
        "first_start": first_start,
        "top_up": top_up,
        "seed": seed,
        "workers": workers,
        "out": str(out_dir) if out_dir else None,
        "label": label,
        "max_steps": max_steps,
        "success": success,
        "video": video,
        "certificate": str(certificate) if certificate else None,
        "include_uncertified": include_uncertified,
        "protocol": protocol,
    }
    # Plugins are about to be imported, and may change the working folder.
    here = Path.cwd()
    sweeps = make_sweeps(given, config)
    workers_now = worker_count(sweeps.workers)
    # All of them are planned before the first one runs, so that a mistake in the last costs nothing.
    # Two names of one thing are one sweep.
    each = [_planned(sweeps, pair, here) for pair in sweeps.pairs()]
    planned = list({plan.hash: (plan, parts, folder) for plan, parts, folder in each}.values())
    if sweeps.tasks is None:
        for plan, parts, _ in planned:
            tell_left_out(plan, parts)
    if dry_run:
        for plan, parts, folder in planned:
            show(plan, parts, folder, workers_now)
        return 0
    alone = len(planned) == 1
    return max(_run(plan, parts, here, folder, workers_now, alone) for plan, parts, folder in planned)


def _planned(sweeps: Sweeps, pair: tuple[str, str], here: Path) -> tuple[Plan, Parts, Path]:
    parts = load_parts(sweeps.world, *pair)
    plan = make_plan(
        parts,
        suite=sweeps.suite,
        tasks=sweeps.tasks,
        levels=sweeps.levels,
        rollouts=sweeps.rollouts,
        first=sweeps.first_start,
        top_up=sweeps.top_up,
        seed=sweeps.seed,
        max_steps=sweeps.max_steps,
        success=sweeps.success,
        label=sweeps.label,
        video=sweeps.video,
    )
    file = None if sweeps.certificate is None else here / sweeps.certificate
    plan = with_certificate(plan, parts.axis, file, sweeps.includes_uncertified)
    if sweeps.out is None:
        return plan, parts, default_folder(plan)
    alone = len(sweeps.policy) * len(sweeps.axis) == 1
    return plan, parts, Path(sweeps.out) if alone else folder_in(Path(sweeps.out), (plan.policy, plan.axis))


def _run(plan: Plan, parts: Parts, here: Path, folder: Path, workers: int, alone: bool) -> int:
    """One sweep; where there are several, an error of one does not keep the others from running."""
    try:
        return sweep(plan, parts, RunFolder(here / folder, plan, shown=folder), workers)
    except IndgenError as error:
        if alone:
            raise
        fail(str(error))
        return error.exit_code


def main() -> None:
    """Entry point of ``evaluate-axis``."""
    run(app)

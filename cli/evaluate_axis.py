"""``evaluate-axis``: the main job. Sweep a policy along an axis and say where it breaks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from .. import reports
from ..core.errors import IndgenError, UsageError
from ..runner.episodes import Episode, Outcome
from ..runner.folder import RunFolder, default_folder
from ..runner.pictures import take_pictures
from ..runner.plan import Plan
from ..runner.planning import Parts, load_parts, make_plan
from ..runner.sweep import run_sweep
from .console import fail, note, out, run
from .progress import SweepProgress

app = typer.Typer(add_completion=False, rich_markup_mode="rich")
EXAMPLE = (
    "Example: [bold]evaluate-axis --policy expert --axis pick --tasks milk,butter --levels=-3..3 --rollouts 10[/bold]"
)


@app.command(name="evaluate-axis", epilog=EXAMPLE)
def evaluate_axis(
    policy: Annotated[str, typer.Option(help="What acts; see [bold]indgen policies[/bold].", show_default=False)],
    axis: Annotated[str, typer.Option(help="What changes; see [bold]indgen axes[/bold].", show_default=False)],
    world: Annotated[str, typer.Option(help="Where.")] = "libero",
    tasks: Annotated[str | None, typer.Option(help="Names, comma-separated; short ones do. Default: all.")] = None,
    levels: Annotated[str | None, typer.Option(help="E.g. -3..3 or 0,2. Default: all of the axis.")] = None,
    rollouts: Annotated[int, typer.Option(help="Per task and level.")] = 50,
    seed: Annotated[int, typer.Option(help="Root of every seed.")] = 0,
    workers: Annotated[int | None, typer.Option(help="Processes. Default: one per core.")] = None,
    out_dir: Annotated[Path | None, typer.Option("--out", help="Run folder. Default: runs/<name>.")] = None,
    label: Annotated[str | None, typer.Option(help="Free text that groups runs.")] = None,
    max_steps: Annotated[int | None, typer.Option(help="Control steps per episode. Default: the world's.")] = None,
    success: Annotated[str | None, typer.Option(help="Predicate. Default: the published one.")] = None,
    video: Annotated[bool, typer.Option("--video", help="Film every episode.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan and its size, run nothing.")] = False,
) -> int:
    """Sweep a policy along an axis and report the first level at which it breaks.

    The same command again resumes: finished episodes are never repeated, errors are tried again.
    """
    parts = load_parts(world, policy, axis)
    plan = make_plan(
        parts,
        tasks=tasks,
        levels=levels,
        rollouts=rollouts,
        seed=seed,
        max_steps=max_steps,
        success=success,
        label=label,
        video=video,
    )
    folder = out_dir or default_folder(plan)
    count = _workers(workers)
    if dry_run:
        _show(plan, folder, count)
        return 0
    return _evaluate(plan, parts, RunFolder(folder, plan), count)


def _evaluate(plan: Plan, parts: Parts, folder: RunFolder, workers: int) -> int:
    try:
        standing = folder.episodes()
        note(
            f"{plan.policy} on {plan.axis}: {plan.size} episodes, {_finished(standing)} of them there, in {folder.path}"
        )
        with SweepProgress(out, plan.levels, len(plan.tasks) * plan.rollouts, standing) as progress:
            episodes = run_sweep(plan, parts, folder, workers, progress)
        missed = take_pictures(plan, parts, folder)
    finally:
        folder.close()
    report = reports.build(folder.path)
    page = reports.write(folder.path, report)
    out.print(*reports.render(report), sep="\n")
    if missed:
        note(f"No pictures: {missed}")
    note(f"Report: {page}")
    return _verdict(episodes)


def _verdict(episodes: list[Episode]) -> int:
    errors = [episode for episode in episodes if episode.outcome is Outcome.ERROR]
    if not errors:
        return 0
    fail(
        f"{len(errors)} episodes ended in an error, e.g. {errors[0].key}: {errors[0].cause}; "
        "the same command tries them again"
    )
    return IndgenError.exit_code


def _finished(episodes: list[Episode]) -> int:
    return sum(episode.outcome is not Outcome.ERROR for episode in episodes)


def _workers(asked: int | None) -> int:
    if asked is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if asked < 1:
        raise UsageError("a sweep needs workers", got=f"--workers {asked}", expected="1 or more")
    return asked


def _show(plan: Plan, folder: Path, workers: int) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, value in plan.model_dump(mode="json").items():
        shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        table.add_row(name, shown if value is not None else "-")
    out.print(table, highlight=False)
    note(f"{len(plan.tasks)} tasks x {len(plan.levels)} levels x {plan.rollouts} rollouts = {plan.size} episodes")
    note(
        f"at most {plan.size * plan.max_steps} control steps on {workers} workers, "
        f"into {folder} (plan {plan.hash[:12]})"
    )


def main() -> None:
    """Entry point of ``evaluate-axis``."""
    run(app)

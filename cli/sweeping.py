"""What ``evaluate-axis`` does with a plan: show it, or run it and report."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from rich.table import Table

from .. import reports
from ..core.errors import IndgenError, UsageError
from ..runner.certified import made_elsewhere
from ..runner.choosing import tell
from ..runner.episodes import Episode, Outcome
from ..runner.folder import RunFolder
from ..runner.parts import Parts
from ..runner.pictures import take_pictures
from ..runner.plan import Plan
from ..runner.refusals import left_out, suite_of
from ..runner.sweep import run_sweep
from .console import fail, note, out
from .progress import SweepProgress


def sweep(plan: Plan, parts: Parts, folder: RunFolder, workers: int) -> int:
    """Run a plan in its folder with progress, report it, and return the exit code."""
    try:
        standing = folder.episodes()
        there = _finished(standing)
        note(f"{plan.policy} on {plan.axis}: {plan.size} episodes{f', {there} of them done already' if there else ''}")
        for line in _certified(plan):
            note(line)
        note(f"Run folder: {folder.shown}")
        if folder.ledger.torn is not None:
            note(f"The last line of the ledger was torn by a crash; it is kept as {folder.ledger.torn.name}")
        with SweepProgress(out, plan.levels, len(plan.tasks) * plan.rollouts, standing) as progress:
            frontier = partial(reports.undecided_frontier, plan)
            episodes = run_sweep(plan, parts, folder, workers, progress, frontier)
        missed = take_pictures(plan, parts, folder)
    finally:
        folder.close()
    run = reports.read_run(folder.path)
    report = reports.build(run)
    page = reports.write(run, report)
    out.print(*reports.render(report), sep="\n")
    for line in made_elsewhere(parts.axis, run.manifest.get("world", {})) if plan.certificate else ():
        note(f"Warning: {line}; `indgen certify` makes one here")
    if missed:
        note(f"No pictures: {missed}")
    note(f"Report: {folder.shown / page.relative_to(folder.path)}")
    return _verdict(episodes)


def _certified(plan: Plan) -> list[str]:
    """What the axis' certificate leaves out, or that there is none."""
    if plan.certificate is None:
        return [f"{plan.axis} has no certificate: every cell is run"]
    if not plan.uncertified:
        return []
    cells = ", ".join(f"{task} at {level:+d}" for task, level in plan.uncertified[:6])
    more = f" and {len(plan.uncertified) - 6} more" if len(plan.uncertified) > 6 else ""
    what = "Uncertified, run and counted apart" if plan.include_uncertified else "Left out, not certified"
    return [f"{what}: {cells}{more}; `indgen axes {plan.axis}` says why"]


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


def worker_count(asked: int | None) -> int:
    """How many workers: what was asked for, else one per core.

    Raises:
        UsageError: below 1.
    """
    if asked is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if asked < 1:
        raise UsageError("a sweep needs workers", got=f"--workers {asked}", expected="1 or more")
    return asked


def tell_left_out(plan: Plan, parts: Parts) -> None:
    """Say which tasks of the suite the plan leaves out, and why."""
    refused = left_out(parts, plan)
    if refused:
        note(f"Left out of {suite_of(parts, plan)} for {plan.axis}: {tell(refused)}")


def show(plan: Plan, parts: Parts, folder: Path, workers: int) -> None:
    """Print a plan and its size."""
    table = Table(box=None, show_header=False, pad_edge=False)
    if suite := suite_of(parts, plan):
        table.add_row("suite", suite)
    for name, value in plan.model_dump(mode="json").items():
        shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        table.add_row(name, shown if value is not None else "-")
    out.print(table, highlight=False)
    later = f", up to {plan.largest} if every level is topped up" if plan.top_up else ""
    note(
        f"{plan.cells} cells of {len(plan.tasks)} tasks x {len(plan.levels)} levels, {plan.rollouts} rollouts each = "
        f"{plan.size} episodes{later}"
    )
    note(
        f"at most {plan.largest * plan.max_steps} control steps on {workers} workers, "
        f"into {folder} (plan {plan.hash[:12]})"
    )

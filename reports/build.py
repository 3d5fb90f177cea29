"""Building a report from a run folder, and writing it there."""

from __future__ import annotations

import csv
import os
from io import StringIO
from pathlib import Path

from ..core.errors import RunFolderError
from ..runner.episodes import FIELDS, Outcome
from .breaks import THRESHOLD, break_levels
from .figures import success_curve
from .folder import RunFolder, read_run
from .model import Report
from .page import render_page
from .tally import CONFIDENCE, tally


def build(run: Path) -> Report:
    """Everything that can be computed from a run folder, at any time, without a simulator.

    The same folder gives an equal report, byte for byte once written. A run that is not finished gives a
    report that says so.

    Raises:
        RunFolderError: if ``run`` is no run folder, or its plan or manifest cannot be read.
        LedgerError: if its events are broken elsewhere than in the last line.
    """
    return _report(read_run(run))


def write(run: Path, report: Report) -> Path:
    """Write ``report/`` in a run folder: JSON, CSV, figure and page, each replaced whole or not at all.

    Args:
        run: the run folder that ``report`` was built from.
        report: what :func:`build` returned.

    Returns:
        Path of ``report/report.html``.

    Raises:
        RunFolderError: if the folder is another run's, or cannot be written.
        LedgerError: as :func:`build`.
    """
    folder = read_run(run)
    if folder.plan.hash != report.plan_hash:
        raise RunFolderError(
            "this report is of another run",
            got=f"plan {report.plan_hash[:12]}",
            expected=f"{folder.plan.hash[:12]} in {run}",
        )
    page = run / "report" / "report.html"
    files = {
        "report.json": (report.model_dump_json(indent=2) + "\n").encode(),
        "episodes.csv": _csv(folder, report).encode(),
        "success.png": success_curve(report, "png"),
        "success.svg": success_curve(report, "svg"),
        page.name: render_page(report, success_curve(report, "svg", frameless=True), folder.pictures()).encode(),
    }
    try:
        page.parent.mkdir(exist_ok=True)
        for name, content in files.items():
            _replace(page.parent / name, content)
    except OSError as cause:
        raise RunFolderError(
            f"{page.parent} cannot be written", got=cause.strerror, hint="make the run folder writable, or copy it"
        ) from cause
    return page


def _report(folder: RunFolder) -> Report:
    plan = folder.plan
    counted = tally(plan, folder.episodes.values(), folder.policy_card.trained_levels)
    return Report(
        policy=plan.policy,
        axis=plan.axis,
        world=plan.world,
        label=plan.label,
        plan_hash=plan.hash,
        complete=counted.pending == 0,
        threshold=THRESHOLD,
        confidence=CONFIDENCE,
        break_levels=break_levels(counted.levels),
        levels=counted.levels,
        tasks=counted.tasks,
        invalid_starts=counted.invalid_starts,
        invalid_cells=counted.invalid_cells,
        error_causes=counted.error_causes,
        privileged=folder.policy_spec.privileged,
        support=folder.policy_spec.support,
        rollouts=plan.rollouts,
        seed=plan.seed,
        success=plan.success,
        max_steps=plan.max_steps,
        execute=plan.execute,
        axis_card=folder.axis_card,
        policy_card=folder.policy_card,
        manifest=dict(folder.manifest),
    )


def _csv(folder: RunFolder, report: Report) -> str:
    """Every episode that stands, and whether it is one of the n."""
    dropped = {(start.task, start.rollout) for start in report.invalid_starts}
    stream = StringIO()
    writer = csv.DictWriter(stream, [*FIELDS, "counted"], lineterminator="\n")
    writer.writeheader()
    for episode in folder.episodes.values():
        judged = episode.outcome in (Outcome.SUCCESS, Outcome.FAILURE)
        counted = judged and (episode.task, episode.rollout) not in dropped
        writer.writerow({**episode.to_data(), "counted": int(counted)})
    return stream.getvalue()


def _replace(path: Path, content: bytes) -> None:
    """Readers see the old file or the new one, never half of it."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        fresh.write_bytes(content)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)

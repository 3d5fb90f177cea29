"""Building a report from a run folder, and writing it there."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable
from io import BytesIO, TextIOWrapper
from operator import attrgetter
from pathlib import Path

from ..core.errors import RunFolderError, UsageError
from ..runner.episodes import FIELDS, Episode, Outcome
from ..runner.plan import Plan
from .breaks import break_levels, decidable, level_counts, outward
from .figures import success_curve
from .folder import RunFolder, read_run
from .following import Shifts, find_shifts, following
from .following_figure import following_figure
from .model import InvalidStart, Report, UncertifiedCell
from .page import render_page
from .published import as_published
from .secondary import secondary
from .stats import CONFIDENCE, SMALLEST, THRESHOLD, frontier
from .tally import tally


def build(run: Path | RunFolder, *, confidence: float = CONFIDENCE, threshold: float = THRESHOLD) -> Report:
    """Everything that can be computed from a run folder, at any time, without a simulator.

    The same folder gives an equal report, byte for byte once written. A run that is not finished gives a
    report that says so.

    Args:
        run: the run folder, or what :func:`~indgen.reports.read_run` read of it (a large one is read once then).
        confidence: of the intervals and of each direction's set, strictly between 0 and 1.
        threshold: a level breaks the policy when its success rate is below this, strictly between 0 and 1.

    Raises:
        UsageError: if confidence or threshold is out of range.
        RunFolderError: if ``run`` is no run folder, or its plan or manifest cannot be read.
        LedgerError: if its events are broken elsewhere than in the last line.
    """
    for name, value in (("confidence", confidence), ("threshold", threshold)):
        if not SMALLEST <= value <= 1 - SMALLEST:
            raise UsageError(f"{name} is a probability", got=value, expected="strictly between 0 and 1")
    return _report(_opened(run), confidence, threshold)


def write(run: Path | RunFolder, report: Report) -> Path:
    """Write ``report/`` in a run folder: JSON, CSV, figure and page, each replaced whole or not at all.

    Args:
        run: what ``report`` was built from.
        report: what :func:`build` returned.

    Returns:
        Path of ``report/report.html``.

    Raises:
        RunFolderError: if the folder is another run's, or cannot be written.
        LedgerError: as :func:`build`.
    """
    folder = _opened(run)
    if folder.plan.hash != report.plan_hash:
        raise RunFolderError(
            "this report is of another run",
            got=f"plan {report.plan_hash[:12]}",
            expected=f"{folder.plan.hash[:12]} in {folder.path}",
        )
    page = folder.path / "report" / "report.html"
    shifts = _shifts(folder, report.invalid_starts) if report.following else None
    files = {
        "report.json": (report.model_dump_json(indent=2) + "\n").encode(),
        "episodes.csv": _csv(folder, report),
        "success.png": success_curve(report, "png"),
        "success.svg": success_curve(report, "svg"),
        **_following_files(report, shifts),
        page.name: render_page(
            report,
            success_curve(report, "svg", frameless=True),
            folder.pictures(),
            folder.caption(),
            shifts and following_figure(report, shifts, "svg", frameless=True),
        ).encode(),
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


def _shifts(folder: RunFolder, invalid: Iterable[InvalidStart]) -> Shifts | None:
    dropped = {(start.task, start.rollout) for start in invalid}
    return find_shifts(folder.plan, folder.axis_card, folder.episodes.values(), dropped)


def _following_files(report: Report, shifts: Shifts | None) -> dict[str, bytes]:
    if shifts is None:
        return {}
    drawn = {f"following.{kind}": following_figure(report, shifts, kind) for kind in ("png", "svg")}
    return {name: content for name, content in drawn.items() if content is not None}


def undecided_frontier(
    plan: Plan, episodes: Iterable[Episode], *, confidence: float = CONFIDENCE, threshold: float = THRESHOLD
) -> tuple[int, ...]:
    """The levels to top up next, of a plan with a second stage: undecided, and deciding the set of a direction.

    Args:
        plan: with ``top_up``.
        episodes: what stands so far; a level with any beyond the first ``plan.rollouts`` was topped up already.
        confidence: of each direction's set.
        threshold: success rate below which a level breaks.

    Returns:
        Ascending; empty where more rollouts could change nothing.

    Raises:
        RunFolderError: if an episode is not one of the plan's.
    """
    known = list(episodes)
    topped = {episode.level for episode in known if episode.rollout >= plan.first + plan.rollouts}
    counted = tally(plan, known, topped=topped)
    counts = level_counts(counted.levels, counted.first_looks)
    paths = ([counts[result.level] for result in path] for path in outward(counted.levels).values())
    return tuple(sorted({level for path in paths for level in frontier(path, threshold, 1 - confidence, stages=2)}))


def _opened(run: Path | RunFolder) -> RunFolder:
    return run if isinstance(run, RunFolder) else read_run(run)


def _report(folder: RunFolder, confidence: float, threshold: float) -> Report:
    plan = folder.plan
    trained, noisy = folder.policy_card.trained_levels, folder.policy_spec.stochastic
    counted = tally(plan, folder.episodes.values(), trained, topped=folder.topped, confidence=confidence)
    looks = counted.first_looks
    published = as_published(plan, folder.episodes.values(), folder.topped, threshold, confidence)
    shifts = _shifts(folder, counted.invalid_starts)
    return Report(
        policy=plan.policy,
        axis=plan.axis,
        world=plan.world,
        label=plan.label,
        plan_hash=plan.hash,
        complete=counted.pending == 0 and (published is None or all(level.pending == 0 for level in published.levels)),
        threshold=threshold,
        confidence=confidence,
        break_levels=break_levels(counted.levels, threshold, confidence, first_looks=looks),
        levels=counted.levels,
        tasks=counted.tasks,
        invalid_starts=counted.invalid_starts,
        invalid_cells=counted.invalid_cells,
        uncertified=tuple(UncertifiedCell(task=task, level=level) for task, level in plan.uncertified),
        certificate=plan.certificate,
        published=published,
        decidable=decidable(counted.levels, threshold, confidence, first_looks=looks),
        near_replicates=() if noisy else counted.near_replicates,
        secondary=secondary(counted.levels, counted.outcomes, folder.axis_card, threshold, confidence),
        following=following(plan, folder.axis_card, shifts, confidence),
        error_causes=counted.error_causes,
        privileged=folder.policy_spec.privileged,
        support=folder.policy_spec.support,
        rollouts=plan.rollouts,
        top_up=plan.top_up,
        topped=folder.topped,
        seed=plan.seed,
        success=plan.success,
        max_steps=plan.max_steps,
        execute=plan.execute,
        axis_card=folder.axis_card,
        policy_card=folder.policy_card,
        manifest=dict(folder.manifest),
    )


def _csv(folder: RunFolder, report: Report) -> bytes:
    """Every episode that stands, and whether it is one of the n."""
    dropped = {(start.task, start.rollout) for start in report.invalid_starts}
    left_out = {(cell.task, cell.level) for cell in report.uncertified}
    judged = (Outcome.SUCCESS, Outcome.FAILURE)
    plain = [name for name in FIELDS if name != "acts"]
    values = attrgetter(*plain)
    content = BytesIO()
    stream = TextIOWrapper(content, encoding="utf-8", errors="backslashreplace", newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*plain, "acts", "counted"])
    writer.writerows(
        (
            *values(episode),
            json.dumps(episode.to_data()["acts"]) if episode.acts else None,
            int(
                episode.outcome in judged
                and (episode.task, episode.rollout) not in dropped
                and (episode.task, episode.level) not in left_out
            ),
        )
        for episode in folder.episodes.values()
    )
    stream.detach()
    return content.getvalue()


def _replace(path: Path, content: bytes) -> None:
    """Readers see the old file or the new one, never half of it."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        fresh.write_bytes(content)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)

"""A certificate as people read it: one row a task, one column a level, then every exclusion with its reason."""

from __future__ import annotations

from pathlib import Path

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ..axes.certificates import Cell, Certificate
from ..runner.files import write_atomically
from .words import short_names, signed

NAME = "certificate.json"
READABLE = "certificate.md"
PICTURES = "pictures"


def write_certificate(folder: Path, certificate: Certificate) -> Path:
    """Write a certificate as JSON; returns its path."""
    path = folder / NAME
    write_atomically(path, certificate.model_dump_json(indent=1) + "\n")
    return path


def write_page(folder: Path, certificate: Certificate) -> None:
    """Write a certificate as a table, with the pictures that lie in the folder."""
    pictures = PICTURES if (folder / PICTURES).is_dir() else None
    write_atomically(folder / READABLE, markdown(certificate, pictures))


def certificate_table(certificate: Certificate) -> list[RenderableType]:
    """What a terminal shows: the table of cells, how to read it, and the exclusions."""
    return [
        Text(f"{certificate.axis}: {_count(certificate)}", style="bold"),
        _cells(certificate),
        Text(_legend(certificate), style="dim"),
        *(Text(line, style="yellow") for line in exclusions(certificate)),
    ]


def _cells(certificate: Certificate) -> Table:
    """Tasks down and levels across, or the other way round where there are more levels than tasks."""
    tasks, levels = _tasks(certificate), _levels(certificate)
    marks = {
        (short, signed(level)): _mark(certificate.cell(task, level), short=True)
        for task, short in tasks.items()
        for level in levels
    }
    rows, columns = list(tasks.values()), [signed(level) for level in levels]
    turned = len(columns) > len(rows)
    if turned:
        rows, columns = columns, rows
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1))
    table.add_column("level" if turned else "task", no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(row, *(marks[(column, row) if turned else (row, column)] for column in columns))
    return table


def exclusions(certificate: Certificate) -> list[str]:
    """Every cell that is not certified, and why."""
    short = _tasks(certificate)
    return [
        f"{short[cell.task]} at {signed(cell.level)}: {'; '.join(cell.reasons)}"
        for cell in certificate.cells
        if not cell.certified
    ]


def markdown(certificate: Certificate, pictures: str | None = None) -> str:
    """The same for a web page.

    Args:
        certificate: the certificate.
        pictures: folder, relative to the page, of ``<task>_<level>.png`` of every exclusion; None for none.
    """
    tasks, levels = _tasks(certificate), _levels(certificate)
    rows = [
        f"# Certificate of `{certificate.axis}`",
        "",
        f"{_count(certificate)} {_legend(certificate)}",
        "",
        "| task | " + " | ".join(map(signed, levels)) + " |",
        "|---|" + "---:|" * len(levels),
        *(
            f"| {short} | " + " | ".join(_mark(certificate.cell(task, level)) for level in levels) + " |"
            for task, short in tasks.items()
        ),
        "",
        "## Measured",
        "",
        "Least over all sound starts: how far from tau_0's nearest start, how much farther the arm would reach, and "
        "how much of the task's objects is in the picture.",
        "",
        "| level | distance | reach left | in view | what differs from tau_0 |",
        "|---:|---:|---:|---:|---|",
        *(_measured(certificate, level) for level in levels),
        "",
        "## Not certified",
        "",
        *(_exclusion(cell, tasks[cell.task], pictures) for cell in certificate.cells if not cell.certified),
        "" if exclusions(certificate) else "Nothing: every cell is certified.\n",
        "## Made with",
        "",
        *(f"- {name} {version}" for name, version in certificate.manifest.get("packages", {}).items()),
        *(f"- {name} {certificate.manifest[name]}" for name in ("assets", "rules") if name in certificate.manifest),
        f"- digest of this certificate {certificate.digest}",
        "",
    ]
    return "\n".join(rows)


def _exclusion(cell: Cell, short: str, pictures: str | None) -> str:
    line = f"- {short} at {signed(cell.level)}: {'; '.join(cell.reasons)}"
    return line + (
        f"\n\n  ![{short} at {signed(cell.level)}]({pictures}/{cell.task}_{cell.level}.png)\n" if pictures else ""
    )


def _measured(certificate: Certificate, level: int) -> str:
    cells = [cell.geometry for cell in certificate.cells if cell.level == level]
    distances = [cell.distance for cell in cells if cell.distance is not None]
    reaches = [cell.reach for cell in cells if cell.reach is not None]
    seen = [share for cell in cells for share in cell.seen.values()]
    kinds = sorted({change.split(" of ")[0] for cell in cells for change in cell.changed})
    return (
        f"| {signed(level)} | {f'{min(distances):.3g} {certificate.unit}' if distances else '-'} | "
        f"{f'{100 * min(reaches):.1f} cm' if reaches else '-'} | {f'{min(seen):.0%}' if seen else '-'} | "
        f"{', '.join(kinds) or 'nothing'} |"
    )


def _tasks(certificate: Certificate) -> dict[str, str]:
    return short_names(tuple(dict.fromkeys(cell.task for cell in certificate.cells)))


def _levels(certificate: Certificate) -> list[int]:
    return sorted({cell.level for cell in certificate.cells})


def _mark(cell: Cell | None, short: bool = False) -> str:
    """The two verdicts apart: sound starts, then the expert's successes; ``short`` leaves out of how many."""
    if cell is None:
        return "-"
    starts, expert = cell.geometry.starts, cell.expert
    sound = f"{starts - len(cell.geometry.broken)}" + ("" if short else f"/{starts}")
    done = "-" if expert is None else f"{expert.successes}" + ("" if short else f"/{expert.n}")
    return f"{sound}{'' if cell.geometry.holds else '!'} {done}{'' if expert is None or expert.holds else '!'}"


def _count(certificate: Certificate) -> str:
    good = sum(cell.certified for cell in certificate.cells)
    return f"{good} of {len(certificate.cells)} cells certified."


def _legend(certificate: Certificate) -> str:
    first, last = certificate.expert_starts
    return (
        f"Each cell: sound starts of those measured, then successes of `{certificate.expert}` on the sound ones of "
        f"starts {first} to {last}; ! marks a verdict that does not hold."
    )

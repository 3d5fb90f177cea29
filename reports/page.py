"""The page of a report: one self-contained HTML file, without scripts or requests."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from . import claims, following_words, words
from .model import Counts, Report
from .style import PALETTE

_MINUS = re.compile(r"(?<![\w.=-])-(?=\d)")


@dataclass(frozen=True)
class _Cell:
    """One cell of the heat table: counts in words, and what is outside n."""

    text: str
    rate: float | None
    flags: tuple[str, ...]
    broken: bool


def render_page(
    report: Report, svg: bytes, pictures: Mapping[int, bytes], caption: str = "", following: bytes | None = None
) -> str:
    """The HTML text of a report.

    Args:
        report: any report.
        svg: its success curve as :func:`~indgen.reports.figures.success_curve` draws it, without background.
        pictures: PNG files by level; may be empty.
        caption: what they show.
        following: the figure of its following ratio, likewise; None where there is none to draw.

    Returns:
        HTML that asks for nothing outside itself; text from the run is escaped.
    """
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["typeset"] = _typeset
    return environment.get_template("page.html.j2").render(
        report=report,
        words=words,
        claims=claims,
        following_words=following_words,
        figure=_inline(svg, "curve"),
        following_figure=_inline(following, "following") if following else None,
        pictures={level: b64encode(png).decode("ascii") for level, png in pictures.items()},
        caption=caption,
        heat=_heat(report),
        details=list(_flat(report.manifest)),
        short=words.short_names([result.task for result in report.tasks]),
    )


def _typeset(text: str) -> str:
    """Our own sentences, with a minus sign before negative numbers."""
    return _MINUS.sub("−", text)


def _inline(svg: bytes, label: str) -> Markup:
    """The drawing as an HTML element whose colours follow the page's light or dark mode.

    The groups' ids are dropped: nothing refers to them, and two drawings would share them.
    """
    text = svg.decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'\sxmlns(:xlink)?="[^"]*"', "", text)
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    opening = rf'<svg \1 role="img" aria-labelledby="{label}">'
    text = re.sub(r'<svg [^>]*?(viewBox="[^"]*")[^>]*>', opening, text, count=1)
    for role, colour in PALETTE.items():
        text = text.replace(colour, f"var(--{role})")
    return Markup(text)


def _heat(report: Report) -> list[tuple[str, list[_Cell]]]:
    broken = {(cell.task, cell.level) for cell in report.invalid_cells}
    return [
        (result.task, [_cell(counts, (result.task, counts.level) in broken) for counts in result.levels])
        for result in report.tasks
    ]


def _cell(counts: Counts, broken: bool) -> _Cell:
    outside = (
        (counts.invalid, "invalid"),
        (counts.dropped, "dropped"),
        (counts.errors, "error"),
        (counts.pending, "to run"),
    )
    return _Cell(
        text=f"{counts.successes}/{counts.n}" if counts.n else "–",
        rate=counts.rate,
        flags=tuple(
            f"{count} {name}{'s' if name == 'error' and count > 1 else ''}" for count, name in outside if count
        ),
        broken=broken,
    )


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Nested objects as dotted names with plain values."""
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from _flat(item, f"{name}.{key}" if name else str(key))
    else:
        yield name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

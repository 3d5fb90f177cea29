from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from indgen.reports import build, write
from indgen.reports.style import PALETTE

EVIL = "<script>alert(1)</script>"
PNG = b"\x89PNG\r\n\x1a\nnot really"
VOID = {"meta", "img", "br", "link", "hr", "input"}


class _Page(HTMLParser):
    """Tags and attributes met, and whether every element is closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture
def run(tmp_path: Path, new_plan: Any, new_episode: Any, new_run: Any) -> Path:
    plan = new_plan(tasks=(f"open_{EVIL}", "open_door"), label=EVIL)
    outcomes = ("success", "failure", "error", "invalid")
    episodes = [
        new_episode(key.task, key.rollout, key.level, outcomes[(key.rollout + key.level) % 4], cause=f"{EVIL} $x_1$")
        for key in list(plan.episode_keys())
    ]
    return new_run(tmp_path / "run", plan, episodes, repository="https://example.org/<b>", note=EVIL)


def test_text_from_the_run_is_escaped(run: Path) -> None:
    text = write(run, build(run)).read_text()
    page = _Page(text)
    assert not page.open
    assert "script" not in page.tags
    assert "b" not in page.tags
    assert text.count("&lt;script&gt;") >= 4


def test_the_page_asks_for_nothing_outside_itself(run: Path) -> None:
    (run / "pictures").mkdir()
    (run / "pictures" / "level_0.png").write_bytes(PNG)
    text = write(run, build(run)).read_text()
    page = _Page(text)
    assert not {"link", "script", "iframe", "object", "embed", "base"} & set(page.tags)
    assert not [pair for pair in page.attributes if re.search(r"https?:|^//", pair[1])]
    links = [value for name, value in page.attributes if name in ("src", "href", "xlink:href", "srcset", "data")]
    assert links and all(value.startswith(("data:image/png;base64,", "#")) for value in links)
    assert not re.search(r"@import|url\((?!#)", text)


def test_pictures_are_embedded_by_level_or_their_absence_said(run: Path) -> None:
    assert "No pictures" in write(run, build(run)).read_text()
    (run / "pictures").mkdir()
    for level in (-1, 1, 9):
        (run / "pictures" / f"level_{level}.png").write_bytes(PNG)
    text = write(run, build(run)).read_text()
    assert re.findall(r'alt="the scene at level ([^"]*)"', text) == ["-1", "+1"]
    assert "No pictures" not in text


def test_invalid_and_error_cells_are_marked_in_words(run: Path) -> None:
    report = build(run)
    text = write(run, report).read_text()
    heat = text[text.index('class="heat"') : text.index("</table>", text.index('class="heat"'))]
    cells = [counts for task in report.tasks for counts in task.levels]
    assert len(re.findall(r"\d+ invalid", heat)) == sum(cell.invalid > 0 for cell in cells) > 0
    assert len(re.findall(r"\d+ errors?", heat)) == sum(cell.errors > 0 for cell in cells) > 0
    assert heat.count('class="broken"') == len(report.invalid_cells)


def test_the_curve_follows_the_pages_colours(run: Path) -> None:
    text = write(run, build(run)).read_text()
    drawing = text[text.index("<svg") : text.index("</svg>")]
    assert "var(--accent)" in drawing and "var(--ink)" in drawing
    assert not [colour for colour in PALETTE.values() if colour in drawing]
    assert set(re.findall(r"#[0-9a-f]{6}", drawing)) == set()
    for role in PALETTE:
        assert f"--{role}:" in text


def test_says_sets_and_keeps_secondary_views_apart(run: Path) -> None:
    report = build(run)
    text = write(run, report).read_text()
    claim, secondary = text.split("<h2>Secondary views</h2>")
    assert claim.count("95% set {") == len(report.break_levels) == 2
    assert "None of this is a claim" in secondary
    for word in ("Isotonic", "Posterior", "logit", "Area under"):
        assert word in secondary
        assert word not in claim


def test_stages_are_shown_where_the_world_knows_them(
    run: Path, tmp_path: Path, new_plan: Any, new_episode: Any, new_run: Any
) -> None:
    assert "How far the episodes got" not in write(run, build(run)).read_text()
    plan = new_plan()
    episodes = [new_episode(k.task, k.rollout, k.level, stage="over goal") for k in list(plan.episode_keys())]
    other = new_run(tmp_path / "other", plan, episodes)
    assert "<th>over goal</th>" in write(other, build(other)).read_text()

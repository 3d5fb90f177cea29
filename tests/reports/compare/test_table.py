"""What a terminal shows."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from indgen.reports.compare import Comparison, compare, render, words

from .conftest import Spell


def shown(comparison: Comparison) -> list[str]:
    console = Console(width=80, record=True, file=StringIO())
    for part in render(comparison):
        console.print(part)
    return [line.rstrip() for line in console.export_text().splitlines()]


def test_rows_say_counts_test_and_verdicts(run: Spell) -> None:
    a = run("a", {0: "S" * 40, 1: "S" * 40}, label="[red]h-only[/red]")
    b = run("b", {0: "S" * 40, 1: "F" * 40}, label="h+mg")
    lines = shown(compare([a, b]))
    text = " ".join(" ".join(lines).split())
    rows = [line.split() for line in lines]
    assert ["0", "40", "100", "100", "0", "-9..+9", "0", "0", "1.000", "1.000"] in rows
    assert ["+1", "40", "100", "0", "+100", "+82..+100", "40", "0", "<.001", "<.001*"] in rows
    assert "[red]h-only[/red]" in text
    assert "Starts are shared (40 shared of 40 and 40): exact McNemar test, Tango's interval." in text
    assert "direction +: A breaks later than B; A in {not reached}, B in {+1}; error at most 5%" in text
    assert "A succeeds more than B; +50.0 points over 40 starts, exact sign flips, p <.001" in text


def test_unshared_starts_and_force_are_said(run: Spell) -> None:
    a = run("a", {0: "SSFF", 1: "FFFF"})
    b = run("b", {0: "SSFF", 1: "EEEE"}, seed=70, success="strict")
    lines = shown(compare([a, b], force=True))
    text = " ".join(" ".join(lines).split())
    assert "FORCED: these runs differ in what matters success: in_basket (A), strict (B)" in text
    assert "Starts are NOT shared (0 shared of 4 and 4): Barnard's exact test, Newcombe's interval." in text
    assert ["+1", "0,", "0", "-", "-", "-", "-", "-", "-"] in [line.split() for line in lines]


def test_large_counts_long_names_and_letters_fit_80_columns(run: Spell) -> None:
    outcomes = dict.fromkeys(range(-3, 4), "SF" * 100)
    name = "a-very-long-label-that-nobody-would-want-to-read-in-a-table"
    runs = [run(f"{name}-{n}", outcomes, label=f"{name}-{n}", seed=1000 * (n == 2)) for n in range(3)]
    lines = shown(compare(runs))
    assert max(map(len, lines)) <= 80
    assert any(line.split()[:2] == ["a", "A"] for line in lines)
    for level in ("-3", "+3"):
        assert any(line.split()[:1] == [level] and line.endswith("1.000") for line in lines)


def test_attribution_and_groups_fit_80_columns(run: Spell) -> None:
    rows = {0: "S" * 8, 1: "SSSSFFFF"}
    runs = [
        run(f"{axis}{label}", rows, axis=f"libero/{axis}-v1", label=label)
        for axis in ("pick", "distractors", "pick+distractors")
        for label in ("h", "m")
    ]
    lines = shown(compare(runs, by="label"))
    assert max(map(len, lines)) <= 80
    text = "\n".join(lines)
    assert "Groups on libero/pick-v1" in text
    assert text.count("Attribution of libero/pick+distractors-v1") == 2
    assert ["+1", "50", "50", "50", "0", "-32..+32", "1.000", "0", "-32..+32", "1.000"] in [x.split() for x in lines]


@pytest.mark.parametrize(
    ("p", "said"), [(None, "-"), (0.0004, "<.001"), (0.0006, "0.001"), (0.04999, "0.050"), (1.0, "1.000")]
)
def test_p_values(p: float | None, said: str) -> None:
    assert words.p_value(p) == said


@pytest.mark.parametrize(("value", "said"), [(None, "-"), (0.001, "0"), (-0.001, "0"), (-0.1, "-10"), (1.0, "+100")])
def test_points(value: float | None, said: str) -> None:
    assert words.points(value) == said

"""Table 1 of the paper beside what was measured: means over seeds, and every trained network by itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .model import Report

PAPER: Mapping[str, tuple[tuple[float, ...], str]] = {
    "maml": ((100, 100, 100, 0), "L3"),
    "rnn": ((96, 90, 94, 0), "L3"),
    "transformer": ((97, 79, 93, 4), "L3"),
    "rope": ((97, 88, 90, 1), "L3"),
    "goal_action": ((96, 81, 88, 0), "L3"),
    "trm": ((100, 100, 92, 0), "L3"),
    "ind": ((100, 100, 100, 86), "L5"),
    "oracle": ((100, 100, 100, 100), "never"),
}
"""Policy id to the paper's success in % at L0 to L3, and its break level."""
NAMES: Mapping[str, str] = {
    "maml": "MAML",
    "rnn": "RNN",
    "transformer": "Transformer",
    "rope": "Transformer + RoPE",
    "goal_action": "Transformer + Goal/Action",
    "trm": "TRM",
    "ind": "Ind (gate 10)",
    "oracle": "Oracle",
    "ind_gate3": "Ind, gate 3",
    "ind_gate1": "Ind, gate 1",
    "ind_gate0": "Ind, gate 0 (mask alone)",
    "ind_three_planes": "Ind, third plane for empty cells",
    "maml_seen": "MAML, support at L0-L2 alone",
    "rope_joint": "RoPE + joint head, no legality",
    "local": "3 x 3 windows (`local`)",
}
"""Policy id to a row's name, in the order of rows; those the paper lacks after its own."""


@dataclass(frozen=True)
class Run:
    """One sweep: a policy's id, the seed it was trained with (None for the oracle), and its report."""

    id: str
    seed: int | None
    report: Report


def by_policy(runs: Iterable[Run]) -> dict[str, list[Run]]:
    """Runs by policy id, in the order of rows, seeds ascending."""
    grouped: dict[str, list[Run]] = {}
    for run in sorted(runs, key=lambda run: -1 if run.seed is None else run.seed):
        grouped.setdefault(run.id, []).append(run)
    return {id: grouped[id] for id in NAMES if id in grouped}


def comparison(runs: Iterable[Run]) -> list[str]:
    """The table in Markdown: mean success over seeds with the lowest and highest seed's, beside the paper's."""
    grouped = by_policy(runs)
    levels = [result.level for result in next(iter(grouped.values()))[0].report.levels]
    lines = [
        _row(["method", "seeds", *(f"L{level}" for level in levels), "breaks at", "paper L0 / L1 / L2 / L3", "paper"]),
        _row(["---", "--:", *("--:" for _ in levels), "---", "---", "---"]),
    ]
    for id, found in grouped.items():
        told = PAPER.get(id)
        paper = ("-", "-") if told is None else (" / ".join(f"{value:g}" for value in told[0]), told[1])
        cells = [_spread([run.report for run in found], number) for number in range(len(levels))]
        breaks = ", ".join(break_of(run.report) for run in found)
        lines.append(_row([NAMES[id], str(len(found)), *cells, breaks, *paper]))
    return lines


def each_seed(runs: Iterable[Run]) -> list[str]:
    """Every network in Markdown: success with its 95 % interval, its break level and the 95 % set of the true one."""
    grouped = by_policy(runs)
    levels = [result.level for result in next(iter(grouped.values()))[0].report.levels]
    lines = [
        _row(["method", "seed", *(f"L{level}" for level in levels), "breaks at", "95 % set"]),
        _row(["---", "--:", *("--:" for _ in levels), "---", "---"]),
    ]
    for id, found in grouped.items():
        for run in found:
            cells = [_with_interval(run.report, number) for number in range(len(levels))]
            (broken,) = run.report.break_levels
            held = "{" + ", ".join(_level(level) for level in broken.set) + "}"
            lines.append(_row([NAMES[id], _seed(run), *cells, break_of(run.report), held]))
    return lines


def break_of(report: Report) -> str:
    """The break level, or "never" up to the deepest level swept."""
    return _level(report.break_levels[0].level)


def _level(level: int | None) -> str:
    return "never" if level is None else f"L{level}"


def _seed(run: Run) -> str:
    return "-" if run.seed is None else str(run.seed)


def _spread(reports: Sequence[Report], number: int) -> str:
    rates = [report.levels[number].rate for report in reports]
    known = [100 * rate for rate in rates if rate is not None]
    if not known:
        return "-"
    low, high = round(min(known)), round(max(known))
    return f"{np.mean(known):.1f}" + (f" ({low}-{high})" if low != high else "")


def _with_interval(report: Report, number: int) -> str:
    result = report.levels[number]
    if result.rate is None or result.ci is None:
        return "-"
    low, high = result.ci
    return f"{100 * result.rate:.1f} ({100 * low:.0f}-{100 * high:.0f})"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"

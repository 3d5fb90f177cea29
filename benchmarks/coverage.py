"""Simulated coverage of the break level's confidence set, with starts shared between the levels.

``python benchmarks/coverage.py [REPETITIONS]``; prints the tables of docs/statistics.md, and exits with 1 if a
coverage is below 95 % by more than three standard errors. The seed is fixed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import numpy as np
from scipy.special import ndtr

from indgen.reports.stats import LevelCounts, confidence_set, frontier

THRESHOLD, ALPHA = 0.2, 0.05
CORRELATION = 0.6
CURVES = {
    "steep": (0.95, 0.93, 0.80, 0.45, 0.10, 0.02, 0, 0),
    "gradual": (0.95, 0.85, 0.72, 0.58, 0.44, 0.31, 0.19, 0.09),
    "knife": (0.9, 0.7, 0.5, 0.3, 0.21, 0.19, 0.12, 0.05),
    "plateau": (0.9, 0.5, 0.22, 0.22, 0.22, 0.22, 0.22, 0.05),
    "never": (0.98, 0.95, 0.92, 0.88, 0.8, 0.7, 0.6, 0.5),
    "immediate": (0.15, 0.1, 0.05, 0, 0, 0, 0, 0),
}
FIRST, SECOND = 50, 200

Find = Callable[[np.ndarray], tuple[tuple[int | None, ...], int]]
"""From the outcomes of a run, bool (rollouts, levels), to its set and the rollouts it took."""


def outcomes(curve: Sequence[float], rollouts: int, random: np.random.Generator) -> np.ndarray:
    """Bool (rollouts, levels): a Gaussian copula ties the levels of one start together."""
    shared = random.standard_normal((rollouts, 1))
    own = random.standard_normal((rollouts, len(curve)))
    luck = ndtr(np.sqrt(CORRELATION) * shared + np.sqrt(1 - CORRELATION) * own)
    return luck < np.array(curve)


def one_stage(won: np.ndarray) -> tuple[tuple[int | None, ...], int]:
    """All rollouts at every level."""
    levels = [LevelCounts(level, int(won[:, level].sum()), len(won)) for level in range(won.shape[1])]
    return confidence_set(levels, THRESHOLD, ALPHA), won.size


def two_stages(won: np.ndarray) -> tuple[tuple[int | None, ...], int]:
    """The first rollouts everywhere, all of them where the sequences stop undecided."""
    first, everything = won[:FIRST].sum(axis=0).tolist(), won.sum(axis=0).tolist()
    levels = [LevelCounts(level, successes, FIRST) for level, successes in enumerate(first)]
    while fresh := frontier(levels, THRESHOLD, ALPHA, stages=2):
        for level in fresh:
            levels[level] = LevelCounts(level, everything[level], len(won), earlier=((first[level], FIRST),))
    return confidence_set(levels, THRESHOLD, ALPHA, stages=2), sum(counts.n for counts in levels)


def simulate(name: str, rollouts: int, find: Find, repetitions: int) -> tuple[float, str]:
    """Coverage, and a row of the table."""
    curve = CURVES[name]
    truth = next((level for level, rate in enumerate(curve) if rate < THRESHOLD), None)
    random = np.random.default_rng([rollouts, sum(name.encode()), find is two_stages])
    covered, sizes, single, plain, cost = 0, 0, 0, 0, 0
    for _ in range(repetitions):
        won = outcomes(curve, rollouts, random)
        found, taken = find(won)
        below = np.flatnonzero(won.mean(axis=0) < THRESHOLD)
        covered += truth in found
        sizes += len(found)
        single += len(found) == 1
        plain += truth == (int(below[0]) if len(below) else None)
        cost += taken
    true = "not reached" if truth is None else truth
    means = [f"{count / repetitions:.3f}" for count in (covered, plain)] + [f"{sizes / repetitions:.2f}"]
    row = [name, str(true), str(rollouts), means[0], means[2], f"{single / repetitions:.0%}", means[1]]
    return covered / repetitions, "| " + " | ".join([*row, f"{cost / repetitions:.0f}"]) + " |"


def main() -> int:
    """Print both tables."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    least = 1 - ALPHA - 3 * np.sqrt(ALPHA * (1 - ALPHA) / repetitions)
    worst = 1.0
    for title, find, sizes in (
        ("One stage", one_stage, (20, 50, 200)),
        (f"Two stages, {FIRST} then {SECOND}", two_stages, (SECOND,)),
    ):
        print(f"\n{title}, {repetitions} repetitions:\n")
        print("| curve | break level | n | coverage | mean size | one answer | plain level right | rollouts |")
        print("|---|---|---|---|---|---|---|---|")
        for name in CURVES:
            for rollouts in sizes:
                coverage, row = simulate(name, rollouts, find, repetitions)
                worst = min(worst, coverage)
                print(row, flush=True)
    return 0 if worst >= least else 1


if __name__ == "__main__":
    sys.exit(main())

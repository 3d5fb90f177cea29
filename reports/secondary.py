"""The secondary views of a run: what rests on more assumptions than the confidence set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..axes.contract import AxisCard
from .breaks import Direction, outward
from .model import DirectionView, LevelResult, Secondary
from .outcomes import Outcomes
from .stats import (
    antitonic,
    area_under_curve,
    break_posterior,
    fit_threshold,
    monotone_test,
    symmetry_tests,
)

SEED = 20260101
"""Fixed, so that a report can be made again to the bit."""


def secondary(
    levels: Sequence[LevelResult], outcomes: Outcomes, card: AxisCard, threshold: float, confidence: float
) -> Secondary:
    """Every secondary view.

    Args:
        levels: results, one per level.
        outcomes: the episodes they were counted from.
        card: gives a level its distance from tau_0.
        threshold: success rate strictly between 0 and 1.
        confidence: of the intervals, strictly between 0 and 1.
    """
    paths = outward(levels)
    return Secondary(
        seed=SEED,
        directions=tuple(
            _direction(direction, path, outcomes, card, threshold, confidence) for direction, path in paths.items()
        ),
        symmetry=symmetry_tests(_mirrored(outcomes)) if len(paths) == 2 else (),
    )


def _direction(
    direction: Direction,
    path: Sequence[LevelResult],
    outcomes: Outcomes,
    card: AxisCard,
    threshold: float,
    confidence: float,
) -> DirectionView:
    counted = [result for result in path if result.n]
    successes, n = [result.successes for result in path], [result.n for result in path]
    distances = [abs(result.level) * card.step for result in path]
    places = [outcomes.levels.index(result.level) for result in path]
    shares = break_posterior(successes, n, threshold, SEED)
    return DirectionView(
        direction=direction,
        levels=tuple(result.level for result in counted),
        isotonic=_isotonic(counted),
        monotone=monotone_test(successes, n, SEED),
        posterior=tuple(zip([*(result.level for result in path), None], shares, strict=True)),
        threshold=fit_threshold(successes, n, distances, threshold, confidence),
        area=area_under_curve([won[:, places] for won in outcomes.won], distances, confidence, SEED),
    )


def _isotonic(counted: Sequence[LevelResult]) -> tuple[float, ...]:
    if not counted:
        return ()
    trials = np.array([result.n for result in counted])
    fit = antitonic(np.array([result.successes for result in counted]) / trials, trials)
    return tuple(float(rate) for rate in fit)


def _mirrored(outcomes: Outcomes) -> dict[int, tuple[int, int, int]]:
    """By distance: starts counted at both +k and -k, and how many succeed at only one of them."""
    found = {}
    for number, level in enumerate(outcomes.levels):
        if level > 0 and -level in outcomes.levels:
            plus = outcomes.won[:, :, number]
            minus = outcomes.won[:, :, outcomes.levels.index(-level)]
            both = (plus >= 0) & (minus >= 0)
            found[level] = tuple(int((both & where).sum()) for where in (both, plus > minus, minus > plus))
    return found

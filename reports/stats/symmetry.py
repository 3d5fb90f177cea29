"""Symmetry of a two-sided axis: does it matter which way one goes?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class SymmetryTest:
    """Levels +k and -k compared on the starts that are counted at both.

    Attributes:
        distance: k, 1 or more.
        pairs: starts counted at both levels.
        only_positive: of these, those that succeed at +k only.
        only_negative: of these, those that succeed at -k only.
        p_value: exact McNemar, two-sided (McNemar 1947).
        p_holm: the same, adjusted for the number of distances (Holm 1979).
    """

    distance: int
    pairs: int
    only_positive: int
    only_negative: int
    p_value: float
    p_holm: float


def symmetry_tests(pairs: Mapping[int, tuple[int, int, int]]) -> tuple[SymmetryTest, ...]:
    """Test every distance.

    Args:
        pairs: distance to (pairs, only_positive, only_negative); distances without pairs are left out.
    """
    tables = {distance: counts for distance, counts in sorted(pairs.items()) if counts[0]}
    if not tables:
        return ()
    # Here and not above: statsmodels takes a second to import, which every command would pay.
    from statsmodels.stats.multitest import multipletests

    raw = [_mcnemar(plus, minus) for _, plus, minus in tables.values()]
    adjusted: Any = multipletests(raw, method="holm")[1]
    return tuple(
        SymmetryTest(distance, *counts, p_value=p, p_holm=float(holm))
        for (distance, counts), p, holm in zip(tables.items(), raw, adjusted, strict=True)
    )


def _mcnemar(plus: int, minus: int) -> float:
    from statsmodels.stats.contingency_tables import mcnemar

    tested: Any = mcnemar([[0, plus], [minus, 0]], exact=True)
    return min(float(tested.pvalue), 1.0)

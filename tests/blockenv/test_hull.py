from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from indgen.blockenv import hull
from indgen.blockenv.hull import HullBroken, certify_hull, check_start
from indgen.blockenv.rules import DISTRACTOR, EMPTY, GOAL, arrange, flipped_chain, forward_chain


def in_hull(points: np.ndarray, at: np.ndarray) -> bool:
    """Whether ``at`` is a convex combination of ``points``."""
    equations = np.vstack([points.T, np.ones(len(points))])
    return linprog(np.zeros(len(points)), A_eq=equations, b_eq=np.append(at, 1.0), bounds=(0, None)).success


@pytest.mark.parametrize("level", range(13))
def test_the_next_level_s_tips_are_outside_every_block_s_hull(level: int) -> None:
    blocks = np.vstack([[0, 0], forward_chain(level), flipped_chain(level)])
    for found, tip in zip(
        certify_hull(level), (forward_chain(level + 1)[-1], flipped_chain(level + 1)[-1]), strict=True
    ):
        assert found.tip == tuple(tip.tolist())
        assert (found.level_reach, found.tip_reach) == (level, level + 1)
        assert (blocks @ found.normal <= found.level_reach).all()
        assert not in_hull(blocks, tip)
    assert all(in_hull(blocks, block) for block in blocks)


def test_a_chain_that_turns_back_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    bent = {0: np.empty((0, 2), int), 1: np.array([[0, -1]]), 2: np.array([[0, -1], [0, 0]])}
    monkeypatch.setattr(hull, "forward_chain", bent.__getitem__)
    certify_hull(0)
    with pytest.raises(HullBroken, match=r"a tip is not outside; got \(0, 0\) along \(1, -1\); expected > 1"):
        certify_hull(1)


@pytest.mark.parametrize("grid", [1, 2, 5, 10, 13])
def test_every_start_of_every_level_stands_as_stated(grid: int) -> None:
    draws = np.random.default_rng(grid).random((20, 2))
    for level in range(grid):
        for start in arrange(np.full(20, level), grid, draws):
            check_start(start, level)
            for other in {level - 1, level + 1} - {-1}:
                with pytest.raises(HullBroken, match="the arrangement is another"):
                    check_start(start, other)


def test_a_start_with_a_block_too_many_too_few_or_elsewhere_is_found() -> None:
    start = arrange(np.array([3]), 10, np.array([[0.5, 0.5]]))[0]
    for cell in np.argwhere(start == EMPTY):
        crowded = start.copy()
        crowded[tuple(cell)] = DISTRACTOR
        with pytest.raises(HullBroken):
            check_start(crowded, 3)
    for cell in np.argwhere(start == DISTRACTOR):
        sparse = start.copy()
        sparse[tuple(cell)] = EMPTY
        with pytest.raises(HullBroken):
            check_start(sparse, 3)
    with pytest.raises(HullBroken):
        check_start(np.where(start == GOAL, DISTRACTOR, start), 3)

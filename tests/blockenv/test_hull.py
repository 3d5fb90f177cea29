from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from indgen.blockenv import hull
from indgen.blockenv.hull import HullBroken, certify_hull
from indgen.blockenv.rules import flipped_chain, forward_chain


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

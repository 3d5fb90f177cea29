from __future__ import annotations

import numpy as np
import pytest

from indgen.blockenv.baselines import ind
from indgen.blockenv.baselines.checkpoints import find_checkpoint, read_checkpoint
from indgen.blockenv.baselines.encoding import occupied
from indgen.blockenv.baselines.heads import joint_grasps, joint_labels, three_grasps
from indgen.blockenv.rules import legality

from .networks import shown

RNG = np.random.default_rng(0)


def test_a_joint_head_numbers_every_grasp_once() -> None:
    every = np.stack(np.meshgrid(range(4), range(4), range(2), indexing="ij"), axis=-1).reshape(-1, 3)
    assert joint_labels(every, 4).tolist() == list(range(32))
    assert np.array_equal(joint_grasps(np.eye(32), 4), every)


def test_three_heads_mix_two_grasps_that_a_joint_head_would_keep_apart() -> None:
    row, column, theta = np.zeros((1, 4)), np.zeros((1, 4)), np.zeros((1, 2))
    row[0, 1], column[0, 3], theta[0, 0] = 1, 1, 1
    assert three_grasps([row, column, theta]).tolist() == [[1, 3, 0]]


@pytest.mark.parametrize("gate", ind.GATES)
def test_empty_cells_are_never_picked_whatever_the_gate(gate: float) -> None:
    seen = shown(level=4, count=30)
    picked = ind.with_gate(gate)(read_checkpoint(find_checkpoint("ind")).params, seen)
    assert occupied(seen.last())[np.arange(30), picked[:, 0], picked[:, 1]].all()


def test_a_gate_that_knows_the_rule_lets_only_legal_grasps_through() -> None:
    grids = shown(level=5, count=40).last()
    pick = RNG.standard_normal((40, 200))
    known = np.where(legality(grids).reshape(40, -1), 20.0, -20.0)
    chosen = ind.gated(pick, known, grids, ind.GATE).argmax(axis=1)
    assert legality(grids).reshape(40, -1)[np.arange(40), chosen].all()
    free = ind.gated(pick, known, grids, 0.0)
    on_block = np.isfinite(free)
    assert np.array_equal(free[on_block], pick[on_block])


def test_the_gate_is_additive() -> None:
    grids = shown().last()
    pick, known = RNG.standard_normal((2, len(grids), 200))
    on_block = np.isfinite(ind.gated(pick, known, grids, 0.0))
    one, three = (ind.gated(pick, known, grids, gate)[on_block] - pick[on_block] for gate in (1.0, 3.0))
    assert np.allclose(three, 3 * one)
    assert (one < 0).all()


def test_a_head_that_knows_the_rule_has_no_legality_loss() -> None:
    torch = pytest.importorskip("torch")
    seen = shown(level=3)
    truth = legality(seen.grids.reshape(-1, 10, 10)).reshape(*seen.grids.shape[:2], -1)
    right = torch.from_numpy(np.where(truth, 20.0, -20.0))
    assert float(ind.legality_loss(right, seen)) < 1e-6
    assert float(ind.legality_loss(-right, seen)) > 10

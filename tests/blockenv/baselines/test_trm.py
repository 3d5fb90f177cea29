from __future__ import annotations

import numpy as np
import pytest

from indgen.blockenv.baselines import trm
from indgen.blockenv.baselines.checkpoints import find_checkpoint, read_checkpoint
from indgen.blockenv.baselines.training import Pool
from indgen.blockenv.demonstrations import demonstrate

from .networks import initial, shown


def test_the_answer_is_the_likeliest_action_token_however_unlikely() -> None:
    tokens = np.zeros((1, 9, 3))
    tokens[..., 0] = 5
    tokens[0, 4, 2] = 1
    assert trm.decode(tokens, 3).tolist() == [[1, 1, 1]]


@pytest.mark.parametrize(("bias", "segments"), [(1e3, 1), (-1e3, trm.SEGMENTS)])
def test_halting_decides_how_often_it_thinks(bias: float, segments: int, monkeypatch: pytest.MonkeyPatch) -> None:
    params = initial("trm")
    params["head.halt.bias"] = np.array([bias])
    calls = []
    whole = trm.segment
    monkeypatch.setattr(trm, "segment", lambda *given: calls.append(1) or whole(*given))
    answers = trm.grasps(params, shown())
    assert len(calls) == segments
    assert answers.shape == (12, 3)


def test_each_puzzle_halts_for_itself() -> None:
    params, seen = read_checkpoint(find_checkpoint("trm")).params, shown(count=20)
    together = trm.grasps(params, seen)
    x = trm.embed(params, seen.last())
    y, z = trm.begin(params, x)
    expected = np.zeros((20, 3), dtype=np.int64)
    waiting = np.ones(20, dtype=bool)
    for number in range(trm.SEGMENTS):
        y, z = trm.segment(params, x, y, z)
        tokens, halt = trm.heads(params, y)
        now = waiting & ((halt > 0) | (number == trm.SEGMENTS - 1))
        expected[now] = trm.decode(tokens, 10)[now]
        waiting &= ~now
    assert np.array_equal(together, expected)


def test_only_the_last_cycle_of_a_segment_teaches() -> None:
    torch = pytest.importorskip("torch")
    tensors = {name: torch.from_numpy(value).requires_grad_() for name, value in initial("trm", grid=4).items()}
    objective = trm.objective()
    data = Pool({1: demonstrate(1, 20, 4)}, np.random.default_rng(0))
    for _ in range(trm.SEGMENTS + 1):
        objective(tensors, data).backward()
    assert tensors["start.y"].grad is None
    assert tensors["cell"].grad.abs().sum() > 0

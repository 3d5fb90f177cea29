from __future__ import annotations

import numpy as np
import pytest

from indgen.blockenv.baselines import ops
from indgen.blockenv.baselines.initial import Initial

RNG = np.random.default_rng(0)


def test_windows_are_a_three_by_three_convolution_with_zeros_beyond_the_edge() -> None:
    x = RNG.standard_normal((2, 4, 4, 3))
    windows = ops.neighbourhoods(x).reshape(2, 4, 4, 9, 3)
    assert np.array_equal(windows[:, :, :, 4], x)
    assert np.array_equal(windows[:, 1:, :, 1], x[:, :-1])
    assert np.array_equal(windows[:, :, :-1, 5], x[:, :, 1:])
    assert not windows[:, 0, :, :3].any()
    assert not windows[:, :, 3, [2, 5, 8]].any()


def test_rotation_keeps_lengths_and_makes_products_depend_on_distance_alone() -> None:
    query, key = RNG.standard_normal((2, 8))
    turned = (
        ops.rotate(np.broadcast_to(query, (1, 1, 6, 8)))[0, 0] @ ops.rotate(np.broadcast_to(key, (1, 1, 6, 8)))[0, 0].T
    )
    assert np.allclose(np.linalg.norm(ops.rotate(query.reshape(1, 1, 1, 8))), np.linalg.norm(query))
    for distance in range(5):
        assert np.allclose(np.diag(turned, -distance), turned[distance, 0])
    assert not np.isclose(turned[1, 0], turned[0, 0])


@pytest.mark.parametrize("rotary", [False, True])
def test_attention_looks_back_only(rotary: bool) -> None:
    made = Initial(np.random.default_rng(1))
    made.linear("a.in", 8, 24)
    made.linear("a.out", 8, 8)
    x = RNG.standard_normal((1, 5, 8))
    changed = x.copy()
    changed[0, 3] += 1
    before = ops.attention(made.params, "a", x, 2, rotary=rotary, causal=True)
    after = ops.attention(made.params, "a", changed, 2, rotary=rotary, causal=True)
    assert np.array_equal(before[0, :3], after[0, :3])
    assert not np.allclose(before[0, 4], after[0, 4])


def test_attention_is_torch_s() -> None:
    torch = pytest.importorskip("torch")
    made = Initial(np.random.default_rng(2))
    made.linear("a.in", 8, 24)
    made.linear("a.out", 8, 8)
    theirs = torch.nn.MultiheadAttention(8, 2, batch_first=True)
    state = {"in_proj_weight": "a.in.weight", "in_proj_bias": "a.in.bias"}
    state |= {"out_proj.weight": "a.out.weight", "out_proj.bias": "a.out.bias"}
    theirs.load_state_dict({name: torch.from_numpy(made.params[ours].T.copy()) for name, ours in state.items()})
    x = RNG.standard_normal((3, 5, 8)).astype(np.float32)
    mask = torch.nn.Transformer.generate_square_subsequent_mask(5)
    tensor = torch.from_numpy(x)
    expected = theirs(tensor, tensor, tensor, attn_mask=mask)[0].detach().numpy()
    assert np.allclose(ops.attention(made.params, "a", x, 2, rotary=False, causal=True), expected, atol=1e-5)


def test_lstm_is_torch_s() -> None:
    torch = pytest.importorskip("torch")
    made = Initial(np.random.default_rng(3))
    made.lstm("l", 5, 7)
    theirs = torch.nn.LSTM(5, 7, batch_first=True)
    names = {"weight_ih_l0": "l.weight", "weight_hh_l0": "l.recurrent", "bias_ih_l0": "l.bias"}
    state = {name: torch.from_numpy(made.params[ours].T.copy()) for name, ours in names.items()}
    theirs.load_state_dict({**state, "bias_hh_l0": torch.zeros(28)})
    x = RNG.standard_normal((3, 6, 5)).astype(np.float32)
    expected = theirs(torch.from_numpy(x))[0].detach().numpy()
    assert np.allclose(ops.lstm(made.params, "l", x), expected, atol=1e-6)


@pytest.mark.parametrize("name", ["relu", "sigmoid", "log_sigmoid", "softmax", "rms_norm"])
def test_functions_are_torch_s_far_out_too(name: str) -> None:
    torch = pytest.importorskip("torch")
    x = np.concatenate([RNG.standard_normal((4, 6)), [[-800.0, 800, 0, -30, 30, 1e-9]]])
    ours, theirs = getattr(ops, name)(x), getattr(ops, name)(torch.from_numpy(x)).numpy()
    assert np.isfinite(ours).all()
    assert np.allclose(ours, theirs, rtol=1e-9, atol=1e-12)

from __future__ import annotations

import numpy as np
import pytest

from indgen.blockenv.baselines import Seen, maml
from indgen.blockenv.baselines.heads import joint_loss
from indgen.blockenv.baselines.training import Pool
from indgen.blockenv.demonstrations import demonstrate

from .networks import initial, shown


def loss_of(params: dict[str, np.ndarray], seen: Seen) -> float:
    """The imitation loss, plainly."""
    seen = seen.singly()
    logits = maml.logits(params, seen)[:, 0]
    labels = (seen.grasps[:, 0] @ [2 * seen.grid, 2, 1]).astype(int)
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    return float(-np.log(shares[np.arange(len(labels)), labels] / shares.sum(axis=1)).mean())


def test_the_inner_gradient_is_the_loss_s() -> None:
    params, seen = initial("maml", grid=5), shown(level=2, grid=5)
    found = maml.slopes(params, seen)
    rng = np.random.default_rng(0)
    for name, value in params.items():
        way = rng.standard_normal(value.shape)
        up, down = ({**params, name: value + sign * 1e-6 * way} for sign in (1, -1))
        measured = (loss_of(up, seen) - loss_of(down, seen)) / 2e-6
        assert np.isclose((found[name] * way).sum(), measured, rtol=1e-4, atol=1e-8)


def test_the_inner_step_is_one_of_alpha_down_the_gradient() -> None:
    params, seen = initial("maml", grid=5), shown(level=1, grid=5)
    moved, found = maml.adapted(params, seen), maml.slopes(params, seen)
    assert all(np.allclose(moved[name], params[name] - 0.05 * found[name]) for name in params)
    assert loss_of(moved, seen) < loss_of(params, seen)


def test_the_inner_gradient_is_torch_s() -> None:
    torch = pytest.importorskip("torch")
    params, seen = initial("maml"), shown()
    tensors = {name: torch.from_numpy(value).requires_grad_() for name, value in params.items()}
    joint_loss(maml.logits(tensors, seen.singly()), seen.singly()).backward()
    for name, slope in maml.slopes(params, seen).items():
        assert np.allclose(slope, tensors[name].grad.numpy(), atol=1e-12)


def test_the_objective_has_the_gradient_after_the_inner_step() -> None:
    torch = pytest.importorskip("torch")
    params = initial("maml", grid=5)

    def data() -> Pool:
        return Pool({1: demonstrate(1, 20, 5)}, np.random.default_rng(7))

    tensors = {name: torch.from_numpy(value).requires_grad_() for name, value in params.items()}
    value = maml.objective()(tensors, data())
    value.backward()
    again = data()
    support, query = again.draw(maml.SUPPORT, 1), again.draw(maml.QUERY, 1)
    moved = maml.adapted(params, support)
    assert np.isclose(float(value.detach()), loss_of(moved, query))
    for name, slope in maml.slopes(moved, query).items():
        assert np.allclose(slope, tensors[name].grad.numpy(), atol=1e-12)

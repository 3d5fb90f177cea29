"""MAML: an initialisation from which one gradient step on a few demonstrations solves a level (paper Appendix A).

First-order (FOMAML): the gradient after the inner step is taken as the initialisation's. Each training level is a task.
The network is an MLP without memory, with a joint head; its inner step needs no torch.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .encoding import Seen, look, look_width
from .heads import joint_grasps, joint_labels, joint_loss
from .initial import Initial
from .method import Data, Method, Objective, Recipe
from .ops import Array, Params, like, linear, mlp, namespace, relu, softmax

ALPHA = 0.05
"""Rate of the inner step."""
SUPPORT = 10
"""Demonstrations of a level in its support, in training and in evaluation."""
QUERY = 128
WIDTH, LAYERS = 128, 3


def initial(rng: np.random.Generator, grid: int) -> dict[str, np.ndarray]:
    """An MLP from a look to a score for each (row, column, theta)."""
    made = Initial(rng)
    made.mlp("net", look_width(grid), WIDTH, WIDTH, 2 * grid * grid)
    return made.params


def logits(params: Params, seen: Seen) -> Array:
    """(n, t, 2 G G) scores of each look's grasps."""
    return mlp(params, "net", like(look(seen), params["net.0.weight"]), LAYERS)


def objective() -> Objective:
    """A scalar whose gradient is FOMAML's, and whose value is the loss after the inner step."""

    def loss(params: Params, data: Data) -> Any:
        torch = namespace(params["net.0.weight"])
        total: Any = 0.0
        for level in data.levels:
            support, query = data.draw(SUPPORT, level).singly(), data.draw(QUERY, level).singly()
            slopes = torch.autograd.grad(joint_loss(logits(params, support), support), list(params.values()))
            moved = {
                name: (value - ALPHA * slope).detach().requires_grad_()
                for (name, value), slope in zip(params.items(), slopes, strict=True)
            }
            after = joint_loss(logits(moved, query), query)
            outer = torch.autograd.grad(after, list(moved.values()))
            carried = sum(
                ((value - value.detach()) * slope).sum() for value, slope in zip(params.values(), outer, strict=True)
            )
            total = total + (after.detach() + carried) / len(data.levels)
        return total

    return loss


def slopes(params: Params, seen: Seen) -> dict[str, np.ndarray]:
    """The imitation loss' gradient at NumPy parameters, by hand."""
    seen = seen.singly()
    x = look(seen)[:, 0]
    inputs = [x]
    for layer in range(LAYERS - 1):
        inputs.append(relu(linear(params, f"net.{layer}", inputs[-1])))
    back = softmax(linear(params, f"net.{LAYERS - 1}", inputs[-1]))
    back[np.arange(len(x)), joint_labels(seen.grasps[:, 0], seen.grid)] -= 1
    back /= len(x)
    found = {}
    for layer in reversed(range(LAYERS)):
        found[f"net.{layer}.weight"] = inputs[layer].T @ back
        found[f"net.{layer}.bias"] = back.sum(axis=0)
        back = (back @ params[f"net.{layer}.weight"].T) * (inputs[layer] > 0)
    return found


def adapted(params: Params, support: Seen) -> dict[str, np.ndarray]:
    """Parameters after the inner step on ``support``."""
    found = slopes(params, support)
    return {name: value - ALPHA * found[name] for name, value in params.items()}


def grasps(params: Params, seen: Seen) -> np.ndarray:
    """(n, 3): the likeliest grasp."""
    return joint_grasps(logits(params, seen.latest())[:, 0], seen.grid)


METHOD = Method(
    "maml",
    "MLP that takes one gradient step on each level's support",
    initial,
    objective,
    grasps,
    Recipe(rate=3e-3),
    remembers=False,
)

"""TRM: a tiny network that refines an answer y with a reasoning state z, again and again (paper Appendix A).

Each grid is a puzzle of its own, refined in segments. A segment runs ``CYCLES`` cycles, all but the last without
gradients; each renews z ``INNER`` times from x + y, and then y from z. Deep supervision: every segment's answer is
scored, and the next begins from its latents. Halting is learned: Q(halt) is the chance that the answer is right, and
a puzzle is done once that passes a half, or after ``SEGMENTS``. Cells attend to one another, with rotary
positions along the flattened grid.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from .encoding import Seen
from .heads import joint_grasps
from .initial import Initial
from .method import Data, Method, Objective, Recipe
from .ops import Array, Params, attention, is_torch, like, linear, mlp, namespace, rms_norm, softmax

WIDTH, HEADS, FEED, LAYERS = 48, 4, 96, 2
INNER, CYCLES, SEGMENTS = 2, 2, 4
BATCH = 32
EXPLORE = 0.1
"""How often a puzzle is given a least number of segments, so that Q(halt) learns what thinking on is worth."""


def initial(rng: np.random.Generator, grid: int) -> dict[str, np.ndarray]:
    """One network for z and y alike, embeddings of cells and places, where latents begin, two heads."""
    made = Initial(rng)
    cells = grid * grid
    made.normal("cell", 3, WIDTH, scale=1.0)
    made.normal("place", cells, WIDTH, scale=1.0)
    made.normal("start.y", WIDTH, scale=1.0)
    made.normal("start.z", WIDTH, scale=1.0)
    for layer in range(LAYERS):
        made.linear(f"layer{layer}.attention.in", WIDTH, 3 * WIDTH)
        made.linear(f"layer{layer}.attention.out", WIDTH, WIDTH)
        made.mlp(f"layer{layer}.feed", WIDTH, FEED, WIDTH)
    made.linear("head.token", WIDTH, 3)
    made.linear("head.halt", WIDTH, 1)
    return made.params


def embed(params: Params, grids: np.ndarray) -> Array:
    """(n, G, G) to (n, G G, WIDTH)."""
    return params["cell"][grids.reshape(len(grids), -1).astype(np.int64)] + params["place"]


def network(params: Params, u: Array) -> Array:
    """One pass over (n, G G, WIDTH)."""
    for layer in range(LAYERS):
        u = rms_norm(u + attention(params, f"layer{layer}.attention", u, HEADS, rotary=True, causal=False))
        u = rms_norm(u + mlp(params, f"layer{layer}.feed", u))
    return u


def segment(params: Params, x: Array, y: Array, z: Array) -> tuple[Array, Array]:
    """The latents after one segment."""
    for cycle in range(CYCLES):
        early = cycle < CYCLES - 1 and is_torch(x)
        with namespace(x).no_grad() if early else nullcontext():
            for _ in range(INNER):
                z = network(params, z + x + y)
            y = network(params, y + z)
    return y, z


def heads(params: Params, y: Array) -> tuple[Array, Array]:
    """Token logits (n, G G, 3), of nothing and of either orientation, and Q(halt) logits (n,)."""
    return linear(params, "head.token", y), linear(params, "head.halt", y.mean(1))[:, 0]


def begin(params: Params, x: Array) -> tuple[Array, Array]:
    """Latents to begin with."""
    return x * 0 + params["start.y"], x * 0 + params["start.z"]


def decode(tokens: np.ndarray, grid: int) -> np.ndarray:
    """(n, 3): the cell and orientation whose action token is the likeliest."""
    return joint_grasps(softmax(tokens)[..., 1:].reshape(len(tokens), 2 * grid * grid), grid)


def grasps(params: Params, seen: Seen) -> np.ndarray:
    """(n, 3): each puzzle's answer when it halts."""
    x = embed(params, seen.last())
    y, z = begin(params, x)
    answers = np.zeros((len(x), 3), dtype=np.int64)
    thinking = np.arange(len(x))
    for number in range(SEGMENTS):
        y, z = segment(params, x, y, z)
        tokens, halt = heads(params, y)
        done = (halt > 0) | (number == SEGMENTS - 1)
        answers[thinking[done]] = decode(tokens[done], seen.grid)
        x, y, z, thinking = (each[~done] for each in (x, y, z, thinking))
        if not len(thinking):
            break
    return answers


@dataclass(eq=False)
class _Desk:
    """The puzzles being worked on, and how far each has come."""

    grids: np.ndarray
    grasps: np.ndarray
    y: Any
    z: Any
    segments: np.ndarray
    least: np.ndarray
    done: np.ndarray


def _clear(params: Params, data: Data) -> _Desk:
    seen = _puzzles(data, BATCH)
    y, z = begin(params, embed(params, seen.last()).detach())
    zeros = np.zeros(BATCH, dtype=np.int64)
    return _Desk(seen.last(), seen.grasps[:, 0], y.detach(), z.detach(), zeros, zeros.copy(), zeros < 0)


def _puzzles(data: Data, count: int) -> Seen:
    """``count`` looks, each from a demonstration of its own."""
    seen = data.draw(count)
    which = data.rng.integers(seen.lengths)
    episodes = np.arange(count)
    ones = np.ones(count, dtype=np.int64)
    return Seen(seen.grids[episodes, which][:, None], seen.grasps[episodes, which][:, None], seen.levels, ones)


def _refill(desk: _Desk, params: Params, data: Data) -> None:
    """New puzzles in the places of those that are done."""
    where = np.flatnonzero(desk.done)
    if not len(where):
        return
    seen = _puzzles(data, len(where))
    desk.grids[where], desk.grasps[where], desk.segments[where] = seen.last(), seen.grasps[:, 0], 0
    explored = data.rng.random(len(where)) < EXPLORE
    desk.least[where] = np.where(explored, data.rng.integers(2, SEGMENTS + 1, len(where)), 0)
    desk.y[where], desk.z[where] = params["start.y"].detach(), params["start.z"].detach()


def objective() -> Objective:
    """One segment of every puzzle on the desk an update: the answer's tokens, and whether it was right."""
    kept: list[_Desk] = []

    def loss(params: Params, data: Data) -> Any:
        if not kept:
            kept.append(_clear(params, data))
        desk = kept[0]
        _refill(desk, params, data)
        y, z = segment(params, embed(params, desk.grids), desk.y, desk.z)
        tokens, halt = heads(params, y)
        functional = namespace(y).nn.functional
        wrong = functional.cross_entropy(tokens.reshape(-1, 3), like(_labels(desk), tokens), reduction="sum")
        right = (decode(tokens.detach().numpy(), desk.grids.shape[1]) == desk.grasps).all(axis=1)
        judged = functional.binary_cross_entropy_with_logits(halt, like(right.astype(np.float32), halt))
        desk.y, desk.z = y.detach(), z.detach()
        desk.segments += 1
        wants = (halt.detach().numpy() > 0) & (desk.segments >= desk.least)
        desk.done = wants | (desk.segments >= SEGMENTS)
        return wrong / BATCH + 0.5 * judged

    return loss


def _labels(desk: _Desk) -> np.ndarray:
    """(n G G,) classes of cells: 0, but at the demonstrated cell 1 + theta."""
    labels = np.zeros(desk.grids.shape, dtype=np.int64)
    rows, columns, thetas = desk.grasps.T
    labels[np.arange(len(labels)), rows, columns] = 1 + thetas
    return labels.reshape(-1)


METHOD = Method(
    "trm",
    "tiny recursion over one grid, learned halting",
    initial,
    objective,
    grasps,
    Recipe(updates=500, rate=3e-3),
    remembers=False,
    told_level=False,
)

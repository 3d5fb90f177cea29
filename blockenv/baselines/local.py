"""Local: 3 x 3 windows decide legality and preference. It shows that a policy which never breaks can be learned.

It has no memory and no place: both networks see a block and its eight neighbours, as (block, goal) planes, zeros beyond
the edge. The rule is as local as that, so what holds at L2 holds at every level and on every grid.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..rules import GOAL, legality
from .encoding import Seen, occupied
from .heads import cross_entropy, joint_grasps, joint_labels
from .initial import Initial
from .method import Data, Method, Objective, Recipe
from .ops import Array, Params, like, mlp, namespace, neighbourhoods

HIDDEN = 24
BATCH = 64
_FORBIDDEN = -1e9


def initial(rng: np.random.Generator, grid: int) -> dict[str, np.ndarray]:
    """Two small networks on 3 x 3 windows; the grid's side does not matter."""
    del grid
    made = Initial(rng)
    made.mlp("legality", 9, HIDDEN, 2)
    made.mlp("preference", 18, HIDDEN, 2)
    return made.params


def unobstructed(params: Params, grids: np.ndarray) -> Array:
    """(n, G, G) to (n, 2 G G): legality logits, from which cells hold blocks."""
    blocks = occupied(grids)[..., None].astype(np.float32)
    return mlp(params, "legality", neighbourhoods(like(blocks, params["legality.0.weight"]))).reshape(len(grids), -1)


def preference(params: Params, grids: np.ndarray) -> Array:
    """(n, G, G) to (n, 2 G G): which grasp to prefer, from blocks and goal."""
    planes = np.stack([occupied(grids), grids == GOAL], axis=-1).astype(np.float32)
    return mlp(params, "preference", neighbourhoods(like(planes, params["preference.0.weight"]))).reshape(
        len(grids), -1
    )


def _on_block(grids: np.ndarray) -> np.ndarray:
    return np.repeat(occupied(grids).reshape(len(grids), -1), 2, axis=1)


def objective() -> Objective:
    """Tell legal grasps from blocked ones, and among the legal ones prefer the demonstrated."""

    def loss(params: Params, data: Data) -> Any:
        seen = data.draw(BATCH).singly()
        grids = seen.grids[:, 0]
        logits = unobstructed(params, grids)
        legal = legality(grids).reshape(len(grids), -1)
        truth, on_block = like(legal.astype(np.float32), logits), _on_block(grids)
        judged = namespace(logits).nn.functional.binary_cross_entropy_with_logits(logits[on_block], truth[on_block])
        preferred = preference(params, grids) + like(np.where(legal, 0.0, _FORBIDDEN), logits)
        return judged + cross_entropy(preferred, joint_labels(seen.grasps[:, 0], seen.grid))

    return loss


def grasps(params: Params, seen: Seen) -> np.ndarray:
    """(n, 3): of the grasps of blocks held legal the preferred one; of all of a block where none is."""
    grids = seen.last()
    on_block = _on_block(grids)
    held_legal = on_block & (unobstructed(params, grids) > 0)
    scores = preference(params, grids) + np.where(held_legal, 0.0, _FORBIDDEN)
    return joint_grasps(np.where(on_block, scores, -np.inf), seen.grid)


METHOD = Method(
    "local",
    "3 x 3 windows for legality and preference",
    initial,
    objective,
    grasps,
    Recipe(rate=1e-2),
    remembers=False,
    told_level=False,
    any_grid=True,
)

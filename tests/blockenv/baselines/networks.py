"""What the tests of networks share: things seen, and what each network makes of them before anything is chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from indgen.blockenv.baselines import METHODS, Seen, goal_action, ind, local, maml, rnn, transformer, trm
from indgen.blockenv.baselines.heads import joint_logits, three_logits
from indgen.blockenv.baselines.trunk import rotary_features
from indgen.blockenv.demonstrations import demonstrate

Outputs = Callable[[Any, Seen], list[Any]]


def shown(level: int = 2, count: int = 12, grid: int = 10, seed: int = 5) -> Seen:
    """Demonstrations, cut off at different looks; their ends are padding."""
    demos = demonstrate(level, count, grid, seed)
    lengths = np.arange(count) % (level + 1) + 1
    padding = np.arange(level + 1) >= lengths[:, None]
    grids = np.where(padding[..., None, None], 0, demos.grids).astype(np.int8)
    return Seen(grids, np.where(padding[..., None], 0, demos.grasps), np.full(count, level), lengths)


def initial(name: str, grid: int = 10) -> dict[str, np.ndarray]:
    """Initial parameters in double precision."""
    made = METHODS[name].initial(np.random.default_rng(3), grid)
    return {key: value.astype(np.float64) for key, value in made.items()}


def _trm(params: Any, seen: Seen) -> list[Any]:
    x = trm.embed(params, seen.last())
    y, z = trm.begin(params, x)
    for _ in range(2):
        y, z = trm.segment(params, x, y, z)
    return [*trm.heads(params, y)]


OUTPUTS: dict[str, Outputs] = {
    "rnn": lambda params, seen: three_logits(params, rnn.features(params, seen)),
    "transformer": lambda params, seen: three_logits(params, transformer.features(params, seen)),
    "rope": lambda params, seen: three_logits(params, rotary_features(params, seen)),
    "goal_action": lambda params, seen: three_logits(params, goal_action.features(params, seen)),
    "ind": lambda params, seen: [
        joint_logits(params, rotary_features(params, seen), name) for name in ("head.joint", ind.LEGALITY)
    ],
    "ind_three_planes": lambda params, seen: [
        joint_logits(params, rotary_features(params, seen, 3), name) for name in ("head.joint", ind.LEGALITY)
    ],
    "maml": lambda params, seen: [maml.logits(params, seen)],
    "trm": _trm,
    "rope_joint": lambda params, seen: [joint_logits(params, rotary_features(params, seen))],
    "local": lambda params, seen: [local.unobstructed(params, seen.last()), local.preference(params, seen.last())],
}

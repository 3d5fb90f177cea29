"""Training: a method and demonstrations in, parameters out; the same on every run.

What is trained sees the demonstrations it is handed and nothing else: no environment, no level, no oracle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import numpy as np

from ...core.errors import UsageError
from ...core.seeds import derive_seed
from ..demonstrations import Demonstrations
from .encoding import Seen
from .method import Method

TORCH_HINT = "pip install 'indgen[train]'"
_CLIP = 1.0


class Pool:
    """Demonstrations of some levels on one grid, to draw minibatches from.

    Args:
        demonstrations: level to its demonstrations; at least one of each.
        rng: where draws come from.

    Raises:
        UsageError: if there are none, or not all on one grid.
    """

    def __init__(self, demonstrations: Mapping[int, Demonstrations], rng: np.random.Generator) -> None:
        shown = [demonstrations[level] for level in sorted(demonstrations)]
        if not shown or not all(map(len, shown)) or len({each.grid for each in shown}) != 1:
            raise UsageError(
                "there is nothing to learn from",
                got=[(each.level, each.grid, len(each)) for each in shown],
                expected="demonstrations of one level or more, all on one grid",
            )
        self.rng = rng
        self.grid = shown[0].grid
        self.levels = tuple(each.level for each in shown)
        self._all = _padded(shown)

    def draw(self, count: int, level: int | None = None) -> Seen:
        """As :meth:`~.method.Data.draw`."""
        known = np.arange(len(self._all.levels)) if level is None else np.flatnonzero(self._all.levels == level)
        which = known[self.rng.integers(len(known), size=count)]
        lengths = self._all.lengths[which]
        longest = int(lengths.max())
        return Seen(
            self._all.grids[which, :longest], self._all.grasps[which, :longest], self._all.levels[which], lengths
        )


def _padded(shown: list[Demonstrations]) -> Seen:
    longest = max(each.grids.shape[1] for each in shown)

    def pad(values: np.ndarray) -> np.ndarray:
        return np.pad(values, [(0, 0), (0, longest - values.shape[1])] + [(0, 0)] * (values.ndim - 2))

    return Seen(
        np.concatenate([pad(each.grids) for each in shown]),
        np.concatenate([pad(each.grasps) for each in shown]),
        np.repeat([each.level for each in shown], [len(each) for each in shown]),
        np.repeat([each.grids.shape[1] for each in shown], [len(each) for each in shown]),
    )


def need_torch() -> Any:
    """The torch module.

    Raises:
        UsageError: if it is not installed.
    """
    try:
        return import_module("torch")
    except ImportError as cause:
        raise UsageError("training needs torch", hint=TORCH_HINT) from cause


def train(
    method: Method,
    demonstrations: Mapping[int, Demonstrations],
    seed: int,
    updates: int | None = None,
    report: Callable[[int, float], None] = lambda update, loss: None,
) -> dict[str, np.ndarray]:
    """Train a method on one thread.

    Args:
        method: what to train.
        demonstrations: level to what it may learn from; it learns of no other level.
        seed: of the initial parameters and the minibatches.
        updates: steps of the optimiser; None for the method's own.
        report: is told after every update which one it was, and its loss.

    Returns:
        Name to float16 array: that is how parameters are kept, and how they are evaluated.

    Raises:
        UsageError: if torch is not installed or there is nothing to learn from.
    """
    torch = need_torch()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return _train(torch, method, demonstrations, seed, updates or method.recipe.updates, report)
    finally:
        torch.set_num_threads(threads)


def _train(
    torch: Any,
    method: Method,
    demonstrations: Mapping[int, Demonstrations],
    seed: int,
    updates: int,
    report: Callable[[int, float], None],
) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(derive_seed(seed, "blockenv", "training", method.name))
    data = Pool(demonstrations, rng)
    params = {name: torch.from_numpy(value).requires_grad_() for name, value in method.initial(rng, data.grid).items()}
    recipe, objective = method.recipe, method.objective()
    optimiser = torch.optim.AdamW(params.values(), lr=recipe.rate, weight_decay=recipe.decay)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, updates)
    for update in range(1, updates + 1):
        optimiser.zero_grad()
        loss = objective(params, data)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params.values(), _CLIP)
        optimiser.step()
        schedule.step()
        report(update, float(loss.detach()))
    return {name: value.detach().numpy().astype(np.float16) for name, value in params.items()}

"""What a baseline is: initial parameters, an objective to train them with, and grasps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from .encoding import Seen
from .ops import Params


class Data(Protocol):
    """Where minibatches come from."""

    @property
    def rng(self) -> np.random.Generator:
        """The run's own draws."""
        ...

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels there are demonstrations of."""
        ...

    def draw(self, count: int, level: int | None = None) -> Seen:
        """``count`` demonstrations, uniformly with replacement; of one level if it is named."""
        ...


Objective = Callable[[Params, Data], Any]
"""From torch parameters and data to a scalar whose gradient is followed; called once per update."""


@dataclass(frozen=True)
class Recipe:
    """How a method is trained: AdamW, the rate falling along a half cosine to 0, gradients clipped to norm 1.

    Attributes:
        updates: steps of the optimiser.
        rate: the learning rate to begin with.
        decay: weight decay.
    """

    updates: int = 1000
    rate: float = 1e-3
    decay: float = 0.01


@dataclass(frozen=True)
class Method:
    """One baseline.

    Attributes:
        name: as on the command line.
        summary: one line for people.
        initial: from a generator and the grid's side to parameters, name to float32 array.
        objective: makes what one training run follows, with whatever it keeps between updates.
        grasps: from NumPy parameters and what was seen to (n, 3) grasps; needs no torch.
        recipe: how it is trained.
        seeds: how many seeds a table takes.
        remembers: whether it looks at more of an episode than the latest grid.
        told_level: whether it looks at the level.
        any_grid: whether parameters are good for a grid of any size.
        revision: changed whenever older checkpoints mean something else.
    """

    name: str
    summary: str
    initial: Callable[[np.random.Generator, int], dict[str, np.ndarray]]
    objective: Callable[[], Objective]
    grasps: Callable[[Params, Seen], np.ndarray]
    recipe: Recipe = Recipe()
    seeds: int = 3
    remembers: bool = True
    told_level: bool = True
    any_grid: bool = False
    revision: int = 1

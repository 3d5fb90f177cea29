"""MAML as a policy: it takes one gradient step per level on the oracle's demonstrations, then acts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..blockenv.baselines import Seen
from ..blockenv.baselines.checkpoints import Checkpoint
from ..blockenv.baselines.maml import SUPPORT, adapted, grasps
from ..blockenv.episodes import Episodes
from ..blockenv.scene import draw_of, grid_of, level_of
from ..core.layouts import WorldLayout
from .baselines import Baseline, checkpoint_of
from .contract import Demonstration, Support


class Maml(Baseline):
    """At every level it has a support of, the parameters after the inner step; elsewhere the initialisation itself.

    Args:
        id: registered id.
        checkpoint: the initialisation.
        layout: the world's layout.
        levels: at which levels to ask for a support; None for all that the checkpoint's grid holds.
    """

    def __init__(
        self, id: str, checkpoint: Checkpoint, layout: WorldLayout, levels: tuple[int, ...] | None = None
    ) -> None:
        asked = tuple(range(checkpoint.card.grid)) if levels is None else levels
        support = Support("oracle", asked, per_start=False, count=SUPPORT)
        super().__init__(id, checkpoint, layout, support=support)
        self._adapted: dict[int, Mapping[str, np.ndarray]] = {}

    def adapt(self, demonstrations: Sequence[Demonstration]) -> None:
        """One inner step a level, from starts that are not evaluated."""
        by_level: dict[int, list[Demonstration]] = {}
        for shown in demonstrations:
            by_level.setdefault(level_of(shown.scene), []).append(shown)
        self.forget()
        self._adapted = {level: adapted(self.params, replayed(shown)) for level, shown in by_level.items()}

    def choose(self, seen: Seen) -> np.ndarray:
        """(n, 3) grasps, each by the parameters of its episode's level."""
        chosen = np.zeros((len(seen.levels), 3), dtype=np.int64)
        for level in np.unique(seen.levels):
            which = np.flatnonzero(seen.levels == level)
            part = Seen(seen.grids[which], seen.grasps[which], seen.levels[which], seen.lengths[which])
            chosen[which] = grasps(self._adapted.get(int(level), self.params), part)
        return chosen


def replayed(shown: Sequence[Demonstration]) -> Seen:
    """What demonstrators saw, from where they began and what they did: demonstrations of one level, one grid."""
    level = level_of(shown[0].scene)
    episodes = Episodes.start(
        np.full(len(shown), level), grid_of(shown[0].scene), np.array([draw_of(each.scene) for each in shown])
    )
    lengths = np.array([len(each.actions) for each in shown])
    longest = int(lengths.max())
    grasps = np.zeros((len(shown), longest, 3), dtype=np.int64)
    for number, each in enumerate(shown):
        grasps[number, : len(each.actions)] = np.rint(each.actions)
    grids = np.zeros((len(shown), longest, *episodes.grids.shape[1:]), dtype=np.int8)
    for step in range(longest):
        grids[:, step] = episodes.grids
        episodes.step(grasps[:, step])
    return Seen(grids, grasps, episodes.levels, lengths)


def maml(layout: WorldLayout) -> Maml:
    """BlockEnv baseline: adapts to 10 demonstrations of each level it is evaluated at, held-out ones too."""
    return Maml("maml", checkpoint_of("maml"), layout)


def maml_seen(layout: WorldLayout) -> Maml:
    """BlockEnv control: MAML that adapts at the levels it was trained on alone."""
    checkpoint = checkpoint_of("maml")
    return Maml("maml_seen", checkpoint, layout, checkpoint.card.levels)

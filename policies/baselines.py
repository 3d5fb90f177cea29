"""BlockEnv's learned baselines as policies, from the checkpoints that ship or from others."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from ..blockenv.baselines import Seen
from ..blockenv.baselines.checkpoints import SHIPPED, Checkpoint, find_checkpoint, read_checkpoint
from ..blockenv.baselines.ind import GATES, with_gate
from ..blockenv.baselines.ops import Params
from ..blockenv.layout import action_layout, grid_of
from ..core.errors import UsageError
from ..core.layouts import WorldLayout
from ..core.observation import ActionChunk, Observation
from ..core.slots import Slot
from .contract import PolicyCard, PolicySpec, Support

CHECKPOINTS = "INDGEN_BLOCKENV_CHECKPOINTS"
"""Environment variable: a folder or file to take checkpoints from in place of those that ship."""
Grasps = Callable[[Params, Seen], np.ndarray]


class Baseline:
    """A trained baseline; greedy, so it draws nothing.

    Args:
        id: registered id.
        checkpoint: what it was trained to.
        layout: the world's layout.
        grasps: how it acts; the method's own way if not given.
        support: demonstrations it asks for.

    Raises:
        UsageError: on a BlockEnv of another grid than the one it was trained on, unless any grid will do.
    """

    def __init__(
        self,
        id: str,
        checkpoint: Checkpoint,
        layout: WorldLayout,
        grasps: Grasps | None = None,
        support: Support | None = None,
    ) -> None:
        card, method = checkpoint.card, checkpoint.method
        grid = grid_of(layout) or card.grid
        if grid != card.grid and not method.any_grid:
            raise UsageError(
                f"{id} is trained for another grid",
                got=f"a world of {grid} x {grid}",
                expected=f"{card.grid} x {card.grid}",
                hint=f"`indgen train blockenv {method.name} --grid {grid}` trains one; {CHECKPOINTS}=FOLDER takes it",
            )
        self.params, self._grid = checkpoint.params, grid
        self._grasps = grasps or method.grasps
        self._past: dict[int, tuple[list[np.ndarray], list[np.ndarray]]] = {}
        self._remembers, self._told_level = method.remembers, method.told_level
        self._known: dict[tuple[int, bytes], np.ndarray] = {}
        state = ("grid", "level") if method.told_level else ("grid",)
        self.spec = PolicySpec(action=action_layout(grid).name, state=state, support=support)
        self.card = PolicyCard(
            id=id,
            summary=method.summary,
            trained_levels=card.levels,
            data=f"{card.data}, seed {card.seed}",
            checkpoint=f"{method.name}-seed{card.seed} sha256:{card.weights}",
        )

    def reset(self, slots: Sequence[Slot]) -> None:
        """Forget what these slots' episodes have seen and done."""
        for slot in slots:
            self._past[slot.id] = ([], [])

    def act(self, slots: Sequence[Slot], observations: Sequence[Observation], deadline: float) -> list[ActionChunk]:
        """One grasp per slot, from all it has seen and done in its episode."""
        del deadline
        if not slots:
            return []
        grids = [seen.state["grid"].reshape(self._grid, self._grid).astype(np.int8) for seen in observations]
        levels = [int(seen.state["level"][0]) if self._told_level else 0 for seen in observations]
        chosen = self._recall(slots, grids, levels) if self._remembers else self._look_up(grids, levels)
        return [ActionChunk(grasp[None].astype(np.float64), self.spec.action, 1) for grasp in chosen]

    def _recall(
        self, slots: Sequence[Slot], grids: Sequence[np.ndarray], levels: Sequence[int]
    ) -> Sequence[np.ndarray]:
        for slot, grid in zip(slots, grids, strict=True):
            self._past[slot.id][0].append(grid)
        chosen = self.choose(self._seen([slot.id for slot in slots], np.array(levels)))
        for slot, grasp in zip(slots, chosen, strict=True):
            self._past[slot.id][1].append(grasp)
        return list(chosen)

    def _look_up(self, grids: Sequence[np.ndarray], levels: Sequence[int]) -> Sequence[np.ndarray]:
        """A network that sees the latest grid alone answers each grid once: there are few, and they come again."""
        keys = [(level, grid.tobytes()) for level, grid in zip(levels, grids, strict=True)]
        fresh = {key: number for number, key in enumerate(keys) if key not in self._known}
        if fresh:
            which = list(fresh.values())
            ones = np.ones(len(which), dtype=np.int64)
            looks = np.stack([grids[number] for number in which])[:, None]
            blank = np.zeros((len(which), 1, 3), dtype=np.int64)
            chosen = self.choose(Seen(looks, blank, np.array([levels[number] for number in which]), ones))
            self._known.update(zip(fresh, chosen, strict=True))
        return [self._known[key] for key in keys]

    def forget(self) -> None:
        """Answers are other ones from now on."""
        self._known.clear()

    def choose(self, seen: Seen) -> np.ndarray:
        """(n, 3) grasps."""
        return self._grasps(self.params, seen)

    def _seen(self, places: Sequence[int], levels: np.ndarray) -> Seen:
        lengths = np.array([len(self._past[place][0]) for place in places])
        longest = int(lengths.max())
        grids = np.zeros((len(places), longest, self._grid, self._grid), dtype=np.int8)
        grasps = np.zeros((len(places), longest, 3), dtype=np.int64)
        for number, place in enumerate(places):
            looks, done = self._past[place]
            grids[number, : len(looks)] = looks
            if done:
                grasps[number, : len(done)] = done
        return Seen(grids, grasps, levels, lengths)


def checkpoint_of(method: str) -> Checkpoint:
    """The checkpoint a registered policy acts by: the shipped one, or what ``CHECKPOINTS`` names.

    Raises:
        UsageError: if there is none, or it is another method's or of no use.
    """
    path = find_checkpoint(method, Path(os.environ.get(CHECKPOINTS) or SHIPPED))
    found = read_checkpoint(path)
    if found.card.method != method:
        raise UsageError("the checkpoint is another method's", got=f"{path}: {found.card.method}", expected=method)
    return found


def rnn(layout: WorldLayout) -> Baseline:
    """BlockEnv baseline: an LSTM of two layers, three heads."""
    return Baseline("rnn", checkpoint_of("rnn"), layout)


def transformer(layout: WorldLayout) -> Baseline:
    """BlockEnv baseline: a causal Transformer with absolute positions, three heads."""
    return Baseline("transformer", checkpoint_of("transformer"), layout)


def rope(layout: WorldLayout) -> Baseline:
    """BlockEnv baseline: a causal Transformer with rotary positions, three heads."""
    return Baseline("rope", checkpoint_of("rope"), layout)


def goal_action(layout: WorldLayout) -> Baseline:
    """BlockEnv baseline: rope with a goal token and the last grasp in each look."""
    return Baseline("goal_action", checkpoint_of("goal_action"), layout)


def rope_joint(layout: WorldLayout) -> Baseline:
    """BlockEnv control: rope with one joint head, no legality."""
    return Baseline("rope_joint", checkpoint_of("rope_joint"), layout)


def local(layout: WorldLayout) -> Baseline:
    """BlockEnv control: 3 x 3 windows decide; it never breaks, on any grid."""
    return Baseline("local", checkpoint_of("local"), layout)


def trm(layout: WorldLayout) -> Baseline:
    """BlockEnv baseline: a tiny recursive network with learned halting."""
    return Baseline("trm", checkpoint_of("trm"), layout)


def ind(layout: WorldLayout) -> Baseline:
    """BlockEnv baseline: a joint head behind a learned legality gate of 10."""
    return Baseline("ind", checkpoint_of("ind"), layout)


def gated_ind(gate: float, checkpoint: Checkpoint, layout: WorldLayout) -> Baseline:
    """Ind behind another gate than its primary one.

    Raises:
        UsageError: for a gate that is not reported.
    """
    if gate not in GATES:
        raise UsageError("Ind has no such gate", got=gate, exists=[f"{each:g}" for each in GATES])
    return Baseline(f"ind_gate{gate:g}", checkpoint, layout, with_gate(gate))


def ind_three_planes(layout: WorldLayout) -> Baseline:
    """BlockEnv control: ind whose looks have a third plane, for empty cells."""
    return Baseline("ind_three_planes", checkpoint_of("ind_three_planes"), layout)


def ind_gate0(layout: WorldLayout) -> Baseline:
    """BlockEnv control: ind with its gate off, the mask alone."""
    return gated_ind(0, checkpoint_of("ind"), layout)


def ind_gate1(layout: WorldLayout) -> Baseline:
    """BlockEnv control: ind behind a gate of 1."""
    return gated_ind(1, checkpoint_of("ind"), layout)


def ind_gate3(layout: WorldLayout) -> Baseline:
    """BlockEnv control: ind behind a gate of 3."""
    return gated_ind(3, checkpoint_of("ind"), layout)

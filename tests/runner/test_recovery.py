"""A policy of declared success probabilities, through the real runner, is recovered within its intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from indgen import reports
from indgen.core import ActionChunk, Observation, Slot
from indgen.runner.folder import RunFolder
from indgen.runner.parts import Parts
from indgen.runner.sweep import run_sweep

from .lane import FlagAxis, LaneWorld, Marcher, Watcher, lane_plan

DECLARED = {0: 0.95, 1: 0.70, 2: 0.45, 3: 0.12, 4: 0.02}


class Gambler(Marcher):
    """Walks to the flag with a declared probability per level, else stands still."""

    def __init__(self) -> None:
        super().__init__(reach=12)
        self.spec = replace(self.spec, stochastic=True)
        self._walks: dict[int, bool] = {}

    def reset(self, slots: Sequence[Slot]) -> None:
        for slot in slots:
            drawn = np.random.default_rng([slot.seed, slot.key.level]).uniform()
            self._walks[slot.id] = drawn < DECLARED[slot.key.level]

    def step(self, slot: Slot, seen: Observation) -> ActionChunk:
        if self._walks[slot.id]:
            return super().step(slot, seen)
        return ActionChunk(np.zeros((2, 1)), "lane/step", 1)


def test_declared_probabilities_are_recovered(tmp_path: Path) -> None:
    plan = lane_plan(levels=tuple(DECLARED), rollouts=150)
    folder = RunFolder(tmp_path, plan)
    run_sweep(plan, Parts(LaneWorld(), Gambler(), FlagAxis()), folder, 1, Watcher())
    folder.close()
    report = reports.build(tmp_path)
    for level in report.levels:
        assert level.n == 300
        assert level.ci is not None
        assert level.ci[0] <= DECLARED[level.level] <= level.ci[1]
    (found,) = report.break_levels
    assert found.level == 3
    assert found.set == (3,)


def test_the_cards_are_those_of_the_run(tmp_path: Path) -> None:
    plan = lane_plan(levels=(0,), rollouts=1)
    policy = Gambler()
    folder = RunFolder(tmp_path, plan)
    run_sweep(plan, Parts(LaneWorld(), policy, FlagAxis()), folder, 1, Watcher())
    folder.close()
    report = reports.build(tmp_path)
    assert asdict(report.policy_card) == asdict(policy.card)
    assert asdict(report.axis_card) == asdict(FlagAxis.card)

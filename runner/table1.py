"""The sweeps behind Table 1: every baseline and control on BlockEnv, one sweep a seed, each in a run folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..blockenv.baselines import METHODS
from ..blockenv.baselines.checkpoints import Checkpoint, read_checkpoint, weights_path
from ..blockenv.baselines.ind import GATES
from ..core.layouts import WorldLayout
from ..policies import Policy, check_fit
from ..policies.baselines import Baseline, gated_ind
from ..policies.maml import Maml
from .folder import RunFolder
from .observer import Observer
from .parts import Parts, load_axis, load_parts
from .planning import make_plan
from .sweep import run_sweep

LEVELS = "0..8"
ROLLOUTS = 500
WORLD, AXIS = "blockenv", "depth"
ORACLE, LOCAL = "oracle", "local"
DEEP_WORLD, DEEP_LEVELS = "blockenv20", "0,12,16"
"""Where what never breaks is tried further."""
Make = Callable[[Checkpoint, WorldLayout], Policy]


@dataclass(frozen=True)
class Entry:
    """One row of the table.

    Attributes:
        id: of the policy.
        method: whose checkpoints it acts by.
        make: from a checkpoint to the policy.
    """

    id: str
    method: str
    make: Make


def _entries() -> Iterator[Entry]:
    for name in METHODS:
        if name != "maml":
            yield Entry(name, name, lambda checkpoint, layout, id=name: Baseline(id, checkpoint, layout))
    for gate in GATES[:-1]:
        yield Entry(
            f"ind_gate{gate:g}", "ind", lambda checkpoint, layout, gate=gate: gated_ind(gate, checkpoint, layout)
        )
    yield Entry("maml", "maml", lambda checkpoint, layout: Maml("maml", checkpoint, layout))
    yield Entry("maml_seen", "maml", lambda found, layout: Maml("maml_seen", found, layout, found.card.levels))


ENTRIES: Mapping[str, Entry] = {entry.id: entry for entry in _entries()}
"""Policy id to row."""


@dataclass(frozen=True)
class Job:
    """One sweep.

    Attributes:
        id: of the policy.
        seed: of the training run; None for a policy that was not trained.
        path: its run folder.
        world: where it is swept.
        levels: as people write them.
    """

    id: str
    seed: int | None
    path: Path
    world: str = WORLD
    levels: str = LEVELS


def jobs(seeds: Mapping[str, Sequence[int]], folder: Path) -> list[Job]:
    """Every sweep of the table.

    Args:
        seeds: method to the seeds it is trained with.
        folder: where run folders lie.
    """
    found = [
        Job(entry.id, seed, folder / f"{entry.id}-seed{seed}")
        for entry in ENTRIES.values()
        for seed in seeds[entry.method]
    ]
    deep = [Job(LOCAL, seed, folder / f"deep-{LOCAL}-seed{seed}", DEEP_WORLD, DEEP_LEVELS) for seed in seeds[LOCAL]]
    oracles = [
        Job(ORACLE, None, folder / ORACLE),
        Job(ORACLE, None, folder / f"deep-{ORACLE}", DEEP_WORLD, DEEP_LEVELS),
    ]
    return [*found, *deep, *oracles]


def run_job(job: Job, checkpoints: Path, rollouts: int, observer: Observer) -> None:
    """Sweep, or go on with what stands in the folder.

    Args:
        job: what to sweep.
        checkpoints: folder of the checkpoints.
        rollouts: per level.
        observer: is told about progress.

    Raises:
        UsageError: if a checkpoint is missing or of no use.
    """
    parts = parts_of(job, checkpoints)
    plan = make_plan(
        parts, levels=job.levels, rollouts=rollouts, label=None if job.seed is None else f"seed {job.seed}"
    )
    folder = RunFolder(job.path, plan)
    try:
        run_sweep(plan, parts, folder, 1, observer)
    finally:
        folder.close()


def parts_of(job: Job, checkpoints: Path) -> Parts:
    """World, axis, and the policy with its own checkpoint.

    Raises:
        UsageError: if the checkpoint is missing or of no use.
    """
    if job.seed is None:
        return load_parts(job.world, job.id, AXIS)
    entry = ENTRIES[job.id]
    world, axis = load_axis(job.world, AXIS)
    policy = entry.make(read_checkpoint(weights_path(checkpoints, entry.method, job.seed)), world.layout)
    check_fit(policy, world.layout, world.id)
    return Parts(world, policy, axis)

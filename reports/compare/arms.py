"""Arms: the runs of a comparison, read and reduced to which starts succeeded."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from ...core.errors import UsageError
from ...runner.episodes import Outcome
from ..build import build
from ..folder import RunFolder, read_run
from ..model import Report


class Start(NamedTuple):
    """What two runs must have in common to share a start, apart from its tau_0 scene."""

    task: str
    rollout: int
    seed: int


@dataclass(frozen=True)
class Arm:
    """One run.

    Attributes:
        symbol: ``A``, ``B``, ... in the order given.
        name: label or policy, made unique within its axis.
        folder: the run folder, without its episodes.
        report: the run's own report.
        scenes: digest of the tau_0 scene of every start that has a record; None where none was recorded.
        outcomes: level to start to success, for counted episodes only: no errors, no start invalid anywhere.
    """

    symbol: str
    name: str
    folder: RunFolder
    report: Report
    scenes: Mapping[Start, str | None]
    outcomes: Mapping[int, Mapping[Start, bool]]

    @property
    def axis(self) -> str:
        """Axis id without versions: runs of one axis are compared, and its versions must agree."""
        return re.sub(r"-v\d+(?=\+|$)", "", self.folder.plan.axis)


def load_arms(paths: Sequence[Path], confidence: float) -> tuple[Arm, ...]:
    """Read run folders, each given once.

    Args:
        paths: two or more run folders.
        confidence: of their reports' intervals and sets, in (0, 1).

    Raises:
        UsageError: for fewer than two, or the same one twice.
        RunFolderError: if one is no run folder.
        LedgerError: if one's events are broken.
    """
    if len(paths) < 2:
        raise UsageError("a comparison needs runs", got=len(paths), expected="two run folders or more")
    often = Counter(path.resolve() for path in paths)
    twice = [str(path) for path in dict.fromkeys(paths) if often[path.resolve()] > 1]
    if twice:
        raise UsageError("the same run is given twice", got=", ".join(twice), expected="different run folders")
    return _named([_load(path, symbol(number), confidence) for number, path in enumerate(paths)])


def symbol(number: int) -> str:
    """``A`` to ``Z``, then ``A1``, ``B1``, ..."""
    turn, place = divmod(number, 26)
    return f"{string.ascii_uppercase[place]}{turn or ''}"


def _load(path: Path, name: str, confidence: float) -> Arm:
    folder = read_run(path)
    scenes: dict[Start, str | None] = {}
    outcomes: dict[int, dict[Start, bool]] = {level: {} for level in sorted(folder.plan.levels)}
    left_out = frozenset(folder.plan.uncertified)
    counted = {key: found for key, found in folder.episodes.items() if (key.task, key.level) not in left_out}
    invalid = {(key.task, key.rollout) for key, found in counted.items() if found.outcome is Outcome.INVALID}
    for key, episode in counted.items():
        # Which levels were topped up depended on outcomes: the starts that were planned from the first are compared.
        if key.rollout >= folder.plan.first + folder.plan.rollouts or key.level not in outcomes:
            continue
        start = Start(key.task, key.rollout, episode.seed)
        scenes[start] = scenes.get(start) or (episode.scene if key.level == 0 else None)
        if episode.outcome in (Outcome.SUCCESS, Outcome.FAILURE) and (key.task, key.rollout) not in invalid:
            outcomes[key.level][start] = episode.outcome is Outcome.SUCCESS
    return Arm(name, name, replace(folder, episodes={}), build(path, confidence=confidence), scenes, outcomes)


def _named(arms: Sequence[Arm]) -> tuple[Arm, ...]:
    names: dict[str, str] = {}
    for axis in dict.fromkeys(arm.axis for arm in arms):
        names.update(_unique([arm for arm in arms if arm.axis == axis]))
    return tuple(replace(arm, name=names[arm.symbol]) for arm in arms)


def _unique(arms: Sequence[Arm]) -> dict[str, str]:
    """Symbol to the plainest kind of name that tells the arms apart."""
    kinds: tuple[Callable[[Arm], str], ...] = (
        lambda arm: arm.folder.plan.label or arm.folder.plan.policy,
        lambda arm: " ".join(filter(None, (arm.folder.plan.label, arm.folder.plan.policy))),
        lambda arm: arm.folder.path.name,
        lambda arm: str(arm.folder.path),
    )
    names: dict[str, str] = {}
    for kind in kinds:
        names = {arm.symbol: kind(arm) for arm in arms}
        if len(set(names.values())) == len(arms):
            break
    return names


def with_tasks(arm: Arm, tasks: Collection[str]) -> Arm:
    """The arm on some of its tasks only."""
    return replace(
        arm,
        scenes={start: scene for start, scene in arm.scenes.items() if start.task in tasks},
        outcomes={
            level: {start: won for start, won in found.items() if start.task in tasks}
            for level, found in arm.outcomes.items()
        },
    )

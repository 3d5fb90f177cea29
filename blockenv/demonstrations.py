"""Oracle demonstrations: made in batches, the same for the same seed, kept as HDF5."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import UsageError
from ..core.seeds import derive_seed
from .episodes import Episodes
from .layout import GRID
from .oracle import oracle_grasps
from .rules import DISTRACTOR, EMPTY, GOAL

FORMAT = "indgen-blockenv-demonstrations-1"


@dataclass(frozen=True, eq=False)
class Demonstrations:
    """n episodes of one level; the oracle takes ``level + 1`` grasps at every level.

    Attributes:
        level: blocks in each chain.
        seed: root of the draws.
        grids: (n, level + 1, G, G) int8, before each grasp.
        grasps: (n, level + 1, 3) int64: row, column, theta.
    """

    level: int
    seed: int
    grids: np.ndarray
    grasps: np.ndarray

    def __len__(self) -> int:
        return len(self.grids)

    @property
    def grid(self) -> int:
        """Side G of the grid."""
        return self.grids.shape[2]

    @property
    def digest(self) -> str:
        """SHA-256 of all of it."""
        head = f"{self.level} {self.seed} {self.grids.shape}".encode()
        return sha256(head + self.grids.tobytes() + self.grasps.tobytes()).hexdigest()


def demonstrate(level: int, count: int, grid: int = GRID, seed: int = 0) -> Demonstrations:
    """``count`` demonstrations, placements and arms uniform; a larger count begins with the smaller one's.

    The draws depend on the seed and the level alone, and are none of a sweep's.

    Raises:
        UsageError: if the level does not fit the grid, or for a negative count.
    """
    if count < 0:
        raise UsageError("demonstrations are counted from 0", got=count, expected="0 or more")
    draws = np.random.default_rng(derive_seed(seed, "blockenv", "demonstrations", level)).random((count, 3))
    episodes = Episodes.start(np.full(count, level), grid, draws[:, :2])
    arms = (draws[:, 2] >= 0.5).astype(np.int64)
    grids = np.empty((count, level + 1, grid, grid), dtype=np.int8)
    grasps = np.empty((count, level + 1, 3), dtype=np.int64)
    for number in range(level + 1):
        grids[:, number] = episodes.grids
        grasps[:, number] = oracle_grasps(episodes.grids, arms)
        episodes.step(grasps[:, number])
    return Demonstrations(level, seed, grids, grasps)


def write_demonstrations(path: Path, demonstrations: Iterable[Demonstrations]) -> None:
    """Write one HDF5 file: a group ``level_<k>`` each with ``grids`` and ``grasps``, shapes as above.

    Raises:
        UsageError: if h5py is not installed, a level stands twice, or the file cannot be written.
    """
    h5py = _h5py()
    part = path.with_name(path.name + ".part")
    try:
        with h5py.File(part, "w") as file:
            file.attrs["format"] = FORMAT
            for each in demonstrations:
                group = file.create_group(f"level_{each.level}")
                group.attrs.update({"level": each.level, "grid": each.grid, "seed": str(each.seed)})
                group.attrs["digest"] = each.digest
                group.create_dataset("grids", data=each.grids, compression="gzip")
                group.create_dataset("grasps", data=each.grasps, compression="gzip")
        part.replace(path)
    except (OSError, ValueError) as cause:
        raise UsageError("the demonstrations cannot be written", got=f"{path}: {cause}") from cause
    finally:
        part.unlink(missing_ok=True)


def read_demonstrations(path: Path) -> Mapping[int, Demonstrations]:
    """Level to demonstrations, levels ascending.

    Raises:
        UsageError: if h5py is not installed, or the file is not :func:`write_demonstrations`' own.
    """
    h5py = _h5py()
    try:
        with h5py.File(path, "r") as file:
            if file.attrs.get("format") != FORMAT:
                raise UsageError("these are no BlockEnv demonstrations", got=path, expected=FORMAT)
            found = [_read(group) for group in file.values()]
    except (OSError, KeyError, ValueError, TypeError, RuntimeError) as cause:
        raise UsageError("the demonstrations cannot be read", got=f"{path}: {cause}") from cause
    if len({each.level for each in found}) < len(found) or not found:
        raise UsageError("the demonstrations cannot be read", got=f"{path}: no level, or one twice")
    return {each.level: each for each in sorted(found, key=lambda each: each.level)}


def _read(group: Any) -> Demonstrations:
    grids, grasps = group["grids"][()], group["grasps"][()]
    level, seed = int(group.attrs["level"]), int(group.attrs["seed"])
    if grids.ndim != 4 or grasps.shape != (len(grids), level + 1, 3) or grids.shape[1] != level + 1:
        raise ValueError(f"level {level} has grids {grids.shape} and grasps {grasps.shape}")
    size = grids.shape[2]
    if (grids.dtype, grasps.dtype) != (np.int8, np.int64) or size != grids.shape[3] or not 0 <= level < size:
        raise ValueError(f"level {level} has grids {grids.dtype} {grids.shape} and grasps {grasps.dtype}")
    if not (np.isin(grids, (EMPTY, DISTRACTOR, GOAL)).all() and ((grasps >= 0) & (grasps < [size, size, 2])).all()):
        raise ValueError(f"level {level} has cells or grasps that are none")
    found = Demonstrations(level, seed, grids, grasps)
    if group.attrs["digest"] != found.digest:
        raise ValueError(f"level {level} is not what was written")
    return found


def _h5py() -> Any:
    try:
        import h5py
    except ImportError as cause:
        raise UsageError("HDF5 needs h5py", hint="pip install 'indgen[blockenv]'") from cause
    return h5py

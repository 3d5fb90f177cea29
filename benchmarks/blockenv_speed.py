"""BlockEnv's speed on one core: batched steps of the rules, and demonstrations.

``python benchmarks/blockenv_speed.py [SECONDS]``; exits with 1 below a million steps per second at 4096 episodes.
"""

from __future__ import annotations

import os
import sys
import time

import numpy as np

from indgen.blockenv.demonstrations import demonstrate
from indgen.blockenv.episodes import Episodes

LEVEL, GRID, WANTED = 5, 10, 1e6


def steps_per_second(count: int, seconds: float) -> float:
    """Environment steps per second, resets included, random grasps, actions drawn beforehand."""
    rng = np.random.default_rng(0)
    levels, draws = np.full(count, LEVEL), rng.random((count, 2))
    grasps = [rng.integers(0, [GRID, GRID, 2], size=(count, 3)) for _ in range(2 * LEVEL + 1)]
    done, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        episodes = Episodes.start(levels, GRID, draws)
        for each in grasps:
            episodes.step(each)
        done += int(episodes.steps.sum())
    return done / (time.perf_counter() - began)


def main() -> int:
    """Print a table; 0 if the batch is fast enough."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    rates = {count: steps_per_second(count, seconds) for count in (1, 100, 1024, 4096)}
    for count, rate in rates.items():
        print(f"{count:5d} episodes: {rate:12,.0f} steps/s")
    began = time.perf_counter()
    for level in range(3):
        demonstrate(level, 1000, GRID)
    print(f"3000 demonstrations, L0 to L2: {1000 * (time.perf_counter() - began):.0f} ms")
    return 0 if rates[4096] >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())

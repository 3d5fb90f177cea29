"""Milliseconds of a bit-reproducible soft reset. Run by path with LIBERO's interpreter; prints the median."""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from indgen.core import View
from indgen.sim.libero.env import LiberoEnv

REPEATS = 30


def main(task: str) -> float:
    """Ground a start, then reset to it again and again, without settling."""
    env = LiberoEnv(View(max_steps=280, success="published", privileged=True))
    scene = env.ground(task, 0, 0)
    simulation = env._simulation(task, {}, ())
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        simulation.start(scene.init_state, {})
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)


if __name__ == "__main__":
    print(main(sys.argv[1]))

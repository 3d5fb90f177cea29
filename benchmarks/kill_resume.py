"""Kill -9 a real LIBERO sweep at random moments, resume each time, compare with an uninterrupted run.

``python benchmarks/kill_resume.py [KILLS]``; prints what was lost (nothing, or this exits with 1).
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SWEEP = ("--policy", "replay", "--axis", "pick", "--tasks", "milk,butter,tomato_sauce", "--rollouts", "4")
PROGRAM = str(Path(sys.executable).with_name("evaluate-axis"))


def essence(run: Path) -> list[tuple[object, ...]]:
    """Episodes sorted by key and projected to key, outcome, steps, cause."""
    lines = map(json.loads, (run / "episodes.jsonl").read_text().splitlines())
    return sorted(tuple(e[name] for name in ("task", "rollout", "level", "outcome", "steps", "cause")) for e in lines)


def keys(run: Path) -> list[tuple[object, ...]]:
    """The key of every episode event that is not an error, in the order written; torn lines left out."""
    found = []
    for line in (run / "events.jsonl").read_text(errors="replace").splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        data = event["data"]
        if event["kind"] == "episode" and data["outcome"] != "error":
            found.append((data["task"], data["rollout"], data["level"]))
    return found


def kill_tree(pid: int) -> None:
    """Kill a runner and its workers, whatever group they are in."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    for each in (pid, *map(int, children)):
        try:
            os.kill(each, signal.SIGKILL)
        except ProcessLookupError:
            continue


def main(kills: int) -> int:
    """Run, kill, resume, compare."""
    dice = random.Random(11)
    with tempfile.TemporaryDirectory() as folder:
        killed, whole = Path(folder) / "killed", Path(folder) / "whole"
        lost = 0
        for number in range(1, kills + 1):
            process = subprocess.Popen([PROGRAM, *SWEEP, "--out", str(killed)], stdout=subprocess.DEVNULL)
            time.sleep(dice.uniform(1.0, 14.0))
            before = keys(killed) if (killed / "events.jsonl").exists() else []
            if process.poll() is None:
                kill_tree(process.pid)
            process.wait()
            after = keys(killed) if (killed / "events.jsonl").exists() else []
            lost += len(set(before) - set(after))
            print(f"kill {number:2d}: {len(after)} episodes there", flush=True)
        for run in (killed, whole):
            subprocess.run([PROGRAM, *SWEEP, "--out", str(run)], stdout=subprocess.DEVNULL, check=True)
        finished = keys(killed)
        repeated = len(finished) - len(set(finished))
        same = essence(killed) == essence(whole)
    print(f"{kills} kills: {lost} finished episodes lost, {repeated} repeated, final result equal: {same}")
    return 0 if same and not lost and not repeated else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20))

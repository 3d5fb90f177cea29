"""How close a state-only sweep comes to a bare robosuite environment: ``python benchmarks/libero_speed.py``.

One worker runs expert episodes through the whole of indgen (policy, wire, ledger); a bare environment replays
the very same actions. Both are measured in turn, several rounds, in one run; what counts is the ratio.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from indgen.runner.agenda import Agenda
from indgen.runner.engine import Ended, Engine
from indgen.runner.opening import seeds_of, view_of
from indgen.runner.parts import Parts, load_parts
from indgen.runner.plan import Plan
from indgen.runner.planning import make_plan
from indgen.runner.scenes import SceneStore
from indgen.runner.worker_places import WorkerPlaces
from indgen.sim.installs import interpreter
from indgen.sim.libero.world import LiberoObject

TASK, ROLLOUTS, ROUNDS = "milk", 8, 5
SETTLE = 10
HERE = Path(__file__).parent


def sweep_once(places: WorkerPlaces, parts: Parts, plan: Plan, scenes: SceneStore) -> list[Ended]:
    """Every tau_0 episode of the plan, through the engine."""
    done: list[Ended] = []
    engine = Engine(
        places=places,
        policy=parts.policy,
        axis=parts.axis,
        world=parts.world,
        max_steps=plan.max_steps,
        scenes=scenes,
        seeds=seeds_of(plan, plan.policy),
        on_end=done.append,
        after_round=lambda: None,
    )
    engine.run(Agenda(plan.episode_keys()))
    return done


def speed(done: list[Ended]) -> float:
    """Control steps per second, settling counted, resets and all waiting included."""
    return sum(e.transition.step + SETTLE for e in done if e.transition) / sum(e.wall_s for e in done)


def main() -> None:
    """Measure and print."""
    parts = load_parts("libero", "expert", "pick")
    plan = make_plan(parts, tasks=TASK, levels="0", rollouts=ROLLOUTS)
    with tempfile.TemporaryDirectory() as folder:
        scenes = SceneStore(Path(folder) / "scenes")
        view = view_of(parts.policy.spec, plan)
        places = WorkerPlaces(LiberoObject().open(view), view, 1, Path(folder) / "logs")
        first = sweep_once(places, parts, plan, scenes)
        tapes = {str(e.key.rollout): np.concatenate(e.actions) for e in first}
        np.savez(Path(folder) / "tapes.npz", allow_pickle=False, **tapes)
        bare = start_bare(plan.tasks[0], Path(folder) / "tapes.npz")
        rounds = []
        for _ in range(ROUNDS):
            yardstick = ask(bare)
            rounds.append((speed(sweep_once(places, parts, plan, scenes)), yardstick))
        places.close()
        assert bare.stdin is not None
        bare.stdin.close()
        bare.wait()
    reset_ms = soft_reset_ms(plan.tasks[0])
    for ours, theirs in rounds:
        print(f"indgen {ours:6.1f} control steps/s   bare {theirs:6.1f}   ratio {ours / theirs:.3f}")
    print(f"median ratio {statistics.median(ours / theirs for ours, theirs in rounds):.3f} (target 0.9)")
    print(f"soft reset {reset_ms:.1f} ms (target 20)")


def start_bare(task: str, tapes: Path) -> subprocess.Popen[str]:
    """The bare environment in its own process, warmed up."""
    words = [str(interpreter("libero")), str(HERE / "bare_libero.py"), task, str(tapes)]
    process = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "ready"
    return process


def ask(process: subprocess.Popen[str]) -> float:
    """One measurement."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("go\n")
    process.stdin.flush()
    return float(json.loads(process.stdout.readline()))


def soft_reset_ms(task: str) -> float:
    """Median milliseconds of a reset without settling, in a process of its own."""
    words = [str(interpreter("libero")), str(HERE / "soft_reset.py"), task]
    return float(subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()[-1])


if __name__ == "__main__":
    main()

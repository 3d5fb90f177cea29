"""A world that breaks its contract makes errors, never outcomes; an axis that changes more than edits as well."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from indgen.core import Act, Observation, Scene, Slot, Transition, View
from indgen.core.errors import IndgenError, InvalidStart
from indgen.policies import Demonstration, Support
from indgen.runner.episodes import Episode, Outcome, fold
from indgen.runner.folder import RunFolder
from indgen.runner.ledger import read
from indgen.runner.parts import Parts
from indgen.runner.sweep import run_sweep

from .lane import FlagAxis, LaneEnv, LaneWorld, Marcher, Watcher, lane_plan

PLAN = lane_plan(levels=(0,), rollouts=2)


class Bent(LaneWorld):
    """A lane world whose environment has one method bent."""

    def __init__(self, method: str, bend: Callable[[Any], Any]) -> None:
        super().__init__()
        self._method, self._bend = method, bend

    def open(self, view: View) -> LaneEnv:
        env = super().open(view)
        straight = getattr(env, self._method)
        setattr(env, self._method, lambda *args: self._bend(straight(*args)))
        return env


def sweep(path: Path, parts: Parts) -> list[Episode]:
    folder = RunFolder(path, PLAN)
    try:
        run_sweep(PLAN, parts, folder, 1, Watcher())
    except IndgenError:
        pass
    finally:
        folder.close()
    return list(fold(read(path / "events.jsonl")).values())


def each(change: Callable[[Any], Any]) -> Callable[[Sequence[Any]], list[Any]]:
    return lambda answers: [change(answer) for answer in answers]


def ended(done: bool, success: bool = False, step: Any = 3) -> Callable[[Any], Transition]:
    return lambda _: Transition(None, step, success, done)


def acted(acts: Any) -> Callable[[Any], Transition]:
    return lambda _: Transition(None, 3, True, True, acts=acts)


HERE = (0.0, 0.1, 0.2)


def poisoned(moved: Transition) -> Transition:
    if moved.observation is None:
        return moved
    return replace(moved, observation=replace(moved.observation, state={"x": np.array([np.nan])}))


def explode(_: Any) -> Any:
    raise RuntimeError("the lane caved in")


BENDS: dict[str, tuple[str, Callable[[Any], Any], str]] = {
    "no observation": ("advance", each(ended(done=False)), "without saying so"),
    "success that goes on": ("advance", each(lambda moved: replace(moved, success=True, done=False)), "went on"),
    "past the limit": ("advance", each(ended(done=True, step=99)), "past its step limit"),
    "steps of nan": ("advance", each(ended(done=True, step=float("nan"))), "did not count"),
    "no steps": ("advance", each(ended(done=True, step=0)), "did not count"),
    "nan state": ("advance", each(poisoned), "not finite"),
    "an act nowhere": ("advance", each(acted({"pick": Act((0.0, 0.0, np.nan), HERE, "end")})), "is no place"),
    "an act in a plane": ("advance", each(acted({"pick": Act(HERE, (0.0, 0.1), "end")})), "is no place"),  # type: ignore[arg-type]
    "an act beyond": ("advance", each(acted({"pick": Act((10**400, 0, 0), HERE, "end")})), "is no place"),
    "acts in an array": ("advance", each(acted(np.zeros(2))), "no acts by role"),
    "an act of words": ("advance", each(acted({"pick": Act(("x", "y", "z"), HERE, "end")})), "is no place"),  # type: ignore[arg-type]
    "an act somehow": ("advance", each(acted({"pick": Act(HERE, HERE, "somehow")})), "an act that is none"),
    "an act of a dict": ("advance", each(acted({"pick": {"hand": HERE}})), "an act that is none"),
    "acts in a list": ("advance", each(acted([Act(HERE, HERE, "end")])), "no acts by role"),
    "late invalid": ("advance", each(lambda _: InvalidStart("too late")), "too late"),
    "too few": ("advance", lambda answers: answers[:-1], "another number of answers"),
    "none at all": ("advance", lambda answers: None, "the batch failed"),
    "wrong kind": ("reset", each(lambda _: Transition(None, 1, True, True)), "gave no answer"),
    "raises": ("advance", explode, "the lane caved in"),
    "leaves": ("reset", lambda answers: (_ for _ in ()).throw(SystemExit(0)), "SystemExit"),
    "all invalid": ("reset", lambda answers: (_ for _ in ()).throw(InvalidStart("all")), "the batch failed"),
    "another task": ("ground", lambda scene: replace(scene, task="green_flag"), "is another one"),
    "an edited start": ("ground", lambda scene: FlagAxis().at(scene, 1), "is another one"),
    "no scene": ("ground", lambda scene: None, "gave no answer"),
}


@pytest.mark.parametrize(("method", "bend", "said"), BENDS.values(), ids=BENDS)
def test_a_bent_world_makes_errors_only(tmp_path: Path, method: str, bend: Callable[[Any], Any], said: str) -> None:
    episodes = sweep(tmp_path, Parts(Bent(method, bend), Marcher(), FlagAxis()))
    assert episodes
    assert {episode.outcome for episode in episodes} == {Outcome.ERROR}
    assert all(said in (episode.cause or "") for episode in episodes)


class Bending:
    """An axis that does something to a scene it may not do."""

    card = FlagAxis.card

    def __init__(self, bend: Callable[[Scene], Any]) -> None:
        self._bend = bend

    def at(self, scene: Scene, k: int) -> Scene:
        return self._bend(scene)


@pytest.mark.parametrize(
    ("bend", "said"),
    [
        (lambda scene: replace(scene, instruction="run"), "changes more than edits"),
        (lambda scene: replace(scene, facts={**scene.facts, "flag": 1.0}), "changes more than edits"),
        (lambda scene: replace(scene, task="blue_flag" if scene.task == "red_flag" else "red_flag"), "more than edits"),
        (lambda scene: 1 / 0, "ZeroDivisionError"),
        (lambda scene: None, "raised at level 0"),
    ],
)
def test_an_axis_may_change_edits_only(tmp_path: Path, bend: Callable[[Scene], Any], said: str) -> None:
    episodes = sweep(tmp_path, Parts(LaneWorld(), Marcher(), Bending(bend)))
    assert {episode.outcome for episode in episodes} == {Outcome.ERROR}
    assert all(said in (episode.cause or "") for episode in episodes)


def test_a_world_that_cannot_be_closed_costs_nothing(tmp_path: Path) -> None:
    episodes = sweep(tmp_path, Parts(Bent("close", explode), Marcher(), FlagAxis()))
    assert {episode.outcome for episode in episodes} == {Outcome.SUCCESS}


class Counting(Marcher):
    """Walks as many steps as it was shown demonstrations."""

    def __init__(self, support: Support) -> None:
        super().__init__(reach=0)
        self.spec = replace(self.spec, support=support)
        self.shown: list[Demonstration] = []

    def adapt(self, demonstrations: Sequence[Demonstration]) -> None:
        self.shown = list(demonstrations)

    def step(self, slot: Slot, seen: Observation) -> Any:
        self.reach = len(self.shown)
        return super().step(slot, seen)


def test_support_is_the_plans_whatever_has_run_and_apart_from_the_evaluation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, axis = LaneWorld(), FlagAxis()
    monkeypatch.setattr("indgen.runner.adaptation.load_parts", lambda *_: Parts(world, Marcher(), axis))
    plan = lane_plan(levels=(0, 1), rollouts=3)
    apart = Support(demonstrator="marcher", levels=(0,), per_start=False, count=2)
    for support, rollouts in ((Support("marcher"), {0, 1, 2}), (apart, {3, 4})):
        path = tmp_path / str(support.per_start)
        first = Counting(support)
        folder = RunFolder(path, plan)
        whole = run_sweep(plan, Parts(world, first, axis), folder, 1, Watcher())
        folder.close()
        assert {demo.rollout for demo in first.shown} == rollouts
        assert all(demo.success for demo in first.shown)
        lines = (path / "events.jsonl").read_bytes().splitlines(keepends=True)
        (path / "events.jsonl").write_bytes(b"".join(lines[:-6]))
        second = Counting(support)
        folder = RunFolder(path, plan)
        resumed = run_sweep(plan, Parts(world, second, axis), folder, 1, Watcher())
        folder.close()
        assert len(second.shown) == len(first.shown)
        assert [(e.key, e.outcome, e.steps) for e in resumed] == [(e.key, e.outcome, e.steps) for e in whole]


def test_demonstrations_outlive_a_crash_that_lost_their_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world, axis = LaneWorld(), FlagAxis()
    monkeypatch.setattr("indgen.runner.adaptation.load_parts", lambda *_: Parts(world, Marcher(), axis))
    plan = lane_plan(levels=(0, 1), rollouts=3)
    for _ in range(2):
        policy = Counting(Support("marcher"))
        folder = RunFolder(tmp_path, plan)
        run_sweep(plan, Parts(world, policy, axis), folder, 1, Watcher())
        folder.close()
        assert len(policy.shown) == 6
        (tmp_path / "events.jsonl").write_bytes(b"")
        (tmp_path / "episodes.jsonl").unlink()


def test_acts_are_recorded_as_told(tmp_path: Path) -> None:
    world = Bent("advance", each(acted({"goal": Act(HERE, np.array(HERE).tolist(), "command")})))
    episodes = sweep(tmp_path, Parts(world, Marcher(), FlagAxis()))
    expected = {"goal": {"hand": [0.0, 0.1, 0.2], "target": [0.0, 0.1, 0.2], "how": "command"}}
    assert {episode.outcome for episode in episodes} == {Outcome.SUCCESS}
    assert all(episode.to_data()["acts"] == expected for episode in episodes)
    assert all(json.loads(line)["acts"] == expected for line in (tmp_path / "episodes.jsonl").read_text().splitlines())

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from indgen.blockenv.baselines import (
    METHODS,
    goal_action,
    ind,
    local,
    maml,
    rnn,
    rope,
    rope_joint,
    training,
    transformer,
    trm,
)
from indgen.blockenv.baselines.checkpoints import SHIPPED, find_checkpoint
from indgen.blockenv.baselines.course import Course, run_course
from indgen.blockenv.baselines.training import Pool, train
from indgen.blockenv.demonstrations import demonstrate
from indgen.blockenv.episodes import Episodes
from indgen.core.errors import UsageError


def test_minibatches_are_demonstrations_of_the_levels_given() -> None:
    demos = {level: demonstrate(level, 30) for level in (0, 2)}
    pool = Pool(demos, np.random.default_rng(0))
    assert (pool.levels, pool.grid) == ((0, 2), 10)
    seen = pool.draw(64)
    assert set(seen.levels) == {0, 2}
    assert np.array_equal(seen.lengths, seen.levels + 1)
    for number in range(64):
        level, length = seen.levels[number], seen.lengths[number]
        same = (demos[level].grids == seen.grids[number, :length]).all(axis=(1, 2, 3))
        assert (demos[level].grasps[same] == seen.grasps[number, :length]).all(axis=(1, 2)).any()
    assert set(pool.draw(16, 2).levels) == {2}


def test_a_pool_wants_something_on_one_grid() -> None:
    for nothing in ({}, {0: demonstrate(0, 0)}, {0: demonstrate(0, 3, 5), 1: demonstrate(1, 3, 6)}):
        with pytest.raises(UsageError, match="nothing to learn from"):
            Pool(nothing, np.random.default_rng(0))


def test_a_trainer_can_make_no_episodes_of_its_own() -> None:
    modules = [training, goal_action, ind, local, maml, rnn, rope, rope_joint, transformer, trm]
    for module in modules:
        assert not {"Episodes", "demonstrate", "arrange", "oracle_grasps", "BlockBatch"} & vars(module).keys(), module


@pytest.mark.parametrize("name", METHODS)
def test_a_run_sees_its_own_levels_alone_and_comes_out_the_same_again(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    started: list[int] = []
    start = Episodes.start.__func__  # type: ignore[attr-defined]

    def watched(cls: type[Episodes], levels: np.ndarray, *rest: object) -> Episodes:
        started.extend(np.unique(levels))
        return start(cls, levels, *rest)

    monkeypatch.setattr(Episodes, "start", classmethod(watched))
    course = Course(METHODS[name], 3, (0, 1), grid=5, demonstrations=20, updates=3)
    paths = [run_course(course, tmp_path / part) for part in ("first", "again")]
    assert set(started) == {0, 1}
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_little_training_helps() -> None:
    pytest.importorskip("torch")
    losses: list[float] = []
    trained = train(METHODS["local"], {1: demonstrate(1, 50, 5)}, 0, 60, lambda _, loss: losses.append(loss))
    assert len(losses) == 60
    assert np.mean(losses[-10:]) < 0.7 * np.mean(losses[:10])
    assert {value.dtype for value in trained.values()} == {np.dtype(np.float16)}


@pytest.mark.parametrize(
    ("course", "said"),
    [
        (Course(METHODS["ind"], 0, ()), "training needs levels"),
        (Course(METHODS["ind"], 0, (0, 10)), "grid of 11"),
        (Course(METHODS["ind"], 0, demonstrations=0), "--demonstrations 0"),
        (Course(METHODS["ind"], 0, updates=0), "--updates 0"),
        (Course(METHODS["ind"], -1), "counted from 0"),
    ],
)
def test_courses_that_make_no_sense_are_refused(course: Course, said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=said):
        run_course(course, tmp_path)


def test_without_torch_nothing_is_trained_and_what_stands_is_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    shipped = Course(METHODS["local"], 0)
    assert run_course(shipped, SHIPPED) == find_checkpoint("local")
    with pytest.raises(UsageError, match=r"training needs torch; pip install 'indgen\[train\]'"):
        run_course(shipped, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_course_that_stands_is_not_run_again_and_another_is_not_overwritten(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    course = Course(METHODS["local"], 0, (0, 1), updates=2)
    path = run_course(course, tmp_path)
    before = path.stat().st_mtime_ns
    assert run_course(course, tmp_path) == path
    assert path.stat().st_mtime_ns == before
    with pytest.raises(UsageError, match=r"another checkpoint lies there.*--levels 0,1 --seeds 0 --updates 2"):
        run_course(Course(METHODS["local"], 0, (0,), updates=2), tmp_path)

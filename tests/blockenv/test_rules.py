"""The rules, checked against plain sentences of the paper's Appendix A."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from indgen.blockenv.rules import (
    DISTRACTOR,
    EMPTY,
    GOAL,
    LEFT_RIGHT,
    TOP_BOTTOM,
    arrange,
    check_grasps,
    flipped_chain,
    forward_chain,
    goals,
    legal,
    legality,
    smallest_grid,
    step_limit,
)
from indgen.core.errors import PolicyError, UsageError

LEVELS = st.integers(0, 12)
DRAWS = st.tuples(*[st.floats(0, 1, exclude_max=True)] * 2)


@st.composite
def arrangements(draw: st.DrawFn, deepest: int = 12) -> tuple[int, int, np.ndarray]:
    """A level, a grid that holds it, and an arrangement (G, G)."""
    level = draw(st.integers(0, deepest))
    grid = draw(st.integers(smallest_grid(level), 20))
    return level, grid, arrange(np.array([level]), grid, np.array([draw(DRAWS)]))[0]


def removable(grid: np.ndarray) -> set[tuple[int, int, int]]:
    """Every legal grasp, found cell by cell in the paper's words."""
    size, found = len(grid), set()
    for r, c in zip(*np.nonzero(grid), strict=True):
        for theta, sides in ((TOP_BOTTOM, ((r - 1, c), (r + 1, c))), (LEFT_RIGHT, ((r, c - 1), (r, c + 1)))):
            inside = [(a, b) for a, b in sides if 0 <= a < size and 0 <= b < size]
            if all(grid[a, b] == EMPTY for a, b in inside):
                found.add((int(r), int(c), theta))
    return found


@given(arrangements())
def test_one_goal_and_twice_the_level_s_distractors(made: tuple[int, int, np.ndarray]) -> None:
    level, _, grid = made
    assert (grid == GOAL).sum() == 1
    assert (grid == DISTRACTOR).sum() == 2 * level


@given(LEVELS)
def test_the_forward_chain_goes_left_where_odd_and_down_where_even(level: int) -> None:
    chain = [(0, 0), *map(tuple, forward_chain(level).tolist())]
    for number, (before, after) in enumerate(pairwise(chain), start=1):
        step = (after[0] - before[0], after[1] - before[1])
        assert step == ((0, -1) if number % 2 else (1, 0))


@given(LEVELS)
def test_the_flipped_chain_is_the_forward_one_transposed(level: int) -> None:
    assert np.array_equal(flipped_chain(level), forward_chain(level)[:, ::-1])


@given(LEVELS)
def test_every_level_holds_the_one_before_it(level: int) -> None:
    for chain in (forward_chain, flipped_chain):
        assert np.array_equal(chain(level + 1)[:level], chain(level))


@given(arrangements())
def test_an_arrangement_spans_one_cell_more_than_its_level(made: tuple[int, int, np.ndarray]) -> None:
    level, _, grid = made
    for cells in np.nonzero(grid):
        assert cells.max() - cells.min() == level


@given(arrangements())
def test_transposing_an_arrangement_gives_one(made: tuple[int, int, np.ndarray]) -> None:
    level, size, grid = made
    row, column = (int(cells[0]) for cells in np.nonzero(grid == GOAL))
    turned = arrange(np.array([level]), size, placing(level, size, column, row))[0]
    assert np.array_equal(turned, grid.T)


def placing(level: int, size: int, row: int, column: int) -> np.ndarray:
    """A draw that puts the goal at (row, column)."""
    shift = np.array([[row, column]]) - (level + 1) // 2
    return (shift + 0.5) / (size - level)


@pytest.mark.parametrize(("level", "size"), [(0, 3), (1, 4), (2, 6), (5, 8), (8, 10), (9, 10)])
def test_placements_are_all_that_fit_and_equally_likely(level: int, size: int) -> None:
    fine = (np.arange(100 * (size - level)) + 0.5) / (100 * (size - level))
    draws = np.stack(np.meshgrid(fine, fine), axis=-1).reshape(-1, 2)
    found, counts = np.unique(goals(np.full(len(draws), level), size, draws), axis=0, return_counts=True)
    assert len(found) == (size - level) ** 2
    assert set(counts) == {100 * 100}
    starts = arrange(np.full(len(found), level), size, np.concatenate([placing(level, size, *at) for at in found]))
    assert len(np.unique(starts, axis=0)) == (size - level) ** 2


@given(st.lists(st.tuples(LEVELS, DRAWS), min_size=1, max_size=6), st.integers(13, 20))
def test_levels_are_arranged_together_as_alone(asked: list[tuple[int, tuple[float, float]]], size: int) -> None:
    levels, draws = np.array([level for level, _ in asked]), np.array([draw for _, draw in asked])
    together = arrange(levels, size, draws)
    for number, (level, draw) in enumerate(asked):
        assert np.array_equal(together[number], arrange(np.array([level]), size, np.array([draw]))[0])


@given(arrangements())
def test_a_start_has_two_legal_grasps_one_at_each_tip(made: tuple[int, int, np.ndarray]) -> None:
    level, _, grid = made
    legal_grasps = removable(grid)
    assert len(legal_grasps) == 2
    goal = np.argwhere(grid == GOAL)[0]
    ends = {
        tuple((goal + chain(level)[-1]).tolist()) if level else tuple(goal.tolist())
        for chain in (forward_chain, flipped_chain)
    }
    assert {grasp[:2] for grasp in legal_grasps} == ends


@pytest.mark.parametrize("level", range(6))
def test_every_reachable_state_has_two_legal_grasps_until_the_goal_is_gone(level: int) -> None:
    open_states = [arrange(np.array([level]), level + 3, np.array([[0.5, 0.5]]))[0]]
    seen, longest = {open_states[0].tobytes()}, 0
    while open_states:
        grid = open_states.pop()
        grasps = removable(grid)
        assert len(grasps) == 2
        longest = max(longest, 2 * level + 1 - int((grid > 0).sum()))
        for r, c, _ in grasps:
            after = grid.copy()
            after[r, c] = EMPTY
            if grid[r, c] != GOAL and after.tobytes() not in seen:
                seen.add(after.tobytes())
                open_states.append(after)
    assert len(seen) == (level + 1) ** 2
    assert longest + 1 == step_limit(level)


@given(
    arrays(
        np.int8,
        st.tuples(st.integers(1, 3), st.shared(st.integers(1, 6), key="G"), st.shared(st.integers(1, 6), key="G")),
        elements=st.integers(0, 2),
    )
)
def test_legality_is_the_paper_s_on_any_grid(grids: np.ndarray) -> None:
    table = legality(grids)
    for grid, found in zip(grids, table, strict=True):
        assert {tuple(at) for at in np.argwhere(found).tolist()} == removable(grid)
    every = np.argwhere(np.ones_like(table))
    assert np.array_equal(legal(grids[every[:, 0]], every[:, 1:]), table.reshape(-1))


@given(arrangements())
def test_legality_turns_with_the_grid(made: tuple[int, int, np.ndarray]) -> None:
    _, _, grid = made
    assert np.array_equal(legality(grid.T[None])[0], legality(grid[None])[0].transpose(1, 0, 2)[..., ::-1])


def test_out_of_the_grid_is_free() -> None:
    alone = np.full((1, 1, 1), GOAL, dtype=np.int8)
    assert legality(alone).all()


@pytest.mark.parametrize(("level", "size"), [(1, 1), (10, 10), (12, 9)])
def test_a_level_that_does_not_fit_names_the_smallest_grid(level: int, size: int) -> None:
    with pytest.raises(
        UsageError,
        match=rf"level {level} does not fit a grid of {size} x {size}; expected a grid of {level + 1} at least",
    ):
        arrange(np.array([0, level]), size, np.zeros((2, 2)))
    assert len(arrange(np.array([level]), level + 1, np.zeros((1, 2)))) == 1


def test_a_negative_level_is_refused() -> None:
    with pytest.raises(UsageError, match="no such level; got -1; expected 0 or more"):
        arrange(np.array([3, -1]), 10, np.zeros((2, 2)))


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([[0, 0]], r"int64 of shape \(1, 2\)"),
        ([0, 0, 0], r"shape \(3,\); expected whole numbers of shape \(1, 3\)"),
        ([[0, 0, 0]] * 2, r"shape \(2, 3\)"),
        ([["a", "b", "c"]], "got <U1"),
        ([[True, True, False]], "got bool"),
        ([[0, float("nan"), 0]], "not whole; got nan"),
        ([[0, float("inf"), 0]], "not whole; got inf"),
        ([[0, 0.5, 0]], "not whole; got 0.5"),
        ([[10, 0, 0]], r"leaves the grid; got \(10, 0, 0\); expected row and column in 0..9"),
        ([[0, -1, 0]], r"got \(0, -1, 0\)"),
        ([[0, 0, 2]], r"got \(0, 0, 2\)"),
        ([[1e30, 0, 0]], r"got \(1e\+30, 0, 0\)"),
    ],
)
def test_what_is_no_grasp_is_refused(actions: object, said: str) -> None:
    with pytest.raises(PolicyError, match=said):
        check_grasps(np.array(actions), 1, 10)


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.float32])
def test_whole_numbers_of_any_kind_are_grasps(dtype: type) -> None:
    checked = check_grasps(np.array([[9, 0, 1]], dtype), 1, 10)
    assert checked.dtype == np.int64
    assert checked.tolist() == [[9, 0, 1]]

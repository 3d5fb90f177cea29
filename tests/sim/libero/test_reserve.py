from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from indgen.sim.libero.reserve import GROCERIES, SIZE, Footprint, absent_kinds, draw_reserve

BODIES = {
    "milk_1": Footprint((-0.12, -0.24), (0.03, 0.03)),
    "basket_1": Footprint((0.01, 0.26), (0.085, 0.085)),
    "butter_1": Footprint((0.1, -0.2), (0.04, 0.02)),
    "ketchup_1": Footprint((0.15, 0.03), (0.02, 0.03)),
}
SEEDS = st.integers(0, 2**63 - 1)


def reserve(seed: int) -> list[tuple[str, Footprint]]:
    drawn = draw_reserve("pick_milk", seed, BODIES, "milk_1", "basket_1")
    found = []
    for each in drawn:
        kind, pose = each["kind"], each["pose"]
        assert isinstance(kind, str)
        assert isinstance(pose, tuple)
        found.append((kind, Footprint(pose[:2], GROCERIES[kind].half)))
    return found


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_nothing_stands_in_anothers_place(seed: int) -> None:
    placed = [footprint for _, footprint in reserve(seed)]
    assert len(placed) == SIZE
    for first, second in combinations([*placed, *BODIES.values()], 2):
        if first in placed or second in placed:
            assert first.apart(second)


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(-3, 3))
def test_every_level_of_pick_and_goal_stays_clear(seed: int, k: int) -> None:
    for body, step in (("milk_1", 0.025), ("basket_1", 0.0367)):
        x, y = BODIES[body].centre
        moved = Footprint((x, y + k * step), BODIES[body].half)
        assert all(footprint.apart(moved) for _, footprint in reserve(seed))


@given(SEEDS)
@settings(max_examples=10, deadline=None)
def test_kinds_are_the_tasks_and_places_the_starts(seed: int) -> None:
    kinds = [kind for kind, _ in reserve(seed)]
    assert kinds == absent_kinds("pick_milk", BODIES)[:SIZE]
    assert not {"milk", "butter", "ketchup"} & set(kinds)
    assert reserve(seed) == reserve(seed)
    assert [place for _, place in reserve(seed)] != [place for _, place in reserve(seed ^ 1)]


def test_a_full_floor_gives_fewer() -> None:
    full = {**BODIES, "rug_1": Footprint((0.0, 0.0), (1.0, 1.0))}
    assert draw_reserve("pick_milk", 7, full, "milk_1", "basket_1") == ()

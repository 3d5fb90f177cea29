from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.sim.libero.validity import narrowest

SIGNS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])


@given(st.floats(0.01, 0.2), st.floats(0.01, 0.2), st.floats(-3, 3))
def test_a_box_is_as_narrow_as_its_shorter_side_however_it_is_turned(long: float, wide: float, yaw: float) -> None:
    turn = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    corners = SIGNS * [long / 2, wide / 2, 0.1] @ turn.T
    least = min(long, wide)
    # A gripper turns by whole degrees here: at most half of one off.
    assert least - 1e-9 <= narrowest(corners) <= least + 0.01 * max(long, wide)
    assert narrowest(2 * corners) == pytest.approx(2 * narrowest(corners))

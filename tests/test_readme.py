"""What the README tells people to write works as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from indgen.axes import check_axis
from indgen.core import EpisodeKey, Observation, Scene, Slot
from indgen.policies import mismatches
from indgen.sim.libero.layout import LAYOUT

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
FACTS = {"start": 0, "pick": "milk_1", "goal": "basket_1", "region": "basket_1_contain_region", "rest": {}}


@pytest.fixture(scope="module")
def written() -> dict[str, Any]:
    """Everything the README's Python blocks define."""
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL):
        exec(block, names)
    return names


def test_the_readmes_axis_keeps_the_laws(written: dict[str, Any]) -> None:
    scene = Scene("libero", "milk", "pick up the milk", (0.0,), 1, FACTS)
    assert check_axis(written["Nearer"](), [scene]) == 4


def test_the_readmes_policy_fits_libero(written: dict[str, Any]) -> None:
    policy = written["Timid"](LAYOUT)
    assert mismatches(policy.spec, LAYOUT) == []
    slot = Slot(0, EpisodeKey("milk", 0, 0), True, 0)
    policy.reset([slot])
    (chunk,) = policy.act([slot], [Observation({}, {"eef_pos": np.zeros(3)}, "", 0)], 0.0)
    assert chunk.check(LAYOUT.action).actions.shape == (1, 7)

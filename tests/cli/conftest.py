"""The command line as a user runs it: in its own process, with a plugin that brings the lane world."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ENTRY_POINTS = """\
[indgen.worlds]
lane = lane:LaneWorld
[indgen.axes]
lane/flag-v1 = lane:FlagAxis
lane/pits-v1 = lane:PitAxis
[indgen.policies]
marcher = lane_policies:marcher
plodder = lane_policies:plodder
wrong_shape = lane_policies:wrong_shape
not_a_number = lane_policies:not_a_number
too_far = lane_policies:too_far
stuck = lane_policies:stuck
misfit = lane_policies:misfit
quitter = lane_policies:quitter
babbler = lane_policies:babbler
impostor = lane_policies:impostor
malformed = lane_policies:malformed
longsighted = lane_policies:longsighted
wanderer = lane_policies:wanderer
vandal = lane_policies:vandal
unimportable = no_such_module:Policy
"""
Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds an installed distribution with a world, axes and policies."""
    folder = tmp_path_factory.mktemp("plugin")
    shutil.copy(HERE.parent / "runner" / "lane.py", folder / "lane.py")
    shutil.copy(HERE / "lane_policies.py", folder / "lane_policies.py")
    info = folder / "indgen_lane-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: indgen-lane\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    return folder


@pytest.fixture(scope="session")
def environment(plugin: Path) -> dict[str, str]:
    """A terminal 80 columns wide that finds the plugin."""
    return {**os.environ, "PYTHONPATH": str(plugin), "COLUMNS": "80", "NO_COLOR": "1"}


@pytest.fixture
def command(environment: dict[str, str], tmp_path: Path) -> Command:
    """Run ``evaluate-axis`` (or another program) in an empty folder."""

    def run(*words: str, program: str = "evaluate-axis", timeout: float = 300) -> subprocess.CompletedProcess[str]:
        path = str(Path(sys.executable).with_name(program))
        return subprocess.run(
            [path, *words], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=timeout
        )

    return run

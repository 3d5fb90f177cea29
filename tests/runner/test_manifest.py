from __future__ import annotations

import json
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

import indgen
from indgen.runner.folder import RunFolder
from indgen.runner.manifest import make_manifest
from indgen.runner.parts import Parts, load_parts
from indgen.runner.planning import make_plan

from .lane import FlagAxis, LaneWorld, Marcher, lane_plan

PARTS = Parts(LaneWorld(), Marcher(), FlagAxis())


def test_a_manifest_holds_everything_that_changes_results() -> None:
    made = make_manifest(lane_plan(), PARTS, {"mujoco": "2.3.7", "sizes": (1, 2)})
    assert made["python"] == platform.python_version()
    assert made["packages"]["numpy"] == np.__version__
    assert made["packages"]["indgen"] == version("indgen") == indgen.__version__
    assert made["world"] == {"mujoco": "2.3.7", "sizes": [1, 2]}
    assert made["axis_card"]["id"] == "lane/flag-v1"
    assert made["policy_card"]["trained_levels"] == [0]
    assert made["policy_spec"]["chunk"] == 2
    assert made["protocol"] == {"success": "arrived", "max_steps": 12, "execute": 1}
    assert len(made["source"]) == 64


def test_a_manifest_is_plain_json_and_made_alike_each_time() -> None:
    parts = load_parts("libero", "replay", "pick")
    plan = make_plan(parts, label="x")
    made = make_manifest(plan, parts, {})
    assert json.loads(json.dumps(made)) == made
    assert make_manifest(plan, parts, {}) == made
    assert made["label"] == "x"
    assert made["policy_spec"]["support"] == {"demonstrator": "expert", "levels": [0], "per_start": True, "count": 10}


def test_the_checkout_is_named_by_its_commit() -> None:
    root = Path(indgen.__file__).resolve().parents[1]
    if not (root / ".git").exists():
        pytest.skip("indgen does not run from a checkout")
    head = subprocess.run(["git", "-C", str(root), "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    made = make_manifest(lane_plan(), PARTS, {})
    assert made["git"]["commit"] == head.stdout.strip()
    assert isinstance(made["git"]["dirty"], bool)


def test_a_resumed_run_accepts_the_manifest_it_began_with(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path, lane_plan())
    for _ in range(2):
        folder.adopt_manifest(make_manifest(lane_plan(), PARTS, {"lane": 1, "sizes": (1, 2)}))
    folder.close()
    assert json.loads((tmp_path / "manifest.json").read_text())["world"] == {"lane": 1, "sizes": [1, 2]}

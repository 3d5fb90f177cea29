"""What an installed indgen must look like: one import name, all sub-packages, no links, all data files."""

from __future__ import annotations

import importlib
import sys
from importlib.metadata import distribution
from pathlib import Path

PACKAGES = (
    "axes",
    "blockenv",
    "blockenv.baselines",
    "blockenv.checkpoints",
    "cli",
    "core",
    "policies",
    "reports",
    "reports.compare",
    "reports.stats",
    "runner",
    "sim",
    "sim.installs",
    "sim.libero",
    "sim.worker",
)
DATA = (
    "py.typed",
    "blockenv/checkpoints/ind-seed0.safetensors",
    "reports/page.html.j2",
    "sim/installs/libero.lock",
    "sim/installs/_build.lock",
)

dist = distribution("indgen")
files = [file for file in dist.files or [] if not str(file).startswith("..")]
tops = {file.parts[0] for file in files}
expected = {"indgen", f"indgen-{dist.version}.dist-info"}
if tops != expected:
    sys.exit(f"site-packages got {sorted(tops)}, expected {sorted(expected)}")
for name in PACKAGES:
    importlib.import_module(f"indgen.{name}")
root = Path(importlib.import_module("indgen").__file__ or "").parent
links = [path for path in root.rglob("*") if path.is_symlink()]
absent = [name for name in DATA if not (root / name).is_file()]
if links or absent:
    sys.exit(f"links: {links}; absent: {absent}")
sys.stdout.write(f"indgen {dist.version}: {len(files)} files, nothing else in site-packages\n")

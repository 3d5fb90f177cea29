"""A tiny world: one pure package, locked by hash, served from a folder instead of an index."""

from __future__ import annotations

import hashlib
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from indgen.sim.installs import locations

CHECK = """
import json, tinyworld
print("noise")
print(json.dumps({"python": "3.11.0", "versions": {"numpy": tinyworld.VERSION}, "problems": tinyworld.PROBLEMS}))
"""


@dataclass
class Tiny:
    recipes: Path
    wheels: Path

    def write(self, lock: str, package: str, version: str, modules: dict[str, str]) -> None:
        """Build the wheel, and the lock file that pins it."""
        wheel = self.wheels / f"{package}-{version}-py3-none-any.whl"
        info = f"{package}-{version}.dist-info"
        files = {
            **modules,
            f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n",
            f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        }
        files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in (*files, f"{info}/RECORD"))
        with zipfile.ZipFile(wheel, "w") as archive:
            for name, text in files.items():
                archive.writestr(name, text)
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        (self.recipes / lock).write_text(f"{package}=={version} \\\n    --hash=sha256:{digest}\n", encoding="utf-8")

    def world(self, version: str = "1.0", problems: str = "[]") -> None:
        """(Re)write the world's package, so that its lock changes with it."""
        text = f"VERSION = {version!r}\nPROBLEMS = {problems}\n"
        self.write("tiny.lock", "tinyworld", version, {"tinyworld.py": text})


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tiny:
    """The recipes of one world, ``tiny``, and an empty home."""
    made = Tiny(tmp_path / "recipes", tmp_path / "wheels")
    made.recipes.mkdir()
    made.wheels.mkdir()
    made.write("_build.lock", "tinybuild", "1.0", {"tinybuild.py": ""})
    made.world()
    (made.recipes / "tiny_check.py").write_text(CHECK, encoding="utf-8")
    monkeypatch.setattr(locations, "RECIPES", made.recipes)
    monkeypatch.setenv("INDGEN_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(made.wheels))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return made

from __future__ import annotations

import shutil
from pathlib import Path

from indgen.blockenv.baselines.checkpoints import SHIPPED

from .conftest import Command
from .test_bad_input import refused


def test_table1_from_checkpoints_that_stand(command: Command, tmp_path: Path) -> None:
    shutil.copytree(SHIPPED, tmp_path / "made" / "checkpoints")
    asked = ("reproduce", "table1", "--seeds", "0", "--rollouts", "2", "--out", "made")
    done = command(*asked, program="indgen")
    assert done.returncode == 0, done.stderr
    assert "10 training runs, 10 of them done already" in done.stdout
    table = (tmp_path / "made" / "table1.md").read_text()
    assert "| Oracle | 1 | 100.0 |" in table
    assert "| 3 x 3 windows (`local`) | 0 | 100.0 (16-100) | 100.0 (16-100) | 100.0 (16-100) | never |" in table
    assert command(*asked, program="indgen").returncode == 0
    assert (tmp_path / "made" / "table1.md").read_text() == table


def test_an_unknown_table_is_refused(command: Command) -> None:
    refused(command("reproduce", "table9", program="indgen"), 2, "unknown table", "table1")

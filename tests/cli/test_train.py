from __future__ import annotations

from pathlib import Path

import pytest

from indgen.blockenv.baselines.checkpoints import read_checkpoint

from .conftest import Command
from .test_bad_input import refused

LITTLE = ("train", "blockenv", "local", "--updates", "2", "--demonstrations", "5", "--grid", "4", "--levels", "0..1")


def test_training_resumes(command: Command, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    asked = (*LITTLE, "--seeds", "1,4", "--out", "made")
    first = command(*asked, program="indgen")
    assert first.returncode == 0, first.stderr
    assert "2 training runs, 0 of them done already" in first.stdout
    assert "local, seed 4: done" in first.stdout
    again = command(*asked, program="indgen")
    assert "2 training runs, 2 of them done already" in again.stdout
    assert "seed 4" not in again.stdout
    made = tmp_path / "made" / "local-seed4.safetensors"
    card = read_checkpoint(made).card
    assert (card.levels, card.grid, card.seed, card.demonstrations, card.updates) == ((0, 1), 4, 4, 5, 2)
    assert card.command == (
        "indgen train blockenv local --levels 0,1 --seeds 4 --grid 4 --demonstrations 5 --updates 2"
    )
    refused(
        command(*asked, "--updates", "3", program="indgen"), 2, "another checkpoint lies there", "choose another folder"
    )


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("libero", "ind"), ("unknown world to train in", "blockenv")),
        (("blockenv", "indd"), ("unknown BlockEnv method", "did you mean ind")),
        (("blockenv", "all", "--levels", "0,12"), ("level 12 does not fit", "grid of 13")),
        (("blockenv", "all", "--levels", "x"), ("levels cannot be read",)),
        (("blockenv", "all", "--seeds=-1"), ("seeds are counted from 0",)),
        (("blockenv", "all", "--seeds", "x"), ("seeds cannot be read",)),
        (("blockenv", "all", "--grid", "1000000"), ("no such grid to train on", "1 to 100")),
        (("blockenv", "all", "--demonstrations", "100000000000"), ("1 to 1000000",)),
        (("blockenv", "ind", "--updates", "0"), ("--updates 0",)),
    ],
)
def test_what_cannot_be_trained_is_refused(command: Command, asked: tuple[str, ...], said: tuple[str, ...]) -> None:
    refused(command("train", *asked, "--out", "made", program="indgen"), 2, *said)

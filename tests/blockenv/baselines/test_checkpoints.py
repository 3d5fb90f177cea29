from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from indgen.blockenv.baselines import METHODS
from indgen.blockenv.baselines.checkpoints import (
    CARD,
    SHIPPED,
    claimed,
    find_checkpoint,
    read_card,
    read_checkpoint,
    weights_path,
    write_checkpoint,
)
from indgen.core.errors import UsageError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    shipped = read_card(find_checkpoint("local").with_suffix(CARD))
    return write_checkpoint(tmp_path, shipped, load_file(find_checkpoint("local")))


def change_card(path: Path, **changes: object) -> None:
    card = path.with_suffix(CARD)
    card.write_text(json.dumps({**json.loads(card.read_text()), **changes}))


def vouch(path: Path) -> None:
    change_card(path, weights=sha256(path.read_bytes()).hexdigest())


def test_what_is_written_is_read_again(path: Path) -> None:
    here, there = read_checkpoint(path), read_checkpoint(find_checkpoint("local"))
    assert here.card == there.card
    assert all(np.array_equal(here.params[name], there.params[name]) for name in there.params)


def test_one_seed_of_every_method_ships_small_and_trained_on_the_paper_s_levels() -> None:
    cards = [read_card(file) for file in SHIPPED.glob("*.json")]
    assert sorted(card.method for card in cards) == sorted(METHODS)
    assert {(card.levels, card.grid, card.seed) for card in cards} == {((0, 1, 2), 10, 0)}
    assert {card.updates == METHODS[card.method].recipe.updates for card in cards} == {True}
    assert sum(file.stat().st_size for file in SHIPPED.iterdir() if file.is_file()) < 10e6
    for method in METHODS:
        read_checkpoint(find_checkpoint(method))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-10])


def garble(path: Path) -> None:
    path.write_bytes(b"no tensors at all, whatever the card says")
    vouch(path)


def rename(path: Path) -> None:
    params = load_file(path)
    save_file({f"old.{name}": value for name, value in params.items()}, path)
    vouch(path)


def poison(path: Path) -> None:
    params = load_file(path)
    save_file({name: np.full_like(value, np.nan) for name, value in params.items()}, path)
    vouch(path)


@pytest.mark.parametrize(
    ("breaking", "said"),
    [
        (cut, "truncated or changed"),
        (garble, "no safetensors"),
        (rename, "where local has"),
        (poison, "not finite"),
        (lambda path: change_card(path, revision=0), "stale"),
        (lambda path: change_card(path, method="bc"), "unknown method"),
        (lambda path: change_card(path, format="other"), "no checkpoint's card"),
        (lambda path: change_card(path, levels="0,1,2"), "malformed"),
        (lambda path: change_card(path, extra=1), "malformed"),
        (lambda path: change_card(path, grid=-4), "malformed"),
        (lambda path: change_card(path, grid=10**6), "malformed"),
        (lambda path: change_card(path, levels=[0, 99]), "malformed"),
        (lambda path: change_card(path, loss="low"), "malformed"),
        (lambda path: change_card(path, versions=7), "malformed"),
        (lambda path: path.with_suffix(CARD).write_text("[" * 200_000), "no JSON.*delete it"),
        (lambda path: path.with_suffix(CARD).write_text("{"), "no JSON"),
        (lambda path: path.with_suffix(CARD).unlink(), "card cannot be read"),
        (lambda path: path.unlink(), "cannot be read"),
    ],
)
def test_broken_checkpoints_are_refused_with_the_reason(
    path: Path, breaking: Callable[[Path], object], said: str
) -> None:
    breaking(path)
    with pytest.raises(UsageError, match=said):
        read_checkpoint(path)


def test_one_checkpoint_of_a_method_is_found_and_several_are_not_guessed_among(path: Path) -> None:
    assert find_checkpoint("local", path.parent) == path
    assert find_checkpoint("local", path) == path
    with pytest.raises(UsageError, match="indgen train blockenv rnn"):
        find_checkpoint("rnn", path.parent)
    weights_path(path.parent, "local", 1).write_bytes(path.read_bytes())
    with pytest.raises(UsageError, match=r"several.*local-seed0.safetensors, local-seed1.safetensors"):
        find_checkpoint("local", path.parent)


def test_a_folder_is_one_training_s_at_a_time_and_is_tried_before_anything_is_trained(tmp_path: Path) -> None:
    asked = pytest.raises(UsageError, match="another process trains in this folder")
    with claimed(tmp_path / "made"), asked, claimed(tmp_path / "made"):
        pass
    with claimed(tmp_path / "made"):
        pass
    (tmp_path / "file").write_text("precious")
    with pytest.raises(UsageError, match=r"cannot be written.*--out"), claimed(tmp_path / "file"):
        pass
    assert (tmp_path / "file").read_text() == "precious"

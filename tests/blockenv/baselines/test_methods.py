from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from indgen.blockenv.baselines import METHODS, Seen, find_method
from indgen.blockenv.baselines.checkpoints import find_checkpoint, read_checkpoint
from indgen.core.errors import UnknownName

from .networks import OUTPUTS, initial, shown

each_method = pytest.mark.parametrize("name", METHODS)


def acted(name: str, seen: Seen) -> np.ndarray:
    return METHODS[name].grasps(read_checkpoint(find_checkpoint(name)).params, seen)


@each_method
def test_networks_are_the_same_in_numpy_and_in_torch(name: str) -> None:
    torch = pytest.importorskip("torch")
    params, seen = initial(name), shown()
    tensors = {key: torch.from_numpy(value) for key, value in params.items()}
    for ours, theirs in zip(OUTPUTS[name](params, seen), OUTPUTS[name](tensors, seen), strict=True):
        assert ours.dtype == np.float64
        assert np.allclose(ours, theirs.numpy(), rtol=0, atol=1e-9)


@each_method
def test_trained_networks_are_the_same_in_numpy_and_in_torch(name: str) -> None:
    torch = pytest.importorskip("torch")
    params, seen = read_checkpoint(find_checkpoint(name)).params, shown()
    tensors = {key: torch.from_numpy(value) for key, value in params.items()}
    for ours, theirs in zip(OUTPUTS[name](params, seen), OUTPUTS[name](tensors, seen), strict=True):
        scale = max(1.0, float(np.abs(ours).max()))
        assert np.allclose(ours / scale, theirs.numpy() / scale, rtol=0, atol=1e-5)


@each_method
def test_episodes_do_not_see_one_another(name: str) -> None:
    seen = shown(level=2, count=9)
    order = np.random.default_rng(0).permutation(9)
    shuffled = Seen(seen.grids[order], seen.grasps[order], seen.levels[order], seen.lengths[order])
    together = acted(name, seen)
    assert together.shape == (9, 3)
    assert np.array_equal(acted(name, shuffled), together[order])
    for number in range(9):
        length = seen.lengths[number]
        alone = Seen(
            seen.grids[number : number + 1, :length],
            seen.grasps[number : number + 1, :length],
            seen.levels[number : number + 1],
            seen.lengths[number : number + 1],
        )
        assert np.array_equal(acted(name, alone)[0], together[number])


@each_method
def test_nobody_looks_at_padding_or_at_the_grasp_to_come(name: str) -> None:
    seen = shown(level=3, count=8)
    rng = np.random.default_rng(1)
    padding = ~seen.mask
    grids, grasps = seen.grids.copy(), seen.grasps.copy()
    grids[padding] = rng.integers(0, 3, grids[padding].shape)
    grasps[padding] = rng.integers(0, 2, grasps[padding].shape)
    grasps[np.arange(8), seen.lengths - 1] = 1
    assert np.array_equal(acted(name, Seen(grids, grasps, seen.levels, seen.lengths)), acted(name, seen))


@each_method
def test_initial_parameters_are_those_of_the_generator(name: str) -> None:
    first, again = (METHODS[name].initial(np.random.default_rng(4), 10) for _ in range(2))
    other = METHODS[name].initial(np.random.default_rng(5), 10)
    assert all(np.array_equal(first[key], again[key]) for key in first)
    assert any(not np.array_equal(first[key], other[key]) for key in first)
    assert {value.dtype for value in first.values()} == {np.dtype(np.float32)}


def test_methods_are_named_as_they_are_found() -> None:
    assert [METHODS[name].name for name in METHODS] == list(METHODS)
    assert find_method("ind").seeds == 5
    with pytest.raises(UnknownName, match="did you mean rope"):
        find_method("ropes")


def test_acting_needs_no_torch() -> None:
    code = (
        "import sys; from indgen.policies.baselines import ind; from indgen.policies.maml import maml;"
        "from indgen.blockenv.layout import world_layout; ind(world_layout(10)); maml(world_layout(10));"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

"""The registry, on real distributions: folders with metadata and entry points on ``sys.path``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from indgen.axes import axes
from indgen.core.errors import IndgenError, UnknownName
from indgen.core.registry import Registry
from indgen.policies import policies

GROUP = "indgen_test.axes"
REGISTRY = Registry("axis", GROUP)
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs a distribution that registers the names given."""

    def add(dist: str, version: str = "1.0", **entries: str) -> None:
        root = tmp_path / dist
        info = root / f"{dist}-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {dist}\nVersion: {version}\n")
        lines = "".join(f"{name} = {value}\n" for name, value in entries.items())
        (info / "entry_points.txt").write_text(f"[{GROUP}]\n{lines}")
        monkeypatch.syspath_prepend(str(root))

    return add


def test_names_come_from_every_distribution_and_are_sorted(install: Install) -> None:
    install("one", **{"robocasa/pick-v1": "math:pi", "libero/pick-v1": "math:tau"})
    install("two", **{"libero/goal-v1": "math:e"})
    assert list(REGISTRY.all()) == ["libero/goal-v1", "libero/pick-v1", "robocasa/pick-v1"]
    assert REGISTRY.all()["libero/goal-v1"].source == "two 1.0"


def test_a_name_loads_what_it_stands_for(install: Install) -> None:
    install("one", **{"libero/pick-v1": "math:tau"})
    assert REGISTRY.resolve("libero/pick-v1").load() == 6.283185307179586


@pytest.mark.parametrize(
    ("name", "world", "found"),
    [
        ("pick", "libero", "libero/pick-v10"),
        ("pick", "robocasa", "robocasa/pick-v3"),
        ("libero/pick", None, "libero/pick-v10"),
        ("libero/pick", "robocasa", "libero/pick-v10"),
        ("libero/pick-v9", "libero", "libero/pick-v9"),
        ("noop", "libero", "noop"),
        ("noop", None, "noop"),
        ("scale", None, "libero/scale-v1"),
    ],
)
def test_short_names_find_the_highest_version_in_their_world(
    install: Install, name: str, world: str | None, found: str
) -> None:
    ids = ("libero/pick-v9", "libero/pick-v10", "robocasa/pick-v3", "libero/scale-v1", "noop")
    install("one", **dict.fromkeys(ids, "math:pi"))
    assert REGISTRY.resolve(name, world).id == found


def test_an_unknown_name_suggests_names_of_the_chosen_world(install: Install) -> None:
    install("one", **dict.fromkeys(("libero/pick-v1", "libero/scale-v1", "robocasa/pickle-v1"), "math:pi"))
    with pytest.raises(UnknownName) as caught:
        REGISTRY.resolve("pik", "libero")
    assert str(caught.value) == "unknown axis; got 'pik'; exists: pick, scale; did you mean pick?"
    with pytest.raises(UnknownName, match=r"see `indgen axes`"):
        REGISTRY.resolve("zzz", "libero")


def test_a_name_of_other_worlds_says_which(install: Install) -> None:
    install("one", **dict.fromkeys(("libero/pick-v1", "grid/depth-v1", "grid20/depth-v1"), "math:pi"))
    with pytest.raises(UnknownName, match="exists: pick; it is of grid, grid20: add --world"):
        REGISTRY.resolve("depth", "libero")


def test_without_a_world_every_id_is_offered(install: Install) -> None:
    install("one", **dict.fromkeys(("libero/pick-v1", "robocasa/clutter-v1"), "math:pi"))
    with pytest.raises(UnknownName, match="exists: clutter, libero/pick-v1, pick, robocasa/clutter-v1"):
        REGISTRY.resolve("zzz")


def test_an_empty_registry_says_so() -> None:
    with pytest.raises(UnknownName, match="unknown axis; got 'pick'; exists: nothing"):
        REGISTRY.resolve("pick", "libero")


def test_one_id_from_two_distributions_names_both(install: Install) -> None:
    install("one", **{"libero/pick-v1": "math:pi"})
    install("two", "2.5", **{"libero/pick-v1": "math:tau"})
    with pytest.raises(IndgenError, match=r"two plugins registered the axis libero/pick-v1") as caught:
        REGISTRY.resolve("pick", "libero")
    assert {"one 1.0", "two 2.5"} <= set(str(caught.value).replace("got ", "").replace(";", " and").split(" and "))


def test_one_object_registered_twice_is_one_name(install: Install) -> None:
    install("one", **{"libero/pick-v1": "math:pi"})
    install("two", **{"libero/pick-v1": "math:pi"})
    assert list(REGISTRY.all()) == ["libero/pick-v1"]


@pytest.mark.parametrize(
    ("value", "cause"),
    [
        ("no_such_module_here:thing", "ModuleNotFoundError"),
        ("math:no_such_thing", "AttributeError"),
        ("broken_plugin_here:thing", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_broken_plugin_is_named_with_its_cause(install: Install, tmp_path: Path, value: str, cause: str) -> None:
    install("one", **{"libero/pick-v1": value})
    (tmp_path / "one" / "broken_plugin_here.py").write_text("thing = 1 / 0\n")
    with pytest.raises(IndgenError, match=rf"cannot load libero/pick-v1; got {cause}.*; registered by one 1.0"):
        REGISTRY.resolve("pick", "libero").load()


@pytest.mark.parametrize("name", ["Libero/Pick", "a/b/c", "pick-v", "pick-1"])
def test_a_malformed_id_is_named_and_blocks_no_other(install: Install, name: str) -> None:
    install("one", **{name: "math:pi", "libero/pick-v9": "math:pi"})
    assert REGISTRY.resolve("pick", "libero").id == "libero/pick-v9"
    with pytest.raises(IndgenError, match=r"malformed id in a plugin; got '.*' by one 1.0; expected \[world/\]name"):
        _ = REGISTRY.all()[name].parts


def test_the_built_ins_are_registered_and_load() -> None:
    assert {"libero/pick-v1"} <= set(axes.all())
    assert {"expert", "noop", "random", "replay"} <= set(policies.all())
    assert all(entry.load() is not None for registry in (axes, policies) for entry in registry.all().values())

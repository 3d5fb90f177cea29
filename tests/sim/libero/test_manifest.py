from __future__ import annotations

from indgen.sim.libero.manifest import digest_of

WHEEL = [("libero", "libero/envs/base.py", "aa"), ("libero-assets", "assets/milk.xml", "bb")]


def test_where_a_world_is_installed_does_not_matter() -> None:
    here = [("libero", "../../../bin/libero-pro", "cc"), ("libero", "libero/__pycache__/base.pyc", "dd")]
    there = [("libero", "../../../bin/libero-pro", "ee"), ("libero", "libero.dist-info/INSTALLER", "ff")]
    assert digest_of([*here, *WHEEL]) == digest_of([*reversed(WHEEL), *there]) == digest_of(WHEEL)


def test_what_the_wheels_hold_does() -> None:
    changed = [WHEEL[0], (*WHEEL[1][:2], "b2")]
    assert digest_of(changed) != digest_of(WHEEL)
    assert digest_of([]) == "unknown"

"""EGL, then OSMesa, then an error that names the missing Debian packages."""

from __future__ import annotations

import pytest

from indgen.core.errors import RenderingUnavailable
from indgen.sim import gl


def probes(egl: bool, osmesa: bool) -> dict[str, object]:
    return {"egl": lambda: egl, "osmesa": lambda: osmesa}


@pytest.mark.parametrize(
    ("egl", "osmesa", "asked", "chosen"),
    [
        (True, True, "", "egl"),
        (False, True, "", "osmesa"),
        (True, True, "osmesa", "osmesa"),
        (True, True, "disabled", "egl"),
    ],
)
def test_the_first_that_works_is_taken_unless_one_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, egl: bool, osmesa: bool, asked: str, chosen: str
) -> None:
    monkeypatch.setattr(gl, "_PROBES", probes(egl, osmesa))
    monkeypatch.setenv("MUJOCO_GL", asked)
    assert gl.choose_backend() == chosen


@pytest.mark.parametrize(("egl", "asked"), [(False, ""), (True, "osmesa")])
def test_without_any_the_debian_packages_are_named(monkeypatch: pytest.MonkeyPatch, egl: bool, asked: str) -> None:
    monkeypatch.setattr(gl, "_PROBES", probes(egl, False))
    monkeypatch.setenv("MUJOCO_GL", asked)
    with pytest.raises(RenderingUnavailable, match=r"apt-get install libegl1 libgl1-mesa-dri .* libosmesa6"):
        gl.choose_backend()
    assert RenderingUnavailable.exit_code == 2


def test_a_library_that_is_not_there_is_no_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr(gl.ctypes, "CDLL", missing)
    assert not gl._egl_works()
    assert not gl._osmesa_works()

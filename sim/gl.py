"""Which off-screen OpenGL this machine has: EGL first, then OSMesa (their frames are bit-identical on CPUs)."""

from __future__ import annotations

import ctypes
import os

from ..core.errors import RenderingUnavailable

_EGL_PLATFORM_DEVICE = 0x313F
_MOST_DEVICES = 16


def choose_backend() -> str:
    """``egl`` or ``osmesa``; MUJOCO_GL, if it names one of them, decides.

    Raises:
        RenderingUnavailable: if neither works, naming the Debian packages that bring them.
    """
    wanted = os.environ.get("MUJOCO_GL", "").lower()
    order = (wanted,) if wanted in _PROBES else tuple(_PROBES)
    for name in order:
        if _PROBES[name]():
            return name
    raise RenderingUnavailable(
        "no OpenGL that renders off screen",
        got=f"neither {' nor '.join(order)} works",
        expected="EGL or OSMesa",
        hint="on Debian: apt-get install libegl1 libgl1-mesa-dri (EGL) or libosmesa6 (OSMesa); "
        "policies that need no images run without either",
    )


def _egl_works() -> bool:
    """Whether an EGL device can be initialised, the way robosuite and MuJoCo do it."""
    try:
        egl = ctypes.CDLL("libEGL.so.1")
    except OSError:
        return False
    egl.eglGetProcAddress.restype = ctypes.c_void_p
    egl.eglGetProcAddress.argtypes = [ctypes.c_char_p]
    query, display_of = (egl.eglGetProcAddress(name) for name in (b"eglQueryDevicesEXT", b"eglGetPlatformDisplayEXT"))
    if not query or not display_of:
        return False
    pointer, integer = ctypes.c_void_p, ctypes.c_int
    query_devices = ctypes.CFUNCTYPE(ctypes.c_uint, integer, pointer, pointer)(query)
    get_display = ctypes.CFUNCTYPE(pointer, ctypes.c_uint, pointer, pointer)(display_of)
    egl.eglInitialize.argtypes = [pointer, pointer, pointer]
    devices, count = (pointer * _MOST_DEVICES)(), integer(0)
    if not query_devices(_MOST_DEVICES, devices, ctypes.byref(count)):
        return False
    displays = (get_display(_EGL_PLATFORM_DEVICE, device, None) for device in devices[: count.value])
    return any(display and egl.eglInitialize(display, None, None) for display in displays)


def _osmesa_works() -> bool:
    for name in ("libOSMesa.so.8", "libOSMesa.so.6", "libOSMesa.so"):
        try:
            ctypes.CDLL(name)
        except OSError:
            continue
        return True
    return False


_PROBES = {"egl": _egl_works, "osmesa": _osmesa_works}

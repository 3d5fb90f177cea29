"""Import robosuite 1.4 and LIBERO with the wanted OpenGL backend, or with none at all.

robosuite sets ``MUJOCO_GL=egl`` and loads EGL at import unless its macro MUJOCO_GPU_RENDERING is off, so the
macros module is put in place before robosuite is (robosuite/utils/binding_utils.py:30).
"""

from __future__ import annotations

import importlib.util
import os
import sys
import warnings
from pathlib import Path
from typing import Any

from ...core.errors import SimulatorError


def boot(backend: str | None) -> None:
    """Import robosuite and LIBERO.

    Args:
        backend: ``egl``, ``osmesa``, or None to load no OpenGL library.

    Raises:
        SimulatorError: if robosuite was imported already, with another backend, or is missing.
    """
    wanted = backend or "disabled"
    if "robosuite" in sys.modules:
        if os.environ.get("MUJOCO_GL") != wanted:
            raise SimulatorError("robosuite is already imported", got=os.environ.get("MUJOCO_GL"), expected=wanted)
        return
    os.environ["MUJOCO_GL"] = wanted
    if backend == "osmesa":
        os.environ["PYOPENGL_PLATFORM"] = "osmesa"
    _place_macros(gpu=backend == "egl")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import libero.libero.envs  # noqa: F401
        except ImportError as cause:
            raise SimulatorError(
                "cannot import LIBERO", got=str(cause), hint="run `indgen world install libero`"
            ) from cause


def _place_macros(gpu: bool) -> None:
    found = importlib.util.find_spec("robosuite")
    if found is None or found.origin is None:
        raise SimulatorError("robosuite is not installed", hint="run `indgen world install libero`")
    path = Path(found.origin).with_name("macros.py")
    spec = importlib.util.spec_from_file_location("robosuite.macros", path)
    assert spec is not None
    assert spec.loader is not None
    macros = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(macros)
    settings: Any = macros
    settings.MUJOCO_GPU_RENDERING = gpu
    # Its default log is one fixed file in the shared temp folder, and its import prints three warnings.
    settings.FILE_LOGGING_LEVEL = None
    settings.CONSOLE_LOGGING_LEVEL = "ERROR"
    sys.modules["robosuite.macros"] = macros

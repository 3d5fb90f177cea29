"""Runs in a world's interpreter: can it run LIBERO, and with which versions? Answers with one line of JSON.

Handed to ``python -c``, so it imports nothing of ours, and it is kept to what old Pythons understand: one of
those must get an answer, not a syntax error.
"""

import importlib
import importlib.metadata
import importlib.util
import json
import os
import sys
from typing import Any, Dict, List  # noqa: UP035

OLDEST = (3, 11)
DISTRIBUTIONS = ("robosuite", "mujoco", "numpy", "msgpack")


def versions() -> Dict[str, str]:  # noqa: UP006
    """Installed distributions and their versions."""
    found = {}
    for name in DISTRIBUTIONS:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = ""
    return found


def switch_off_opengl() -> None:
    """Have robosuite load no OpenGL library: its macros are put in place before it reads them."""
    os.environ["MUJOCO_GL"] = "disabled"
    package = importlib.util.find_spec("robosuite")
    if package is None or package.origin is None:
        raise ImportError("No module named 'robosuite'")
    path = os.path.join(os.path.dirname(package.origin), "macros.py")  # noqa: PTH118, PTH120
    spec = importlib.util.spec_from_file_location("robosuite.macros", path)
    if spec is None or spec.loader is None:
        raise ImportError("robosuite has no macros.py")
    macros: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(macros)
    macros.MUJOCO_GPU_RENDERING = False
    macros.FILE_LOGGING_LEVEL = None
    macros.CONSOLE_LOGGING_LEVEL = "ERROR"
    sys.modules["robosuite.macros"] = macros


def problems(found: Dict[str, str]) -> List[str]:  # noqa: UP006
    """Whatever keeps this interpreter from running LIBERO."""
    if sys.version_info < OLDEST:
        return ["Python %d.%d is older than the 3.11 that a worker needs" % sys.version_info[:2]]  # noqa: UP031
    if importlib.util.find_spec("msgpack") is None:
        return ["it lacks what a worker speaks with: pip install msgpack there"]
    if found["robosuite"] and not found["robosuite"].startswith("1.4."):
        return ["robosuite is " + found["robosuite"] + ", LIBERO needs 1.4"]
    try:
        switch_off_opengl()
        for module in ("mujoco", "libero.libero.envs"):
            importlib.import_module(module)
    except EOFError:
        return ["LIBERO asks a question at its first import: import it once by hand"]
    except Exception as cause:
        return ["%s: %s" % (type(cause).__name__, cause)]  # noqa: UP031
    return []


if __name__ == "__main__":
    at_hand = versions()
    answer = {
        "python": "%d.%d.%d" % sys.version_info[:3],  # noqa: UP031
        "versions": at_hand,
        "problems": problems(at_hand),
    }
    sys.stdout.write("\n" + json.dumps(answer) + "\n")

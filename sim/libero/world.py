"""LIBERO-Object as a registered world; imports no simulator."""

from __future__ import annotations

from ...core.scene import Scene
from ...core.world import View, WorkerSpec
from .layout import LAYOUT
from .scene import WORLD, revealed, scales
from .tasks import STARTS, TASKS


class LiberoObject:
    """Ten pick-and-place tasks with 50 published starts each.

    The step limit of 280 is the one of the published evaluations (openpi examples/libero/main.py:63).
    """

    id = WORLD
    layout = LAYOUT
    tasks = TASKS
    successes = ("published", "strict")
    max_steps = 280

    def starts(self, task: str) -> int:
        """Published init states of a task."""
        del task
        return STARTS

    def open(self, view: View) -> WorkerSpec:
        """Episodes run in worker processes with LIBERO's interpreter."""
        del view
        return WorkerSpec(install=WORLD, factory=f"{__package__}.env:LiberoEnv")

    def compile_key(self, scene: Scene) -> str:
        """Bodies are moved after the compile, scaled and added before it: one model per task, size and company."""
        sizes = (f"{body} x {factor:g}" for body, factor in sorted(scales(scene.edits).items()))
        return ", ".join((scene.task, *sizes, *(f"with {each['kind']}" for each in revealed(scene))))

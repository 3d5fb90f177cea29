"""Four LIBERO suites as a registered world; imports no simulator."""

from __future__ import annotations

from ...core.scene import Scene
from ...core.world import View, WorkerSpec
from .layout import LAYOUT
from .scene import WORLD, revealed, scales
from .tasks import ROLES, STARTS, TASKS


class LiberoObject:
    """LIBERO-Object, the default suite, and LIBERO-Spatial, -Goal and -10: ten tasks each, 50 published starts each."""

    id = WORLD
    layout = LAYOUT
    tasks = TASKS
    successes = ("published", "strict")
    max_steps = 280

    def starts(self, task: str) -> int:
        """Published init states of a task."""
        del task
        return STARTS

    def refuses(self, task: str, view: View) -> str | None:
        """Simulator truth and strict success are defined for some tasks only."""
        roles = ROLES[task]
        if view.privileged and (missing := roles.no_truth()):
            return missing
        return roles.no_strict() if view.success == "strict" else None

    def open(self, view: View) -> WorkerSpec:
        """Episodes run in worker processes with LIBERO's interpreter."""
        del view
        return WorkerSpec(install=WORLD, factory=f"{__package__}.env:LiberoEnv")

    def compile_key(self, scene: Scene) -> str:
        """Bodies are moved after the compile, scaled and added before it: one model per task, size and company."""
        sizes = (f"{body} x {factor:g}" for body, factor in sorted(scales(scene.edits).items()))
        return ", ".join((scene.task, *sizes, *(f"with {each['kind']}" for each in revealed(scene))))

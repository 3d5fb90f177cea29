"""The ten LIBERO-Object tasks, in the benchmark's order (libero/benchmark/libero_suite_task_map.py)."""

from __future__ import annotations

from ...core.world import Task

SUITE = "libero_object"
STARTS = 50
"""Published init states per task."""

_OBJECTS = (
    "alphabet_soup",
    "cream_cheese",
    "salad_dressing",
    "bbq_sauce",
    "ketchup",
    "tomato_sauce",
    "butter",
    "milk",
    "chocolate_pudding",
    "orange_juice",
)


def _task(name: str) -> Task:
    return Task(
        name=f"pick_up_the_{name}_and_place_it_in_the_basket",
        short=name,
        instruction=f"pick up the {name.replace('_', ' ')} and place it in the basket",
    )


TASKS = tuple(_task(name) for name in _OBJECTS)

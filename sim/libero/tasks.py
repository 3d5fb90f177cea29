"""The tasks of four LIBERO suites, in the benchmark's order (libero/benchmark/libero_suite_task_map.py).

Instructions are the benchmark's, made from the file names (libero/benchmark/__init__.py:27), as published
evaluations give them to policies; roles are those of the BDDL files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...core.world import Task
from .roles import Goal, Roles

STARTS = 50
"""Published init states per task."""
SUITE = "libero_object"
"""The default suite."""
MAX_STEPS = {SUITE: 280, "libero_spatial": 220, "libero_goal": 300, "libero_10": 520}
"""Step limits of the published evaluations (openpi examples/libero/main.py:60-67), the default suite first."""

_Row = tuple[Task, Roles]
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
_BOWL, _OTHER_BOWL, _BOTTLE = "akita_black_bowl_1", "akita_black_bowl_2", "wine_bottle_1"
_CABINET, _STOVE, _COOK = "wooden_cabinet_1", "flat_stove_1", "flat_stove_1_cook_region"
_KITCHEN, _LIVING = "libero_kitchen_tabletop_manipulation", "libero_living_room_tabletop_manipulation"


def _task(suite: str, name: str, short: str, problem: str, *goals: Goal, **stacked: tuple[str, str]) -> _Row:
    # What stands before the instruction names the scene.
    words = name.split("_SCENE", 1)[-1].split("_")[1:] if name[0].isupper() else name.split("_")
    return Task(name, short, " ".join(words), suite, MAX_STEPS[suite]), Roles(problem, goals, stacked)


def _object(name: str) -> _Row:
    full = f"pick_up_the_{name}_and_place_it_in_the_basket"
    return _task(SUITE, full, name, "libero_floor_manipulation", _in_basket(f"{name}_1"))


def _in_basket(body: str) -> Goal:
    return Goal("in", body, "basket_1", "basket_1_contain_region")


def _spatial(short: str, where: str, **stacked: tuple[str, str]) -> _Row:
    name = f"pick_up_the_black_bowl_{where}_and_place_it_on_the_plate"
    return _task("libero_spatial", name, short, "libero_tabletop_manipulation", Goal("on", _BOWL, "plate_1"), **stacked)


def _goal(short: str, name: str, goal: Goal) -> _Row:
    return _task("libero_goal", name, short, "libero_tabletop_manipulation", goal)


def _ten(short: str, name: str, problem: str, *goals: Goal) -> _Row:
    return _task("libero_10", name, short, problem, *goals)


def _rows() -> Iterator[_Row]:
    yield from map(_object, _OBJECTS)
    yield from _spatial_rows()
    yield from _goal_rows()
    yield from _ten_rows()


def _spatial_rows() -> Iterator[_Row]:
    cabinet, stove, cookies = ("on", _CABINET), ("on", _STOVE), ("on", "cookies_1")
    ramekin, drawer = ("on", "glazed_rim_porcelain_ramekin_1"), ("in", _CABINET)
    yield _spatial("between", "between_the_plate_and_the_ramekin")
    yield _spatial("next_to_ramekin", "next_to_the_ramekin")
    yield _spatial("table_center", "from_table_center")
    yield _spatial("on_cookie_box", "on_the_cookie_box", **{_BOWL: cookies, _OTHER_BOWL: cabinet})
    yield _spatial("in_drawer", "in_the_top_drawer_of_the_wooden_cabinet", **{_BOWL: drawer, _OTHER_BOWL: cabinet})
    yield _spatial("on_ramekin", "on_the_ramekin", **{_BOWL: ramekin, _OTHER_BOWL: cookies})
    yield _spatial("next_to_cookie_box", "next_to_the_cookie_box", **{_OTHER_BOWL: stove})
    yield _spatial("on_stove", "on_the_stove", **{_BOWL: stove, _OTHER_BOWL: cabinet})
    yield _spatial("next_to_plate", "next_to_the_plate")
    yield _spatial("on_cabinet", "on_the_wooden_cabinet", **{_BOWL: cabinet, _OTHER_BOWL: stove})


def _goal_rows() -> Iterator[_Row]:
    top = f"{_CABINET}_top_side"
    front = "main_table_stove_front_region"
    yield _goal("middle_drawer", "open_the_middle_drawer_of_the_cabinet", Goal("open", f"{_CABINET}_middle_region"))
    yield _goal("bowl_on_stove", "put_the_bowl_on_the_stove", Goal("on", _BOWL, _STOVE, _COOK))
    yield _goal("bottle_on_cabinet", "put_the_wine_bottle_on_top_of_the_cabinet", Goal("on", _BOTTLE, _CABINET, top))
    yield _goal(
        "bowl_in_top_drawer",
        "open_the_top_drawer_and_put_the_bowl_inside",
        Goal("in", _BOWL, _CABINET, f"{_CABINET}_top_region"),
    )
    yield _goal("bowl_on_cabinet", "put_the_bowl_on_top_of_the_cabinet", Goal("on", _BOWL, _CABINET, top))
    yield _goal(
        "plate_to_stove", "push_the_plate_to_the_front_of_the_stove", Goal("on", "plate_1", "main_table", front)
    )
    yield _goal("cheese_in_bowl", "put_the_cream_cheese_in_the_bowl", Goal("on", "cream_cheese_1", _BOWL))
    yield _goal("stove_on", "turn_on_the_stove", Goal("turnon", _STOVE))
    yield _goal("bowl_on_plate", "put_the_bowl_on_the_plate", Goal("on", _BOWL, "plate_1"))
    yield _goal(
        "bottle_on_rack",
        "put_the_wine_bottle_on_the_rack",
        Goal("on", _BOTTLE, "wine_rack_1", "wine_rack_1_top_region"),
    )


def _ten_rows() -> Iterator[_Row]:
    drawer, oven = "white_cabinet_1_bottom_region", "microwave_1_heating_region"
    soup, cheese, mug = "alphabet_soup_1", "cream_cheese_1", "white_yellow_mug_1"
    yield _ten(
        "soup_and_sauce",
        "LIVING_ROOM_SCENE2_put_both_the_alphabet_soup_and_the_tomato_sauce_in_the_basket",
        _LIVING,
        *map(_in_basket, (soup, "tomato_sauce_1")),
    )
    yield _ten(
        "cheese_and_butter",
        "LIVING_ROOM_SCENE2_put_both_the_cream_cheese_box_and_the_butter_in_the_basket",
        _LIVING,
        *map(_in_basket, (cheese, "butter_1")),
    )
    yield _ten(
        "pot_on_stove",
        "KITCHEN_SCENE3_turn_on_the_stove_and_put_the_moka_pot_on_it",
        _KITCHEN,
        Goal("turnon", _STOVE),
        Goal("on", "moka_pot_1", _STOVE, _COOK),
    )
    yield _ten(
        "bowl_in_bottom_drawer",
        "KITCHEN_SCENE4_put_the_black_bowl_in_the_bottom_drawer_of_the_cabinet_and_close_it",
        _KITCHEN,
        Goal("close", drawer),
        Goal("in", _BOWL, "white_cabinet_1", drawer),
    )
    yield _ten(
        "mugs_on_plates",
        "LIVING_ROOM_SCENE5_put_the_white_mug_on_the_left_plate_and_put_the_yellow_and_white_mug_on_the_right_plate",
        _LIVING,
        Goal("on", "porcelain_mug_1", "plate_1"),
        Goal("on", mug, "plate_2"),
    )
    yield _ten(
        "book_in_caddy",
        "STUDY_SCENE1_pick_up_the_book_and_place_it_in_the_back_compartment_of_the_caddy",
        "libero_study_tabletop_manipulation",
        Goal("in", "black_book_1", "desk_caddy_1", "desk_caddy_1_back_contain_region"),
    )
    yield _ten(
        "mug_and_pudding",
        "LIVING_ROOM_SCENE6_put_the_white_mug_on_the_plate_and_put_the_chocolate_pudding_to_the_right_of_the_plate",
        _LIVING,
        Goal("on", "porcelain_mug_1", "plate_1"),
        Goal("on", "chocolate_pudding_1", "living_room_table", "living_room_table_plate_right_region"),
    )
    yield _ten(
        "soup_and_cheese",
        "LIVING_ROOM_SCENE1_put_both_the_alphabet_soup_and_the_cream_cheese_box_in_the_basket",
        _LIVING,
        *map(_in_basket, (soup, cheese)),
    )
    yield _ten(
        "two_pots",
        "KITCHEN_SCENE8_put_both_moka_pots_on_the_stove",
        _KITCHEN,
        Goal("on", "moka_pot_1", _STOVE, _COOK),
        Goal("on", "moka_pot_2", _STOVE, _COOK),
        Goal("turnon", _STOVE),
    )
    yield _ten(
        "mug_in_microwave",
        "KITCHEN_SCENE6_put_the_yellow_and_white_mug_in_the_microwave_and_close_it",
        _KITCHEN,
        Goal("in", mug, "microwave_1", oven),
        Goal("close", "microwave_1"),
    )


_ALL = tuple(_rows())
TASKS = tuple(task for task, _ in _ALL)
SUITE_OF: Mapping[str, str] = {task.name: task.suite for task in TASKS}
ROLES: Mapping[str, Roles] = {task.name: roles for task, roles in _ALL}
"""Full task name to its roles."""

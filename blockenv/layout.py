"""What BlockEnv offers to a policy and takes from it; a grid's size is part of the action layout's name."""

from __future__ import annotations

import re

from ..core.layouts import ActionField, ActionLayout, ImageField, StateField, WorldLayout

GRID = 10
"""The paper's tables need L0 to L8; a grid of 10 gives the deepest of them four placements."""
LARGE = 20
"""Side of the larger registered grid, for levels that ``GRID`` does not hold."""
LARGEST_GRID = 100
"""Side of the largest grid that anything is trained on."""
_NAME = re.compile(r"^blockenv/grasp-([0-9]+)x\1$")


def action_layout(grid: int) -> ActionLayout:
    """A grasp as three whole numbers."""
    cells = float(grid - 1)
    return ActionLayout(
        name=f"blockenv/grasp-{grid}x{grid}",
        fields=(
            ActionField("row", 0.0, cells, "row of the cell, downwards", whole=True),
            ActionField("column", 0.0, cells, "column of the cell, to the right", whole=True),
            ActionField("theta", 0.0, 1.0, "0 grasps at top and bottom, 1 at left and right", whole=True),
        ),
    )


def world_layout(grid: int) -> WorldLayout:
    """Observations and actions of a grid."""
    return WorldLayout(
        action=action_layout(grid),
        images={"top": ImageField(512, 512, "the grid from above, row 0 at the top")},
        state={
            "grid": StateField((grid * grid,), "0 empty, 1 distractor, 2 goal", "row by row, row 0 at the top"),
            "level": StateField((1,), "blocks in each chain at the start"),
        },
    )


def grid_of(layout: WorldLayout) -> int | None:
    """The grid's size G of a BlockEnv layout; None for any other world's."""
    match = _NAME.match(layout.action.name)
    return int(match[1]) if match else None

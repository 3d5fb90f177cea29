"""What LIBERO offers to a policy and takes from it (shared names of robosuite 1.4's observables)."""

from __future__ import annotations

from ...core.layouts import ActionField, ActionLayout, ImageField, StateField, WorldLayout

ACTION = ActionLayout(
    name="libero/osc-pose-delta",
    fields=(
        *(ActionField(f"d{axis}", -1.0, 1.0, "+-1 is +-0.05 m, robot base frame") for axis in "xyz"),
        *(ActionField(f"da{axis}", -1.0, 1.0, "+-1 is +-0.5 rad of axis-angle, robot base frame") for axis in "xyz"),
        ActionField("gripper", -1.0, 1.0, "-1 opens, +1 closes"),
    ),
    rate=20.0,
)

CAMERAS = {"agentview": "agentview", "wrist": "robot0_eye_in_hand"}
"""Camera role to robosuite's camera name."""

LAYOUT = WorldLayout(
    action=ACTION,
    images={
        "agentview": ImageField(512, 512, "the scene from the front, upright: the basket and +y on the right"),
        "wrist": ImageField(512, 512, "from the hand, upright"),
    },
    state={
        "eef_pos": StateField((3,), "m", "world"),
        "eef_quat": StateField((4,), "xyzw", "world"),
        "gripper_qpos": StateField((2,), "m", "finger joints, open is (+0.04, -0.04)"),
        "gripper_qvel": StateField((2,), "m/s", "finger joints"),
        "joint_pos": StateField((7,), "rad", "arm joints"),
        "joint_vel": StateField((7,), "rad/s", "arm joints"),
    },
    privileged={
        "hand/pos": StateField((3,), "m", "world, grip site"),
        "hand/quat": StateField((4,), "xyzw", "world, grip site"),
        "gripper/qpos": StateField((2,), "m", "finger joints"),
        "pick/pos": StateField((3,), "m", "world, body origin"),
        "pick/quat": StateField((4,), "xyzw", "world"),
        "pick/box": StateField((2, 3), "m", "body, corners of its collision geoms"),
        "goal/pos": StateField((3,), "m", "world, centre of the contain region"),
        "goal/size": StateField((3,), "m", "half sizes of the contain region"),
        "others/pos": StateField((None, 3), "m", "world, body origins"),
        "others/quat": StateField((None, 4), "xyzw", "world"),
        "others/box": StateField((None, 2, 3), "m", "body, corners of their collision geoms"),
    },
)

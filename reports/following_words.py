"""The sentences about the following ratio."""

from __future__ import annotations

from .model import Following
from .stats import FollowingRatio
from .words import percent

NEAR = 0.2
"""A ratio this close to 0 or 1 is called by that number's words."""
_ZONES = (
    (-NEAR, "it goes the other way"),
    (NEAR, "it acts where it does at tau_0"),
    (1 - NEAR, "it follows in part"),
    (1 + NEAR, "it follows {target}"),
    (float("inf"), "it goes farther than {target}"),
)


def ratio_words(ratio: FollowingRatio) -> str:
    """``0.98 [0.95, 1.01]``, ``0.98``, ``–``."""
    if ratio.value is None:
        return "–"
    ends = ratio.interval
    return _two(ratio.value) + (f" [{_two(ends[0])}, {_two(ends[1])}]" if ends else "")


def _two(value: float) -> str:
    text = f"{value:.2f}"
    return "0.00" if text == "-0.00" else text


def meaning(ratio: FollowingRatio, role: str) -> str:
    """What a ratio says where its whole interval says one thing, ``it follows the object``; else what is open."""
    if ratio.value is None or ratio.interval is None:
        return f"undetermined, {ratio.reason}"
    low, high = (next(words for end, words in _ZONES if value <= end) for value in ratio.interval)
    said = low if low == high else f"undetermined, from '{low}' to '{high}'"
    return said.format(target=target(role))


def target(role: str) -> str:
    """What the axis moves, in words: ``the object``."""
    return {"pick": "the object"}.get(role, f"the {role}")


def following_line(found: Following) -> str:
    """``following ratio 0.98 [0.95, 1.01]: it follows the object``."""
    return f"following ratio {ratio_words(found.pooled)}: {meaning(found.pooled, found.role)}"


def following_notes(found: Following, confidence: float) -> list[str]:
    """How the ratio came about, and what casts doubt on it."""
    pooled, notes = found.pooled, []
    if pooled.interval is not None:
        notes.append(
            f"{pooled.n} episodes of {pooled.starts} starts, each against the same start's at level 0; "
            f"{percent(confidence)} interval, starts as clusters."
        )
    stood_in = found.how.get("approach", 0)
    if stood_in:
        notes.append(
            f"In {stood_in} of {sum(found.how.values())} the gripper never acted, there or at level 0: the hand's "
            "closest approach stands in, which can shift with a target that the hand merely passes."
        )
    values = [task.ratio.value for task in found.tasks if task.ratio.value is not None]
    if values and max(values) - min(values) > NEAR:
        notes.append(f"The tasks differ: {_two(min(values))} to {_two(max(values))}.")
    return notes

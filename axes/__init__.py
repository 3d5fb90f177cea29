"""Axes: what changes, step by step, and nothing else."""

from ..core.registry import Registry
from .composition import PLUS, Composed
from .contract import Axis, AxisCard, Selective
from .laws import AxisLawBroken, check_axis, check_levels

axes = Registry("axis", "indgen.axes")
"""Registered axes; each entry is a callable without arguments that returns an :class:`Axis`."""

__all__ = ["PLUS", "Axis", "AxisCard", "AxisLawBroken", "Composed", "Selective", "axes", "check_axis", "check_levels"]

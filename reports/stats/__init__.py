"""Statistics on plain counts: no run folder, no report; every method is explained in docs/statistics.md."""

from .area import Area, area_under_curve
from .capability import Capability, capability, fewest_above, fewest_below
from .following import FollowingRatio, following_ratio
from .intervals import CONFIDENCE, SMALLEST, interval, wilson
from .isotonic import MonotoneTest, antitonic, break_posterior, monotone_test
from .sets import THRESHOLD, LevelCounts, certified, confidence_set, frontier
from .symmetry import SymmetryTest, symmetry_tests
from .threshold import ThresholdFit, fit_threshold

__all__ = [
    "CONFIDENCE",
    "SMALLEST",
    "THRESHOLD",
    "Area",
    "Capability",
    "FollowingRatio",
    "LevelCounts",
    "MonotoneTest",
    "SymmetryTest",
    "ThresholdFit",
    "antitonic",
    "area_under_curve",
    "break_posterior",
    "capability",
    "certified",
    "confidence_set",
    "fewest_above",
    "fewest_below",
    "fit_threshold",
    "following_ratio",
    "frontier",
    "interval",
    "monotone_test",
    "symmetry_tests",
    "wilson",
]

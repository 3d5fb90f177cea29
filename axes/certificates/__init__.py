"""Certificates: which cells (task, level) of an axis are what the axis claims they are, and how that is known."""

from .model import EXPERT_SHARE, INVALID_SHARE, SEEN_SHARE, Broken, Cell, Certificate, ExpertVerdict, Geometry
from .shipped import read_certificate, shipped, uncertified

__all__ = [
    "EXPERT_SHARE",
    "INVALID_SHARE",
    "SEEN_SHARE",
    "Broken",
    "Cell",
    "Certificate",
    "ExpertVerdict",
    "Geometry",
    "read_certificate",
    "shipped",
    "uncertified",
]

"""Certify an axis: instantiate every start, compare it with tau_0's, and let an expert try what it has not seen."""

from .certify import Certification, certify
from .pictures import photograph

__all__ = ["Certification", "certify", "photograph"]

"""The scripted expert: privileged, closed loop on object poses, geometry only."""

from .policy import Expert

__all__ = ["Expert"]

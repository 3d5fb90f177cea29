"""Interpreter environments of worlds that cannot share the core's: where they live, how they are made."""

from .find import SHOWN, Status, interpreter, status
from .install import install
from .locations import home, names

__all__ = ["SHOWN", "Status", "home", "install", "interpreter", "names", "status"]

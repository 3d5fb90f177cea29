"""Reports: everything computed from episodes alone, rebuilt from a run folder at any time."""

from .breaks import THRESHOLD, break_levels
from .build import build, write
from .folder import RunFolder, read_run
from .model import (
    SCHEMA_VERSION,
    BreakLevel,
    Counts,
    InvalidCell,
    InvalidStart,
    LevelResult,
    Report,
    TaskResult,
)
from .table import render
from .tally import CONFIDENCE, Tally, interval, tally

__all__ = [
    "CONFIDENCE",
    "SCHEMA_VERSION",
    "THRESHOLD",
    "BreakLevel",
    "Counts",
    "InvalidCell",
    "InvalidStart",
    "LevelResult",
    "Report",
    "RunFolder",
    "Tally",
    "TaskResult",
    "break_levels",
    "build",
    "interval",
    "read_run",
    "render",
    "tally",
    "write",
]

"""Reports: everything computed from episodes alone, rebuilt from a run folder at any time."""

from .breaks import break_levels
from .build import build, undecided_frontier, write
from .folder import RunFolder, read_run
from .model import (
    SCHEMA_VERSION,
    BreakLevel,
    Counts,
    Decidable,
    DirectionView,
    InvalidCell,
    InvalidStart,
    LevelResult,
    Report,
    Secondary,
    TaskResult,
)
from .outcomes import Outcomes, collect
from .stats import CONFIDENCE, THRESHOLD, interval
from .table import render
from .tally import Tally, tally

__all__ = [
    "CONFIDENCE",
    "SCHEMA_VERSION",
    "THRESHOLD",
    "BreakLevel",
    "Counts",
    "Decidable",
    "DirectionView",
    "InvalidCell",
    "InvalidStart",
    "LevelResult",
    "Outcomes",
    "Report",
    "RunFolder",
    "Secondary",
    "Tally",
    "TaskResult",
    "break_levels",
    "build",
    "collect",
    "interval",
    "read_run",
    "render",
    "tally",
    "undecided_frontier",
    "write",
]

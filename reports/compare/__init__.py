"""Comparing runs: paired tests per level, whole curves, break levels, attribution."""

from .build import By, check_folder, compare, write
from .model import SCHEMA_VERSION, Comparison
from .table import render

__all__ = ["SCHEMA_VERSION", "By", "Comparison", "check_folder", "compare", "render", "write"]

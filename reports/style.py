"""How every figure looks."""

from __future__ import annotations

from typing import Any

PALETTE = {
    "ink": "#1f2328",
    "muted": "#6b7076",
    "faint": "#c3c8cd",
    "shade": "#e8eff5",
    "accent": "#0072b2",
    "alarm": "#d55e00",
    "paper": "#ffffff",
}
"""Colours by role, colour-blind safe (Okabe-Ito); the page maps them to its own light and dark ones."""

STYLE: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9,
    "svg.fonttype": "none",
    "svg.hashsalt": "indgen",
    "axes.edgecolor": PALETTE["muted"],
    "axes.linewidth": 0.8,
    "text.color": PALETTE["ink"],
    "axes.labelcolor": PALETTE["ink"],
    "xtick.color": PALETTE["muted"],
    "ytick.color": PALETTE["muted"],
    "xtick.labelcolor": PALETTE["ink"],
    "ytick.labelcolor": PALETTE["ink"],
}
"""Matplotlib settings of every figure."""

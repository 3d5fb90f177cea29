"""Policies: one ``act`` for scripted experts, learned networks and remote checkpoints."""

from ..core.registry import Registry
from .contract import Adaptive, Demonstration, Policy, PolicyCard, PolicySpec, Support
from .gate import check_fit, mismatches

policies = Registry("policy", "indgen.policies")
"""Registered policies; each entry is called with the world's layout and returns a :class:`Policy`."""

__all__ = [
    "Adaptive",
    "Demonstration",
    "Policy",
    "PolicyCard",
    "PolicySpec",
    "Support",
    "check_fit",
    "mismatches",
    "policies",
]

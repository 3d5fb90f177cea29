"""The paper's learned baselines on BlockEnv, and two controls. Networks run on NumPy; only training needs torch."""

from collections.abc import Mapping

from ...core.errors import UnknownName
from . import goal_action, ind, local, maml, rnn, rope, rope_joint, transformer, trm
from .encoding import Seen
from .method import Method, Recipe

METHODS: Mapping[str, Method] = {
    method.name: method
    for method in (
        rnn.METHOD,
        transformer.METHOD,
        rope.METHOD,
        goal_action.METHOD,
        ind.METHOD,
        maml.METHOD,
        trm.METHOD,
        rope_joint.METHOD,
        ind.THREE_PLANES,
        local.METHOD,
    )
}
"""Name to method, in the order of tables."""


def find_method(name: str) -> Method:
    """A method by name.

    Raises:
        UnknownName: with the names that exist.
    """
    if name not in METHODS:
        raise UnknownName("BlockEnv method", name, METHODS)
    return METHODS[name]


__all__ = ["METHODS", "Method", "Recipe", "Seen", "find_method"]

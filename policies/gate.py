"""The gate: policy spec against world layout, before the first rollout, every mismatch at once."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.errors import LayoutError
from ..core.layouts import WorldLayout
from .contract import Adaptive, Policy, PolicySpec


def mismatches(spec: PolicySpec, layout: WorldLayout) -> list[str]:
    """Everything about ``spec`` that ``layout`` does not offer, one line each; empty if they fit."""
    return [*_actions(spec, layout), *_images(spec, layout), *_names(spec, layout), *_history(spec)]


def check_fit(policy: Policy, layout: WorldLayout, world: str) -> None:
    """Refuse a policy that does not fit a world.

    Raises:
        LayoutError: listing every mismatch.
    """
    found = mismatches(policy.spec, layout)
    if policy.spec.support is not None and not isinstance(policy, Adaptive):
        found.append("spec asks for demonstrations but the policy has no adapt()")
    if found:
        raise LayoutError(
            f"policy {policy.card.id} does not fit world {world} ({len(found)} mismatch{'es' * (len(found) > 1)})",
            got="; ".join(found),
            hint="adapt the policy's spec, or choose another policy with `indgen policies`",
        )


def _actions(spec: PolicySpec, layout: WorldLayout) -> Iterator[str]:
    if spec.action != layout.action.name:
        yield f"action layout {spec.action}, the world takes {layout.action.name}"
    if spec.chunk < 1 or not 1 <= spec.execute <= spec.chunk:
        yield f"executes {spec.execute} of a chunk of {spec.chunk} actions, it must be 1 to the chunk's length"


def _images(spec: PolicySpec, layout: WorldLayout) -> Iterator[str]:
    for role, (height, width) in spec.images.items():
        offered = layout.images.get(role)
        if offered is None:
            yield f"camera {role}, the world has {', '.join(layout.images) or 'none'}"
        elif not (0 < height <= offered.height and 0 < width <= offered.width):
            yield f"camera {role} at {height}x{width} pixels, the world renders up to {offered.height}x{offered.width}"


def _names(spec: PolicySpec, layout: WorldLayout) -> Iterator[str]:
    for wanted, offered, what in (
        (spec.state, layout.state, "state"),
        (spec.privileged, layout.privileged, "privileged state"),
    ):
        for name in wanted:
            if name not in offered:
                yield f"{what} {name}, the world has {', '.join(offered) or 'none'}"


def _history(spec: PolicySpec) -> Iterator[str]:
    if any(offset < 1 for offset in spec.history) or list(spec.history) != sorted(set(spec.history)):
        yield f"history offsets {list(spec.history)}, they must be positive, distinct and ascending"

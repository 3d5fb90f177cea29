"""The sentences about what the counts show: sets, what n decides, warnings, and the secondary views."""

from __future__ import annotations

from collections.abc import Sequence

from . import words
from .model import BreakLevel, DirectionView, Report
from .stats import Capability, SymmetryTest
from .words import join, percent, signed

_STAGES = ("none", "reached", "grasped", "lifted", "over goal", "placed")
"""Words of pick-and-place worlds, in the order in which they follow; other words come after them, by name."""


def set_words(levels: Sequence[int | None]) -> str:
    """``{+1, +2}``, ``{+1 to +6, not reached}``."""
    reached = [signed(level) for level in levels if level is not None]
    inside = [f"{reached[0]} to {reached[-1]}"] if len(reached) > 3 else reached
    return "{" + ", ".join([*inside, *(["not reached"] if None in levels else [])]) + "}"


def set_sentence(report: Report, found: BreakLevel) -> str:
    """``95% set {0, +1}; level 0 itself is not certified``."""
    text = f"{percent(report.confidence)} set {set_words(found.set)}"
    inner = found.set[0]
    if found.base_certified or inner is None or found.set == (inner,):
        return text
    return f"{text}; {'tau_0' if inner == 0 else f'level {signed(inner)}'} itself is not certified"


def headline(report: Report) -> list[str]:
    """The break level of each direction with its set, one sentence each; then the claim about both at once."""
    if not report.break_levels:
        return ["no break level: the plan has no level beyond 0"]
    so_far = "" if report.complete else "so far: "
    lines = [
        f"direction {found.direction}: {so_far}{words.verdict(report, found)}; {set_sentence(report, found)}"
        for found in report.break_levels
    ]
    return [*lines, *joint(report)]


def joint(report: Report) -> list[str]:
    """The sets for a claim about both directions at once; nothing for an axis with one direction."""
    sets = [(found.direction, found.joint_set) for found in report.break_levels if found.joint_set is not None]
    if not sets:
        return []
    if all(found.joint_set == found.set for found in report.break_levels):
        return ["both directions at once: the same sets"]
    return ["both directions at once: " + "; ".join(f"{direction} {set_words(levels)}" for direction, levels in sets)]


def published_lines(report: Report) -> list[str]:
    """The estimate as the paper counts, beside ours; nothing where every cell that was run is certified."""
    if report.published is None:
        return []
    counts = ", ".join(f"{signed(level.level)} {level.successes}/{level.n}" for level in report.published.levels)
    return [
        *(
            f"direction {found.direction}: {words.verdict(report, found)}; {set_sentence(report, found)}"
            for found in report.published.break_levels
        ),
        f"successes: {counts}",
    ]


def capability_lines(report: Report) -> list[str]:
    """What this n can certify, what it never can, and which levels it left open."""
    decided, threshold = report.decidable, percent(report.threshold)
    counts = [row for row in decided.counts if row.n]
    if not counts:
        return [f"nothing is counted; to certify 'below {threshold}' takes {decided.fewest_below} or more rollouts"]
    lines = [_deciding(report, row) for row in dict.fromkeys((counts[0], counts[-1]))]
    left = f"undecided: {_levels(decided.undecided)}" if decided.undecided else "every level is decided"
    return [*lines, left]


def _deciding(report: Report, row: Capability) -> str:
    """What one n can certify."""
    threshold, alpha = percent(report.threshold), report.decidable.alpha
    above = "" if row.above_at_least is None else f"'above' by {row.above_at_least} or more"
    if row.below_at_most is not None:
        never_above = f"'above' by none: it takes {report.decidable.fewest_above}"
        return (
            f"n = {row.n}: 'below {threshold}' is certified by {row.below_at_most} successes or fewer, "
            f"{above or never_above}"
        )
    chance = (1 - report.threshold) ** row.n
    never = (
        f"n = {row.n} can never certify 'below {threshold}': 0 of {row.n} has probability {chance:.3f} at {threshold}, "
        f"more than {alpha:.3g}; it takes {report.decidable.fewest_below}"
    )
    return f"{never}; {above}" if above else never


def _levels(levels: Sequence[int]) -> str:
    """``+1 and +3``; ``-3 to +3`` where there are more than three in a row."""
    if len(levels) > 3 and levels[-1] - levels[0] == len(levels) - 1:
        return f"{signed(levels[0])} to {signed(levels[-1])}"
    return join(map(signed, levels))


def warnings(report: Report) -> list[str]:
    """What casts doubt on the claims: near-replicates, and success that rises outward."""
    found = []
    if report.near_replicates:
        first = next(result for result in report.levels if result.level == report.near_replicates[0])
        found.append(
            f"near-replicates at {_levels(report.near_replicates)} ({first.distinct} distinct of "
            f"{first.n} at {signed(first.level)}): a deterministic policy did nearly the same again and again; "
            "n may overstate the evidence"
        )
    found += [
        f"success rises on the way outward, direction {view.direction} (p = {view.monotone.p_value:.2g}): the axis "
        "does not simply get harder; no curve is smoothed for it"
        for view in report.secondary.directions
        if view.monotone is not None and view.monotone.p_value < 1 - report.confidence
    ]
    return found


def secondary_line(report: Report) -> list[str]:
    """One line for the terminal."""
    areas = [f"{view.direction} {view.area.value:.2f}" for view in report.secondary.directions if view.area]
    return [f"Secondary, no claim (more on the page): area under the curve {', '.join(areas)}."] if areas else []


def isotonic_words(view: DirectionView) -> str:
    """``0 100%, +1 62%``."""
    pairs = zip(view.levels, view.isotonic, strict=True)
    return ", ".join(f"{signed(level)} {rate:.0%}" for level, rate in pairs) or "–"


def monotone_words(report: Report, view: DirectionView) -> str:
    """Whether success falls outward, and how sure that is."""
    if view.monotone is None:
        return "–"
    if view.monotone.deviance == 0:
        return "the counts never rise"
    rises = view.monotone.p_value < 1 - report.confidence
    return f"{'success rises' if rises else 'rises within chance'} (p = {view.monotone.p_value:.2g})"


def posterior_words(view: DirectionView) -> str:
    """The likely break levels: ``+2 97%, +3 3%``; less than 0.5 % is left out."""
    likely = [(level, share) for level, share in view.posterior if share >= 0.005]
    return ", ".join(f"{'not reached' if level is None else signed(level)} {share:.0%}" for level, share in likely)


def threshold_words(report: Report, view: DirectionView) -> str:
    """Where the logit fit crosses the threshold, with its interval and misfit."""
    fit, card = view.threshold, report.axis_card
    misfit = "" if fit.misfit is None else f"; misfit p = {fit.misfit:.2g}"
    if fit.misfit is not None and fit.misfit < 0.05:
        misfit += ", the curve is not logistic"
    if fit.answer == "estimate" and fit.value is not None:
        low = "inside the first level" if fit.low is None else words.length(card, fit.low)
        high = "past the last level" if fit.high is None else words.length(card, fit.high)
        return f"{words.length(card, fit.value)} ({percent(report.confidence)}: {low} to {high}){misfit}"
    if fit.answer == "between levels" and fit.low is not None and fit.high is not None:
        return f"between {words.length(card, fit.low)} and {words.length(card, fit.high)}; too steep for a fit"
    return "–" if fit.answer == "no data" else f"no threshold inside the range{misfit}"


def area_words(view: DirectionView) -> str:
    """``0.55 (0.51 to 0.58)``."""
    if view.area is None:
        return "–"
    ends = view.area.interval
    return f"{view.area.value:.2f}" + (f" ({ends[0]:.2f} to {ends[1]:.2f})" if ends else " (too few starts)")


def symmetry_words(test: SymmetryTest) -> str:
    """``+1 against -1: 5 of 40 starts succeed at +1 only, 1 at -1 only; p = 0.22, Holm 0.44``."""
    plus, minus = signed(test.distance), signed(-test.distance)
    return (
        f"{plus} against {minus}: of {test.pairs} shared starts {test.only_positive} succeed at {plus} only, "
        f"{test.only_negative} at {minus} only; exact McNemar p = {test.p_value:.2g}, Holm {test.p_holm:.2g}"
    )


def stage_names(report: Report) -> list[str]:
    """Every stage that some counted episode reached, in order."""
    met = {stage for level in report.levels for stage in level.stages}
    return sorted(met, key=lambda stage: (_STAGES.index(stage) if stage in _STAGES else len(_STAGES), stage))

"""Sweep files: what ``evaluate-axis`` can be told, as YAML, several policies and axes at once.

Every mistake is named with the line it stands on, all of them in one message.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from ..core.errors import UsageError
from .levels import parse_levels
from .plan import MOST_ROLLOUTS

Path_ = tuple[str | int, ...]
"""Where a value stands in a file: keys and positions from the outside in."""


def _listed(value: Any) -> Any:
    """One name for a list of one."""
    if isinstance(value, str):
        return (value,)
    return tuple(value) if isinstance(value, list) else value


def _joined(value: Any) -> Any:
    """A list, or a single number, for the comma-separated text that the command line takes."""
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _levels(value: str | None) -> str | None:
    try:
        parse_levels(value or "0")
    except UsageError as cause:
        raise ValueError(str(cause)) from cause
    return value


Names = Annotated[tuple[str, ...], BeforeValidator(_listed), Field(min_length=1)]
Commas = Annotated[str | None, BeforeValidator(_joined)]
Count = Annotated[int, Field(ge=1)]
_EXPECTED = {
    "int_type": "a whole number",
    "string_type": "text",
    "bool_type": "true or false",
    "tuple_type": "a name or a list of names",
    "greater_than_equal": "{ge} or more",
    "less_than_equal": "{le} or less",
    "too_short": "at least one name",
    "literal_error": "paper",
}
"""Pydantic's kinds of error, in a user's words."""


class Sweeps(BaseModel):
    """What to sweep; the names are the command line's."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    policy: Names = ()
    """One or several registered policies."""
    axis: Names = ()
    """One or several registered axes."""
    world: str = "libero"
    suite: Commas = None
    tasks: Commas = None
    levels: Annotated[Commas, AfterValidator(_levels)] = None
    rollouts: Count = 50
    first_start: Annotated[int, Field(ge=0, le=MOST_ROLLOUTS)] = 0
    seed: int = 0
    workers: Count | None = None
    out: str | None = None
    """Run folder of one sweep, or the folder that holds those of several."""
    label: str | None = None
    max_steps: Count | None = None
    success: str | None = None
    video: bool = False
    top_up: Count | None = None
    certificate: str | None = None
    """File of a certificate that ``indgen certify`` wrote."""
    include_uncertified: bool = False
    protocol: Literal["paper"] | None = None
    """``paper``: every cell is run, certified or not, and counted as published beside our own count."""

    @property
    def includes_uncertified(self) -> bool:
        """Whether cells without a certificate's blessing are run."""
        return self.include_uncertified or self.protocol == "paper"

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Every (policy, axis)."""
        return product(self.policy, self.axis)


def make_sweeps(given: Mapping[str, Any], file: Path | None = None) -> Sweeps:
    """What a file says, overridden by what was given on the command line.

    Args:
        given: names and values from the command line; None where nothing was given.
        file: a YAML file; None for none.

    Raises:
        UsageError: if the file cannot be read, for every mistake in it with its line, or if no policy or no axis
            is named.
    """
    said, lines = _read(file) if file is not None else ({}, {})
    chosen = {**said, **{name: value for name, value in given.items() if value is not None}}
    try:
        sweeps = Sweeps.model_validate(chosen)
    except ValidationError as cause:
        raise UsageError(_mistakes(cause, file, lines)) from cause
    for name in ("policy", "axis"):
        if not getattr(sweeps, name):
            raise UsageError(f"no {name} given", expected=f"--{name}, or `{name}:` in a --config file")
    return sweeps


def _read(file: Path) -> tuple[dict[str, Any], dict[Path_, int]]:
    """A file's mapping, and the line of every value in it."""
    try:
        text = file.read_text(encoding="utf-8")
        _refuse_aliases(text, file)
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        said = yaml.safe_load(text)
    except yaml.MarkedYAMLError as cause:
        line = cause.problem_mark.line + 1 if cause.problem_mark else 1
        raise UsageError(f"{file}:{line}: this is no YAML", got=cause.problem) from cause
    except RecursionError as cause:
        raise UsageError(f"{file}: this is nested too deeply", expected="names and values, or lists of them") from cause
    except (OSError, ValueError, yaml.YAMLError) as cause:
        raise UsageError(f"cannot read {file}", got=_first_line(cause)) from cause
    if not isinstance(root, yaml.MappingNode):
        raise UsageError(f"{file}:1: a sweep file must hold names and values", expected="e.g. `policy: expert`")
    lines: dict[Path_, int] = {}
    _note_lines(root, (), lines, file)
    strange = [key for key in said if not isinstance(key, str)]
    if strange:
        raise UsageError(f"{file}: names must be text", got=repr(strange[0]), exists=Sweeps.model_fields)
    return {key.replace("-", "_"): value for key, value in said.items()}, lines


def _refuse_aliases(text: str, file: Path) -> None:
    """Aliases say nothing here that could not be written out, and a few of them can stand for billions of values."""
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            line = event.start_mark.line + 1 if event.start_mark else 1
            raise UsageError(f"{file}:{line}: aliases are not read", got=f"*{event.anchor}")


def _note_lines(node: yaml.Node, path: Path_, lines: dict[Path_, int], file: Path) -> None:
    lines[path] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            inner = (*path, str(key.value).replace("-", "_"))
            if inner in lines:
                line = key.start_mark.line + 1
                raise UsageError(f"{file}:{line}: {key.value} is given twice", got=f"first on line {lines[inner]}")
            _note_lines(value, inner, lines, file)
            lines[inner] = key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            _note_lines(value, (*path, number), lines, file)


def _mistakes(cause: ValidationError, file: Path | None, lines: Mapping[Path_, int]) -> str:
    return "; ".join(_mistake(error, file, lines) for error in cause.errors())


def _mistake(error: ErrorDetails, file: Path | None, lines: Mapping[Path_, int]) -> str:
    where = error["loc"]
    name = str(where[0]) if where else ""
    line = next((lines[where[:end]] for end in range(len(where), 0, -1) if where[:end] in lines), None)
    place = f"{file}:{line}: " if file is not None and line is not None else ""
    if name not in Sweeps.model_fields:
        close = get_close_matches(name, Sweeps.model_fields, n=1)
        hint = f", did you mean {close[0]}?" if close else f"; exists: {', '.join(Sweeps.model_fields)}"
        return f"{place}unknown name {name!r}{hint}"
    if error["type"] == "value_error":
        return place + error["msg"].removeprefix("Value error, ")
    flag = name.replace("_", "-")
    known = _EXPECTED.get(error["type"])
    expected = error["msg"] if known is None else known.format_map(error.get("ctx", {}))
    return f"{place}{flag if place else f'--{flag}'} {error['input']}; expected {expected}"


def _first_line(cause: BaseException) -> str:
    text = cause.strerror if isinstance(cause, OSError) and cause.strerror else str(cause)
    return text.splitlines()[0] if text else type(cause).__name__


def folder_in(parent: Path, pair: Sequence[str]) -> Path:
    """Where one of several sweeps goes: ``<parent>/<policy>-<axis>``."""
    return parent / "-".join("".join(c if c.isalnum() or c in "-_." else "_" for c in name) for name in pair)

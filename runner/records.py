"""Are a plugin's cards and specs the records they must be? Asked before a sweep, not after it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ..core.errors import UsageError


def check_record(kind: type, record: Any, owner: str) -> None:
    """A record must be of its kind, hold the types it declares, and survive JSON: a report is made of it.

    Args:
        kind: the record's dataclass.
        record: what a plugin gave.
        owner: registered id of the plugin.

    Raises:
        UsageError: naming the first field that is wrong.
    """
    if isinstance(record, type) or not isinstance(record, kind):
        raise UsageError(f"{owner} has no {kind.__name__}", got=type(record).__name__, expected=kind.__name__)
    fields: Any = record
    try:
        TypeAdapter(kind).validate_json(json.dumps(asdict(fields), allow_nan=False), strict=True)
    except ValidationError as cause:
        first = cause.errors()[0]
        where = ".".join(map(str, first["loc"])) or "value"
        raise UsageError(
            f"the {kind.__name__} of {owner} is malformed", got=f"{where} = {first['input']!r}", expected=first["msg"]
        ) from cause
    except (ValueError, TypeError) as cause:
        raise UsageError(f"the {kind.__name__} of {owner} is malformed", got=str(cause).splitlines()[0]) from cause

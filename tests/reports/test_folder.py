from __future__ import annotations

import gc
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indgen.core.errors import LedgerError
from indgen.reports import read_run
from indgen.runner.ledger import Event, Ledger

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters(), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=4), JSON, max_size=4))
def test_a_ledger_line_is_read_back_as_json_would(data: dict[str, Any]) -> None:
    plain = json.loads(json.dumps(data))
    found = Event.parse(Event(0, "episode", "now", plain).line()).data
    assert found == plain
    assert json.dumps(found) == json.dumps(plain)


def test_undecodable_names_survive() -> None:
    data = {"cause": "no file \udcff"}
    assert Event.parse(Event(0, "episode", "now", data).line()).data == data


def test_topped_levels_come_from_the_ledger(tmp_path: Path, new_plan: Any, new_run: Any) -> None:
    run = new_run(tmp_path / "run", new_plan(top_up=9), [])
    with Ledger(run / "events.jsonl") as ledger:
        for levels in ([1], [-1, 0]):
            ledger.append("top-up", {"levels": levels})
    assert read_run(run).topped == (-1, 0, 1)


@pytest.mark.parametrize("enabled", [True, False])
def test_garbage_collection_is_as_it_was_even_after_an_error(
    tmp_path: Path, new_plan: Any, new_run: Any, enabled: bool
) -> None:
    run = new_run(tmp_path / "run", new_plan(), [])
    with Ledger(run / "events.jsonl") as ledger:
        ledger.append("episode", {"task": "none of ours"})
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        with pytest.raises(LedgerError):
            read_run(run)
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()

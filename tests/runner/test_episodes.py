from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from indgen.core import Act, EpisodeKey
from indgen.core.errors import LedgerError
from indgen.runner.episodes import Acted, Episode, Outcome, fold
from indgen.runner.ledger import Event

KEY = {"task": "milk", "rollout": 0, "level": 1}


def episode(**changes: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "policy": "expert",
        "axis": "libero/pick-v1",
        **KEY,
        "outcome": "success",
        "cause": None,
        "steps": 100,
        "seed": 1,
        "policy_seed": 2,
        "attempt": 1,
        "started": "2025-01-01T00:00:00.000+00:00",
        "wall_s": 1.5,
        "policy_s": 0.25,
    }
    return {**fields, **changes}


def events(*entries: tuple[str, dict[str, Any]]) -> list[Event]:
    return [Event(seq, kind, "2025-01-01T00:00:00.000+00:00", data) for seq, (kind, data) in enumerate(entries)]


def stand(*entries: tuple[str, dict[str, Any]]) -> list[Episode]:
    return list(fold(events(*entries)).values())


def test_the_later_attempt_stands() -> None:
    retried = episode(attempt=2)
    assert stand(("episode", episode(outcome="error", cause="crash")), ("episode", retried)) == [Episode(**retried)]


def test_an_amendment_changes_its_fields_alone() -> None:
    fields = {"outcome": "failure", "cause": "it rolled out again", "judge": "human"}
    [standing] = stand(("episode", episode()), ("amend", {"key": KEY, "fields": fields, "reason": "watched the video"}))
    assert standing == Episode(**episode(**fields))
    assert (standing.outcome, standing.judge) == (Outcome.FAILURE, "human")


def test_a_void_takes_an_episode_back_until_it_runs_again() -> None:
    void = ("void", {"key": KEY, "reason": "the camera fell"})
    assert stand(("episode", episode()), void) == []
    assert stand(("episode", episode()), void, ("episode", episode(attempt=2))) == [Episode(**episode(attempt=2))]


def test_a_void_touches_no_other_key() -> None:
    others = [episode(rollout=1), episode(level=0), episode(task="soup")]
    standing = stand(*(("episode", data) for data in [episode(), *others]), ("void", {"key": KEY}))
    assert {e.key for e in standing} == {EpisodeKey("milk", 1, 1), EpisodeKey("milk", 0, 0), EpisodeKey("soup", 0, 1)}


@pytest.mark.parametrize("kind", ["amend", "void"])
@pytest.mark.parametrize(
    "before", [[], [("episode", episode(level=2))], [("episode", episode()), ("void", {"key": KEY})]]
)
def test_nothing_that_is_not_there_can_be_amended_or_voided(
    kind: str, before: list[tuple[str, dict[str, Any]]]
) -> None:
    with pytest.raises(LedgerError, match=rf"event {len(before)} would {kind} an episode that is not there; got milk"):
        stand(*before, (kind, {"key": KEY, "fields": {}}))


def test_what_a_runner_notes_for_itself_changes_nothing() -> None:
    assert stand(("started", {"any": 1}), ("episode", episode()), ("ended", {})) == [Episode(**episode())]


@given(st.permutations([(task, rollout, level) for task in ("a", "b") for rollout in (0, 1) for level in (-1, 0)]))
def test_the_order_of_different_episodes_makes_no_difference(order: list[tuple[str, int, int]]) -> None:
    folded = fold(events(*(("episode", episode(task=t, rollout=r, level=k)) for t, r, k in order)))
    assert list(folded) == sorted(EpisodeKey(t, r, k) for t, r, k in order)


@pytest.mark.parametrize("changes", [{"outcome": "perhaps"}, {"judge": "dice"}, {"surprise": 1}, {"steps": "many"}])
def test_a_record_that_is_none_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Episode(**episode(**changes))


def test_an_amendment_cannot_change_which_episode_it_is() -> None:
    try:
        folded = fold(events(("episode", episode()), ("amend", {"key": KEY, "fields": {"level": 3}})))
    except LedgerError:
        return
    assert [e.key for e in folded.values()] == list(folded)


def test_a_record_survives_json_and_its_lines_keep_their_order() -> None:
    record = Episode(**episode())
    assert Episode.from_data(json.loads(json.dumps(record.to_data()))) == record
    assert list(record.to_data())[:6] == ["policy", "axis", "level", "task", "rollout", "outcome"]


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("void", {}),
        ("void", {"key": 5}),
        ("void", {"key": {"task": "milk"}}),
        ("amend", {"key": KEY}),
        ("amend", {"key": KEY, "fields": "all"}),
    ],
)
def test_an_event_that_says_nothing_is_named(kind: str, data: dict[str, Any]) -> None:
    with pytest.raises(LedgerError, match="event 1 "):
        stand(("episode", episode()), (kind, data))


ACTS = {"pick": {"hand": [0.1, 0.2, 0.3], "target": [0.1, 0.25, 0.05], "how": "command"}}


def test_acts_survive_json_and_lines_without_them_are_read() -> None:
    told = Episode.from_data(episode(acts=ACTS))
    assert told.to_data()["acts"] == ACTS
    assert Episode.from_data(json.loads(json.dumps(told.to_data()))) == told
    assert Episode.from_data(episode()).acts is None


def test_acts_are_kept_to_a_hundredth_of_a_millimetre() -> None:
    kept = Acted.of(Act((0.123456789, -1.0, 2), (0.0, 1e-9, 0.5), "end"))
    assert kept.to_data() == {"hand": [0.12346, -1.0, 2.0], "target": [0.0, 0.0, 0.5], "how": "end"}


@pytest.mark.parametrize("place", [[0.1, 0.2], [0.1, 0.2, float("nan")], [0.1, 0.2, "far"], None])
def test_an_act_that_is_none_is_refused(place: Any) -> None:
    with pytest.raises(LedgerError, match="no episode"):
        Episode.from_data(episode(acts={"pick": {**ACTS["pick"], "hand": place}}))

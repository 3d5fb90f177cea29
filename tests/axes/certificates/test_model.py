from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from indgen.axes.certificates import (
    Broken,
    Cell,
    Certificate,
    ExpertVerdict,
    Geometry,
    read_certificate,
    shipped,
    uncertified,
)
from indgen.axes.pick import LiberoPick
from indgen.core.errors import UsageError


def geometry(**changes: Any) -> Geometry:
    fields: dict[str, Any] = {
        "starts": 50,
        "broken": (),
        "changed": ("position of milk_1",),
        "distance": 0.025,
        "reach": 0.1,
        "seen": {"agentview": 1.0},
        "reasons": (),
    }
    return Geometry(**{**fields, **changes})


def cell(task: str = "milk", level: int = 1, successes: int = 20, **changes: Any) -> Cell:
    expert = ExpertVerdict(successes=successes, n=20, failed=tuple(range(10, 30 - successes)))
    return Cell(task=task, level=level, geometry=geometry(**changes), expert=expert)


def certificate(*cells: Cell, axis: str = "libero/pick-v1") -> Certificate:
    return Certificate(
        axis=axis,
        world="libero",
        step=0.025,
        unit="m",
        expert="expert",
        expert_starts=(10, 29),
        manifest={"packages": {"mujoco": "2.3.7"}, "assets": "ab"},
        cells=cells,
    )


def test_both_verdicts_must_hold_and_stand_apart() -> None:
    assert cell().certified
    assert cell(successes=18).certified
    clumsy = cell(successes=17)
    assert not clumsy.certified
    assert clumsy.geometry.holds
    assert clumsy.reasons == ("the expert did 17 of 20 sound starts",)
    odd = cell(reasons=("means something else",))
    assert not odd.certified
    assert odd.expert is not None
    assert odd.expert.holds
    assert not Cell(task="milk", level=0, geometry=geometry(), expert=None).certified


def test_only_cells_that_were_judged_can_be_left_out() -> None:
    found = certificate(cell(level=0), cell(level=1, successes=3), cell("butter", 1, reasons=("no",)))
    assert uncertified(found, ("butter", "milk", "tea"), (0, 1, 2)) == (("butter", 1), ("milk", 1))
    assert uncertified(found, ("tea",), (0, 1)) == ()


def test_a_certificate_survives_its_file(tmp_path: Path) -> None:
    found = certificate(cell(broken=(Broken(start=3, cause="it fell"),)))
    path = tmp_path / "certificate.json"
    path.write_text(found.model_dump_json())
    again = read_certificate(path, LiberoPick.card)
    assert again == found
    assert again.digest == found.digest


def test_files_that_are_no_certificate_of_the_axis_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"gone.json is no certificate; got No such file.*indgen certify AXIS"):
        read_certificate(tmp_path / "gone.json", LiberoPick.card)
    path = tmp_path / "bad.json"
    path.write_text('{"version": 2}')
    with pytest.raises(UsageError, match="is no certificate"):
        read_certificate(path, LiberoPick.card)
    path.write_text(certificate().model_copy(update={"step": 0.05}).model_dump_json())
    with pytest.raises(UsageError, match=r"with other steps; got 0.05 m in libero; expected 0.025 m in libero"):
        read_certificate(path, LiberoPick.card)
    path.write_text(certificate(axis="libero/goal-v1").model_dump_json())
    with pytest.raises(UsageError, match="certifies another axis; got libero/goal-v1; expected libero/pick-v1"):
        read_certificate(path, LiberoPick.card)


def test_certificates_that_contradict_themselves_are_refused() -> None:
    with pytest.raises(ValidationError, match="a cell is judged twice"):
        certificate(cell(), cell(successes=3))
    for successes, n in ((21, 20), (-1, 20)):
        with pytest.raises(ValidationError, match=f"{successes} successes of {n} starts"):
            ExpertVerdict(successes=successes, n=n, failed=())


def test_no_other_version_is_read() -> None:
    with pytest.raises(ValidationError):
        Certificate.model_validate({**certificate().model_dump(), "version": 2})


def test_an_axis_without_a_certificate_has_none() -> None:
    assert shipped("libero/no-such-axis-v9") is None

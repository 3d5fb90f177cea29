from __future__ import annotations

from pathlib import Path

import pytest

from indgen import reports
from indgen.blockenv.baselines.checkpoints import SHIPPED
from indgen.reports.table1 import NAMES, PAPER, Run, break_of, by_policy, comparison, each_seed
from indgen.runner.observer import Silent
from indgen.runner.table1 import ENTRIES, Job, jobs, run_job


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    folder = tmp_path_factory.mktemp("table1")
    asked = [
        Job("oracle", None, folder / "oracle", levels="0..4"),
        Job("rope", 0, folder / "rope", levels="0..4"),
        Job("local", 0, folder / "local", levels="0..4"),
    ]
    for job in asked:
        run_job(job, SHIPPED, 30, Silent())
    return [Run(job.id, job.seed, reports.build(reports.read_run(job.path))) for job in asked]


def test_every_row_has_a_name_and_every_name_a_row() -> None:
    assert {*ENTRIES, "oracle"} == set(NAMES)
    assert set(PAPER) <= set(NAMES)


def test_every_network_of_every_seed_is_swept_once() -> None:
    asked = jobs({entry.method: (0, 1) for entry in ENTRIES.values()}, Path("runs"))
    assert len({job.path for job in asked}) == len(asked) == 2 * len(ENTRIES) + 2 + 2
    assert {(job.id, job.world) for job in asked if job.world != "blockenv"} == {
        ("local", "blockenv20"),
        ("oracle", "blockenv20"),
    }


def test_rows_are_in_the_table_s_order_whatever_the_runs_(runs: list[Run]) -> None:
    assert list(by_policy(reversed(runs))) == ["rope", "oracle", "local"]


def test_the_paper_stands_beside_what_was_measured(runs: list[Run]) -> None:
    head, rule, rope, oracle, local = comparison(runs)
    assert head.count("|") == rule.count("|") == rope.count("|") == oracle.count("|") == local.count("|")
    assert rope.startswith("| Transformer + RoPE | 1 | 100.0 |")
    assert rope.endswith("| L3 | 97 / 88 / 90 / 1 | L3 |")
    assert oracle == "| Oracle | 1 | 100.0 | 100.0 | 100.0 | 100.0 | 100.0 | never | 100 / 100 / 100 / 100 | never |"
    assert local.endswith("| 100.0 | never | - | - |")


def test_seeds_are_averaged_and_their_range_told(runs: list[Run]) -> None:
    rope, local = runs[1], runs[2]
    mixed = [Run("ind", 0, rope.report), Run("ind", 1, local.report)]
    row = comparison(mixed)[2]
    low = round(100 * float(rope.report.levels[3].rate or 0))
    assert f"({low}-100)" in row
    assert "| L3, never |" in row


def test_each_network_has_its_intervals_and_its_set(runs: list[Run]) -> None:
    lines = each_seed(runs)
    assert len(lines) == 2 + len(runs)
    assert lines[3].startswith("| Oracle | - | 100.0 (88-100) |")
    assert lines[3].endswith("| never | {never} |")
    assert break_of(runs[1].report) == "L3"
    assert lines[2].endswith("| L3 | {L3} |")

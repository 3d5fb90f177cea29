"""The contract the real robot needs: hand-placed scenes and human verdicts in the same ledger and report."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from indgen import reports
from indgen.axes import AxisCard
from indgen.core import EpisodeKey, Scene, Translate
from indgen.policies import PolicyCard, PolicySpec
from indgen.runner.episodes import Episode, Outcome
from indgen.runner.folder import RunFolder
from indgen.runner.plan import Plan

CARD = AxisCard("droid/stack_height-v1", "droid", "shims", (0, 1, 2), 0.00635, "m", "height of the lower block", "5.3")
PLAN = Plan(
    world="droid",
    policy="pi05",
    axis=CARD.id,
    tasks=("stack",),
    levels=(0, 1, 2),
    rollouts=2,
    max_steps=600,
    success="operator",
    execute=8,
)


def placed(level: int) -> Scene:
    """What the operator built, as the camera and the calipers saw it."""
    base = Scene("droid", "stack", "Place the orange block on the blue block", (), 7, {"shims": [0.00634, 0.00637]})
    return base.edit(Translate("blue_block", "z", level, 0.00635))


def verdict(key: EpisodeKey, outcome: str, cause: str | None) -> dict[str, object]:
    return Episode(
        policy="pi05",
        axis=CARD.id,
        level=key.level,
        task=key.task,
        rollout=key.rollout,
        outcome=Outcome(outcome),
        cause=cause,
        steps=412,
        stage="lifted",
        seed=7,
        policy_seed=8,
        attempt=1,
        judge="human",
        scene=placed(key.level).digest,
        started=datetime.now(UTC).isoformat(),
        wall_s=41.0,
        policy_s=12.0,
    ).to_data()


def test_a_day_with_a_human_judge_makes_a_report(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "day", PLAN)
    manifest = {"axis_card": asdict(CARD), "policy_card": asdict(PolicyCard("pi05", "VLA", trained_levels=(0,)))}
    spec = PolicySpec(action="droid/joint-velocity", chunk=15, execute=8)
    folder.adopt_manifest({**manifest, "policy_spec": asdict(spec), "world": {"operator": "A"}})
    for key in PLAN.episode_keys():
        good = key.level == 0
        folder.ledger.append("episode", verdict(key, "success" if good else "failure", None if good else "toppled"))
        folder.ledger.commit()
    slip = {"task": "stack", "rollout": 1, "level": 1}
    folder.ledger.append(
        "amend",
        {"key": slip, "fields": {"outcome": "success", "cause": None}, "reason": "pressed the wrong key", "by": "A"},
    )
    folder.ledger.append("void", {"key": {**slip, "level": 2}, "reason": "a cable caught the arm", "by": "A"})
    folder.close()

    resumed = RunFolder(tmp_path / "day", PLAN)
    assert len(resumed.episodes()) == PLAN.size - 1
    assert {e.judge for e in resumed.episodes()} == {"human"}
    resumed.write_episodes()
    resumed.close()

    report = reports.build(tmp_path / "day")
    assert [(level.successes, level.n, level.pending) for level in report.levels] == [(2, 2, 0), (1, 2, 0), (0, 1, 1)]
    assert [(found.direction, found.level) for found in report.break_levels] == [("+", 2)]

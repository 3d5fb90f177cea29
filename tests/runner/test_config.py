from __future__ import annotations

from pathlib import Path

import pytest

from indgen.core.errors import UsageError
from indgen.runner.config import Sweeps, folder_in, make_sweeps

EXAMPLES = Path(__file__).parents[2] / "configs"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sweep.yaml"


def test_a_file_says_what_the_command_line_says(file: Path) -> None:
    file.write_text("policy: replay\naxis: [pick, goal]\nlevels: [-1, 0, 2]\ntasks: [milk, butter]\nmax-steps: 100\n")
    assert make_sweeps({}, file) == Sweeps(
        policy=("replay",), axis=("pick", "goal"), levels="-1,0,2", tasks="milk,butter", max_steps=100
    )


def test_a_suite_may_be_a_number(file: Path) -> None:
    file.write_text("policy: noop\naxis: pick\nsuite: 10\n")
    assert make_sweeps({}, file).suite == "10"


def test_the_command_line_wins(file: Path) -> None:
    file.write_text("policy: [a, b]\naxis: pick\nrollouts: 3\nvideo: true\n")
    merged = make_sweeps({"policy": "c", "rollouts": 7, "video": False, "seed": None}, file)
    assert (merged.policy, merged.rollouts, merged.video, merged.seed) == (("c",), 7, False, 0)


def test_every_pair_of_policy_and_axis_is_swept() -> None:
    sweeps = Sweeps(policy=("a", "b"), axis=("x", "y"))
    assert list(sweeps.pairs()) == [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")]
    assert folder_in(Path("out"), ("a", "libero/x-v1")) == Path("out/a-libero_x-v1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("policy: a\naxis: b\nrolouts: 3\n", ":3: unknown name 'rolouts', did you mean rollouts?"),
        ("policy: a\naxis: b\ncolour: red\n", ":3: unknown name 'colour'; exists: policy, axis"),
        ("policy: a\n\naxis: b\nrollouts: many\n", ":4: rollouts many; expected a whole number"),
        ("policy: a\naxis: b\nrollouts: 0\n", ":3: rollouts 0; expected 1 or more"),
        ("policy: a\naxis: b\nrollouts: true\n", ":3: rollouts True; expected a whole number"),
        ("policy: a\naxis: b\nvideo: 'yes'\n", ":3: video yes; expected true or false"),
        ("policy: a\naxis: b\nlevels: 3..1\n", ":3: a range of levels runs upwards"),
        ("policy:\n- a\n- 7\naxis: b\n", ":3: policy 7; expected text"),
        ("policy: a\naxis: b\npolicy: c\n", ":3: policy is given twice; got first on line 1"),
        ("policy: a\naxis: [b\n", ": this is no YAML"),
        ("- policy: a\n", ":1: a sweep file must hold names and values"),
        ("", ":1: a sweep file must hold names and values"),
        ("3: a\n", "names must be text"),
        ("policy: &a [x]\naxis: *a\n", ":2: aliases are not read; got *a"),
        ("a: &a [x, x]\nb: &b [*a, *a]\n", ":2: aliases are not read"),
        ("policy: " + "[" * 3000 + "]" * 3000 + "\n", "nested too deeply"),
        ("policy: 2020-99-99\n", "cannot read"),
        ("policy: []\naxis: b\n", "expected at least one name"),
    ],
)
def test_a_mistake_is_named_with_its_line(file: Path, text: str, said: str) -> None:
    file.write_text(text)
    with pytest.raises(UsageError) as caught:
        make_sweeps({}, file)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_all_mistakes_are_named_at_once(file: Path) -> None:
    file.write_text("policy: a\naxis: b\nseed: x\nworkers: -1\nlabl: c\n")
    with pytest.raises(UsageError, match=r":3: seed x.*:4: workers -1.*:5: unknown name 'labl', did you mean label"):
        make_sweeps({}, file)


def test_a_file_that_is_not_there_is_no_traceback(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read .*nowhere\.yaml; got No such file"):
        make_sweeps({}, tmp_path / "nowhere.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00policy")
    with pytest.raises(UsageError):
        make_sweeps({}, tmp_path / "bytes.yaml")


@pytest.mark.parametrize("name", ["policy", "axis"])
def test_policy_and_axis_are_needed(name: str) -> None:
    given = {"policy": "a", "axis": "b"} | {name: None}
    with pytest.raises(UsageError, match=f"no {name} given; expected --{name}"):
        make_sweeps(given)


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.name)
def test_the_shipped_examples_are_valid(example: Path) -> None:
    assert list(make_sweeps({}, example).pairs())

"""Whole comparisons of a PyTorch and a MindSpore module, with faults that must be found and named."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mindport.verify import Comparison, Spec, SpecError, layout_of, run
from mindport.verify.spec import Case, Construct, Side
from mindport.weights import Layout
from tests.verify.forked import Recorder

pytestmark = pytest.mark.frameworks


@pytest.fixture(scope="module", autouse=True)
def recorders_are_forked() -> Iterator[None]:
    """An import of a framework takes three seconds, longer than most recordings here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mindport.verify.processes.subprocess.Popen", Recorder)
        yield


PAIR = Path(__file__).parent / "pair"
IMAGE = {"tensor": [3, 3, 6, 6]}
FAULTS = {
    "layer": "layer act (ReLU)", "nan": "output right", "dtype": "output top", "missing": "output left",
    "unexpected": "output more", "shape": "output left", "integer": "output top",
    "gradient": "input gradient args[0]",
}


def spec(name: str, cases: list[Case], construct: bool = True, folder: Path = PAIR, **options: Any) -> Spec:
    given = Construct() if construct else None
    return Spec(
        Side(f"torch_net.py:{name}", construct=given), Side(f"mindspore_net.py:{name}", construct=given), cases,
        folder=str(folder), **options,
    )


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> tuple[Comparison, Path]:
    workdir = tmp_path_factory.mktemp("faults")
    cases = [Case([IMAGE, fault], name=str(fault)) for fault in (None, *FAULTS)]
    return run(spec("Net", cases), workdir), workdir


def test_an_equal_model_is_equal_down_to_every_layer_and_gradient(faults: tuple[Comparison, Path]) -> None:
    comparison, workdir = faults
    assert comparison.troubles == []
    result = comparison.cases[0]
    assert (result.name, result.verdict, result.first) == ("None", "equal", None)
    roles = {role: [t.name for t in result.tensors if t.role == role] for role in ("layer", "output", "parameter gradient")}
    assert roles["layer"] == ["conv", "norm", "act", "left", "right"]
    assert roles["output"] == ["left", "right", "top"]
    assert sorted(roles["parameter gradient"]) == sorted(
        f"{layer}.{kind}" for layer in ("conv", "norm", "left", "right") for kind in ("weight", "bias")
    )
    assert sum(t.role == "input gradient" for t in result.tensors) == 1
    assert all(0 <= t.noise < 1e-4 for t in result.tensors)
    assert Layout.load(workdir / "layout.json").entries["norm.weight"].name == "norm.gamma"


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_named(faults: tuple[Comparison, Path], fault: str) -> None:
    comparison, _ = faults
    assert comparison.exit_code == 1
    result = next(case for case in comparison.cases if case.name == fault)
    assert (result.verdict, result.first) == ("differs", FAULTS[fault])
    first = next(t for t in result.tensors if t.verdict != "equal")
    expected = {"layer": "differs", "integer": "differs", "gradient": "differs"}.get(fault, fault)
    assert first.verdict == expected and first.message


def test_a_wrong_weight_is_found_at_the_layer_that_holds_it(faults: tuple[Comparison, Path], tmp_path: Path) -> None:
    layout = Layout.load(faults[1] / "layout.json")
    left, right = layout.entries["left.bias"], layout.entries["right.bias"]
    swapped = msgspec.structs.replace(layout, entries={**layout.entries, "left.bias": right, "right.bias": left})
    swapped.save(tmp_path / "swapped.json")
    comparison = run(spec("Net", [Case([IMAGE])], gradient=False, layout=str(tmp_path / "swapped.json")), tmp_path)
    assert (comparison.exit_code, comparison.cases[0].first) == (1, "layer left (Linear)")
    names = {t.name for t in comparison.cases[0].tensors if t.verdict != "equal"}
    assert names == {"left", "right"}


def test_training_mode_compares_running_statistics_and_needs_no_order_of_cases(tmp_path: Path) -> None:
    comparison = run(spec("Net", [Case([IMAGE], name="a"), Case([IMAGE], name="b")], mode="train"), tmp_path)
    assert (comparison.verdict, comparison.troubles) == ("equal", [])
    for case in comparison.cases:
        assert [t.name for t in case.tensors if t.role == "buffer"] == ["shift", "norm.running_mean", "norm.running_var"]


def test_dropout_in_training_is_not_judged(tmp_path: Path) -> None:
    comparison = run(spec("Dropping", [Case([{"tensor": [64, 8]}])], mode="train"), tmp_path)
    assert comparison.exit_code == 2
    assert "random numbers" in comparison.cases[0].notes[-1]


def test_weights_that_have_no_place_are_a_finding_with_the_nearest_name(tmp_path: Path) -> None:
    wrong = spec("Net", [Case([IMAGE])])
    wrong.mindspore.construct = Construct(kwargs={"renamed": True})
    comparison = run(wrong, tmp_path)
    assert comparison.exit_code == 2 and len(comparison.troubles) == 1
    assert "right.weight: MindSpore's model has no counterpart (nearest: rihgt.weight" in comparison.troubles[0].message


def test_given_weights_are_used_in_both(faults: tuple[Comparison, Path], tmp_path: Path) -> None:
    given = faults[1] / "torch" / "weights.pth"
    comparison = run(spec("Net", [Case([IMAGE])], seed=9, gradient=False, weights=str(given)), tmp_path)
    assert comparison.verdict == "equal"
    assert given.read_bytes() != b"" and (tmp_path / "given.pth").exists()
    from mindport.weights import read

    assert read(tmp_path / "torch" / "weights.pth").arrays == read(given).arrays


def test_functions_structures_dtypes_and_exceptions(tmp_path: Path) -> None:
    arguments: list[Any] = [
        {"tensor": [2, 3]}, {"tensor": [4], "dtype": "int32", "high": 9}, 1.5, {"dtype": "float16"}, {"tuple": [1, 2]},
    ]
    comparison = run(spec("structured", [Case(arguments)], construct=False), tmp_path)
    assert (comparison.verdict, comparison.troubles) == ("equal", [])
    assert [(t.name, t.dtype) for t in comparison.cases[0].tensors if t.role == "output"] == [
        ("boxes", "float16"), ("labels.0.first", "int32"), ("labels.0.second", ""), ("labels.1.flag", "bool"),
        ("labels.1.size", ""),
    ]
    cases = [Case([{"tensor": [2, 2]}], name="good"), Case([{"tensor": [3]}], name="bad", raises="AssertionError"),
             Case([{"tensor": [2, 2]}], name="expected", raises="AssertionError")]
    comparison = run(spec("refuse", cases, construct=False), tmp_path / "refuse")
    assert [c.verdict for c in comparison.cases] == ["equal", "equal", "differs"]
    assert comparison.cases[1].notes == ["both raise AssertionError"]
    comparison = run(spec("half", [Case([{"tensor": [5], "dtype": "bfloat16"}])], construct=False), tmp_path / "half")
    assert comparison.verdict == "equal" and comparison.cases[0].tensors[0].dtype == "bfloat16"


@pytest.mark.parametrize(
    ("torch", "mindspore", "message"),
    [
        ("torch_net.py:broken", "mindspore_net.py:broken", "the call failed: ValueError: no such thing as this (torch_net.py:63)"),
        ("torch_net.py:crash", "mindspore_net.py:crash", "the process died with SIGSEGV at 'case case'"),
        ("torch_net.py:nothing", "mindspore_net.py:half", "the target cannot be loaded: AttributeError"),
        ("no.such.module:f", "mindspore_net.py:half", "the target cannot be loaded: ModuleNotFoundError: No module named 'no'"),
        ("torch_net.py:half", "mindspore_net.py:crash", "the process died with SIGSEGV at 'case case'"),
    ],
)
def test_what_the_users_code_does_wrong_is_one_finding(tmp_path: Path, torch: str, mindspore: str, message: str) -> None:
    comparison = run(Spec(Side(torch), Side(mindspore), [Case([{"tensor": [2]}])], folder=str(PAIR)), tmp_path)
    assert comparison.exit_code == 2
    assert comparison.troubles[0].message.startswith(message), comparison.troubles


def test_an_interpreter_that_does_not_start_or_lacks_the_framework(tmp_path: Path) -> None:
    half = [Case([{"tensor": [2]}])]
    missing = Spec(Side("torch_net.py:half", python="/no/python"), Side("mindspore_net.py:half"), half, folder=str(PAIR))
    assert "/no/python cannot be started" in run(missing, tmp_path).troubles[0].message
    bare = tmp_path / "bare"
    # The same interpreter without its site-packages knows no torch.
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    bare.chmod(0o755)
    missing.torch.python = str(bare)
    assert "No module named" in run(missing, tmp_path).troubles[0].message


def test_a_model_on_one_side_only_and_a_time_limit(tmp_path: Path) -> None:
    sides = (Side("torch_net.py:Net"), Side("mindspore_net.py:half"))
    comparison = run(Spec(*sides, [Case([IMAGE])], folder=str(PAIR), gradient=False), tmp_path)
    assert "is a model and MindSpore's a function" in comparison.troubles[0].message
    comparison = run(Spec(*sides, [Case([IMAGE])], folder=str(PAIR), timeout=0.002), tmp_path)
    assert comparison.troubles[0].message.startswith("it was stopped after 0.002 s")


def test_a_layout_without_running_anything(faults: tuple[Comparison, Path], tmp_path: Path) -> None:
    construct = Construct()
    torch, mindspore = Side("torch_net.py:Net", construct=construct), Side("mindspore_net.py:Net", construct=construct)
    both = layout_of(mindspore, torch, tmp_path, str(PAIR))
    assert both == Layout.load(faults[1] / "layout.json")
    alone = layout_of(mindspore, None, tmp_path / "alone", str(PAIR))
    assert {n: e.name for n, e in alone.entries.items()} == {n: e.name for n, e in both.entries.items()}
    with pytest.raises(SpecError, match="is no model"):
        layout_of(Side("mindspore_net.py:half"), None, tmp_path / "none", str(PAIR))


BLOCKER = '''
import subprocess
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name in ("mindport", "msgspec", "rich", "typer"):
            raise ModuleNotFoundError(f"{name} is not in this environment")
sys.meta_path.insert(0, Blocker())
'''


def test_the_recorders_need_a_framework_and_numpy_only(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(BLOCKER)
    other = tmp_path / "python"
    other.write_text(f'#!/bin/sh\nPYTHONPATH={tmp_path} exec {sys.executable} "$@"\n')
    other.chmod(0o755)
    probe = [str(other), "-c", "import mindport"]
    assert "not in this environment" in subprocess.run(probe, capture_output=True, text=True, check=False).stderr
    elsewhere = spec("Net", [Case([IMAGE])], gradient=False, oracle=False)
    elsewhere.torch.python = elsewhere.mindspore.python = str(other)
    comparison = run(elsewhere, tmp_path / "work")
    assert (comparison.verdict, comparison.troubles) == ("equal", [])

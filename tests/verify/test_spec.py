"""Bad specs: one clear sentence each, before any process is started."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindport.verify import Spec, SpecError, load_spec, run
from mindport.verify.__main__ import main
from mindport.verify.arguments import Arguments
from mindport.verify.spec import Case, Side

GOOD: dict[str, Any] = {
    "torch": {"target": "a.py:f"}, "mindspore": {"target": "package.b:g"}, "cases": [{"args": [1]}],
}


def load(folder: Path, **changes: Any) -> Spec:
    (folder / "a.py").touch()
    (folder / "spec.json").write_text(json.dumps({**GOOD, **changes}))
    return load_spec(folder / "spec.json")


def test_a_good_spec(tmp_path: Path) -> None:
    spec = load(tmp_path)
    assert (spec.mode, spec.folder, spec.cases[0].args) == ("eval", str(tmp_path), [1])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cases": []}, "no cases"), ({"cases": [{}, {}]}, "two cases are called 'case'"),
        ({"torch": {"target": "a.py"}}, "torch.target is 'a.py'"), ({"torch": {"target": "b.py:f"}}, "no file .*b.py"),
        ({"torch": {"target": "a.py:f", "prelude": "p.py"}}, "no file .*p.py"),
        ({"torch": {"target": "a.py:f", "path": ["nowhere"]}}, "no folder .*nowhere"),
        ({"weights": "w.pth"}, "no file .*w.pth"), ({"mode": "test"}, "mode"), ({"modes": 1}, "modes"),
        ({"torch": {"target": "a.py:f", "args": []}}, "args"), ({"torch": None}, "torch"),
    ],
)
def test_bad_specs(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message) as caught:
        load(tmp_path, **changes)
    assert "\n" not in str(caught.value)


def test_files_that_are_no_specs_and_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.json").write_text("{")
    for arguments in ([str(tmp_path / "x.json")], [str(tmp_path / "none.json")], []):
        assert main(arguments) == 2
    assert "Traceback" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"tensor": [2, -1]}, "no list of lengths"), ({"tensor": 3}, "no list"), ({"tensor": [2], "dtype": "int64"}, '"high"'),
        ({"tensor": [2], "dtype": "float8"}, "none of float16"), ({"npz": "none.npz"}, "cannot be read"),
        ({"npz": "x.npz", "key": "b"}, "no array 'b', only a"), ({"literal": "1 +"}, "no Python literal"),
        ({"literal": "{1}"}, "set is not supported"),
    ],
)
def test_bad_arguments_are_named_with_their_place(tmp_path: Path, value: Any, message: str) -> None:
    np.savez(tmp_path / "x.npz", a=np.ones(2))
    (tmp_path / "a.py").touch()
    spec = Spec(Side("a.py:f"), Side("b:g"), [Case([0, value])], folder=str(tmp_path))
    with pytest.raises(SpecError, match=message) as caught:
        run(spec, tmp_path / "work")
    assert str(caught.value).startswith("case 'case': args[1]")


def test_arguments(tmp_path: Path) -> None:
    spec = Spec(Side("a:f"), Side("b:g"), [], folder=str(tmp_path))
    arguments = Arguments(spec)
    drawn = [
        arguments.encode(value, "x")
        for value in (
            {"tensor": [2, 3]}, {"tensor": [50], "dtype": "int64", "low": 3, "high": 5}, {"tensor": [], "dtype": "bool"},
            {"tensor": [50], "low": 2, "high": 3}, {"tensor": [2], "dtype": "bfloat16"},
        )
    ]
    values = [arguments.arrays[d["key"]] for d in drawn]
    assert [(v.dtype.name, v.shape) for v in values] == [
        ("float32", (2, 3)), ("int64", (50,)), ("bool", ()), ("float32", (50,)), ("float32", (2,)),
    ]
    assert set(values[1].tolist()) == {3, 4} and ((values[3] >= 2) & (values[3] < 3)).all()
    again = Arguments(spec)
    again.encode({"tensor": [2, 3]}, "x")
    assert np.array_equal(again.arrays["0"], values[0])
    assert arguments.encode({"a": {"tuple": [1, "b"]}, "literal": 2}, "x") == {
        "$": "dict", "items": {"a": {"$": "tuple", "items": [1, "b"]}, "literal": 2},
    }
    assert arguments.encode({"literal": "(1, {'k': [None, 2.5]})"}, "x") == {
        "$": "tuple", "items": [1, {"$": "dict", "items": {"k": [None, 2.5]}}],
    }
    assert arguments.encode({"dict": {"dtype": 1}}, "x") == {"$": "dict", "items": {"dtype": 1}}

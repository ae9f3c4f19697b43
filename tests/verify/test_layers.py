"""The layers of `mindport.layers` in one model: weights moved, every output and gradient compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.verify import run
from mindport.verify.spec import Case, Construct, Side, Spec
from mindport.weights import Layout, Tree, convert_file, derive, files

pytestmark = pytest.mark.frameworks
PAIR = Path(__file__).parent / "pair"


@pytest.mark.parametrize("mode", ["eval", "train"])
def test_every_layer_agrees_and_its_weights_go_there_and_back(tmp_path: Path, mode: str) -> None:
    inputs = [{"tensor": [2, 4, 5]}, {"tensor": [2, 4, 6, 6]}, {"tensor": [2, 4, 3, 3, 3]}, {"tensor": [2, 5], "dtype": "int64", "high": 9}]
    sides = (Side(f"{framework}_zoo.py:Zoo", construct=Construct()) for framework in ("torch", "mindspore"))
    comparison = run(Spec(*sides, [Case(inputs)], mode="train" if mode == "train" else "eval", folder=str(PAIR)), tmp_path)
    assert (comparison.verdict, comparison.troubles) == ("equal", [])
    result = comparison.cases[0]
    assert sum(t.role == "parameter gradient" for t in result.tensors) == 64
    assert sum(t.role == "buffer" for t in result.tensors) == (8 if mode == "train" else 0)
    layout = Layout.load(tmp_path / "layout.json")
    assert layout.entries["line.weight"].name == layout.entries["tied.0.weight"].name
    assert {"plain.gamma", "plain.beta"} <= set(layout.mindspore_only)
    alone = derive(Tree.load(tmp_path / "mindspore" / "tree.json"))
    assert {n: alone.entries[n].name for n in layout.entries} == {n: e.name for n, e in layout.entries.items()}
    convert_file(tmp_path / "torch" / "weights.pth", tmp_path / "a.safetensors", layout, tmp_path / "rest.safetensors")
    convert_file(tmp_path / "a.safetensors", tmp_path / "b.pth", layout, tmp_path / "rest.safetensors")
    assert files.read(tmp_path / "b.pth").arrays == files.read(tmp_path / "torch" / "weights.pth").arrays

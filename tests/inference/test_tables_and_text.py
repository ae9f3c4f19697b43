"""Methods that SciPy's matrices and pandas' tables have as well, text that a loader hands on, sizes of layers that nobody knows, files that never name torch."""

from __future__ import annotations

import pytest

from tests.inference.files import project, uses_of


@pytest.mark.parametrize("made", ["sp.csr_matrix(a)", "a"])
@pytest.mark.parametrize("method", ["multiply(b)", "maximum(b)", "sign()"])
def test_a_file_of_tables_has_their_methods(made: str, method: str) -> None:
    text = f"import scipy.sparse as sp\nimport torch\n\ndef f(a, b):\n    m = {made}\n    return m.{method}, m.T.{method}\n"
    assert not [use for use in uses_of(text) if "torch.Tensor" in use and not use.split()[1].endswith(".T")]


def test_what_another_library_made_is_no_tensor() -> None:
    assert uses_of("import cv2\nimport torch\n\ndef f(a):\n    m = cv2.load(a)\n    return m.unsqueeze(0), m.log1p()\n") == []


def test_elsewhere_they_are_tensors() -> None:
    assert "4 torch.Tensor.multiply method likely" in uses_of("import torch\n\ndef f(a, b):\n    return a.multiply(b)\n")


LOADER = """
    from torch.utils.data import DataLoader

    def f(data, mark="|"):
        for batch in DataLoader(data):
            for one in batch["text"]:
                {}
"""


@pytest.mark.parametrize("call", ["one.split()", "one.split(mark)", 'one.split(", ")'])
def test_text_of_a_loader_is_split(call: str) -> None:
    assert not any("split" in use for use in uses_of(LOADER.format(call)))


@pytest.mark.parametrize("call", ["one.split(2)", "one.split(2, dim=1)", "one.split([1, 2], 0)"])
def test_tensors_of_a_loader_are_split(call: str) -> None:
    assert any("torch.Tensor.split" in use for use in uses_of(LOADER.format(call)))


def test_the_width_of_an_unknown_layer() -> None:
    assert "5 torch.nn.Linear.in_features attribute likely" in uses_of("from torch import nn\n\n\ndef f(net, n):\n    net.fc = nn.Linear(net.fc.in_features, n)\n")


def test_the_width_of_an_own_layer_is_its_own() -> None:
    text = "from torch import nn\n\nclass Own(nn.Module):\n    def __init__(self, n):\n        super().__init__()\n        self.in_features = n\n\ndef f(net):\n    return net.fc.in_features\n"
    assert not any("torch.nn.Linear" in use for use in uses_of(text))


def test_what_is_changed_in_place_is_a_tensor() -> None:
    padding = "def pad(xs, value):\n    return xs[0].new(len(xs), 3).fill_(value)\n"
    made, files = project(pads=padding, main="import torch\nfrom pads import pad\n")
    names = [use.name for use in made.facts(files["pads"]).uses] + [c for place in made.facts(files["pads"]).unresolved for c in place.candidates]
    assert "torch.Tensor.new" in names and "torch.Tensor.fill_" in names


def test_a_project_without_torch_is_left_alone() -> None:
    made, files = project(pads="def pad(xs, value):\n    return xs[0].new(len(xs), 3).fill_(value)\n", main="import json\nfrom pads import pad\n")
    assert made.facts(files["pads"]).unresolved == []

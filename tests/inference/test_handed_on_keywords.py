"""Keywords that a function collects by ``**`` and hands on: the function that takes them knows what the callers passed."""

from __future__ import annotations

import ast

from mindport.inference import Project
from mindport.inference import values as v
from mindport.source.file import SourceFile

TEXT = """
import torch
from torch import nn

class Inner(nn.Module):
    def forward(self, x, cache=None, scale=1.0, mask=None):
        return x, cache, scale, mask, self.pair

class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
    def forward(self, x, **kw):
        kw["mask"]
        return self.inner(x, **kw)

def run(outer):
    outer.forward(torch.zeros(2), cache=(torch.zeros(2), torch.ones(2)), scale=2)

Outer()(torch.zeros(2), cache=(torch.zeros(3), torch.ones(3)), mask=torch.zeros(2))
run(Outer())
"""


def test_what_callers_pass_arrives() -> None:
    file = SourceFile.of(TEXT)
    facts = Project([file]).facts(file)
    returned = next(n for n in file.nodes if isinstance(n, ast.Return) and isinstance(n.value, ast.Tuple)).value
    x, cache, scale, mask, _ = (facts.value(part) for part in returned.elts)  # type: ignore[union-attr]
    assert isinstance(x, v.TensorValue)
    assert {type(option) for option in v.options(cache)} == {v.Sequence, v.Const}  # and no tensor: a guess from its place
    assert {getattr(option, "type", None) for option in v.options(scale)} == {"float", "int"}
    assert {type(option) for option in v.options(mask)} == {v.TensorValue, v.Const}


def test_what_is_taken_apart_is_no_tensor_by_its_place() -> None:
    file = SourceFile.of("from torch import nn\nclass A(nn.Module):\n    def forward(self, x, state=None):\n        h, c = state\n        return x, state\n")
    facts = Project([file]).facts(file)
    x, state = (facts.value(part) for part in next(n for n in file.nodes if isinstance(n, ast.Return)).value.elts)  # type: ignore[union-attr]
    assert isinstance(x, v.TensorValue)
    assert not any(isinstance(option, v.TensorValue) for option in v.options(state))

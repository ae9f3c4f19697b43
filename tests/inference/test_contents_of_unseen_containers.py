"""What is put into a container of modules that nobody saw being made is not all that it holds."""

from __future__ import annotations

import ast

from mindport.inference import values as v
from mindport.inference.project import Project
from mindport.source.file import SourceFile

TEXT = """import torch
from torch import nn


def fuse(conv, bn):
    return conv, bn.weight


def fold(model):
    for m in model.modules():
        if isinstance(m, nn.Sequential):
            fuse(m[0], m[1])
            m[1] = nn.Identity()


def given(layers: nn.ModuleList):
    layers.append(nn.Identity())
    return layers[0]


made = nn.ModuleList()
made.append(nn.Linear(2, 2))
first = made[0]
"""


def value(wanted: str) -> v.Value:
    file = SourceFile.of(TEXT)
    facts = Project([file]).facts(file)
    return facts.value([n for n in file.nodes if isinstance(n, ast.expr) and ast.unparse(n) == wanted][-1])


def test_what_a_store_does_not_say() -> None:
    """The second argument was an Identity, which has no `weight`, and the attribute kept torch's name."""
    for wanted in ("bn", "layers[0]"):
        assert any(not isinstance(option, v.Instance) or option.cls != "torch.nn.Identity" for option in v.options(value(wanted)))


def test_what_is_made_here_holds_what_it_is_given() -> None:
    assert value("first") == v.Instance("torch.nn.Linear")

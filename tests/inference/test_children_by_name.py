"""Modules of a container that are read by their names."""

from __future__ import annotations

import pytest

from mindport.inference import Project
from mindport.source.file import SourceFile

HEAD = "from collections import OrderedDict\nfrom torch import nn\n"


@pytest.mark.parametrize(
    "text",
    [
        "s = nn.Sequential(OrderedDict([('a', nn.Linear(2, 3)), ('b', nn.ReLU())]))\ns.a.in_features",
        "s = nn.Sequential(OrderedDict({'a': nn.Linear(2, 3)}))\ns.a.in_features",
        "s = nn.Sequential()\ns.add_module('a', nn.Linear(2, 3))\ns.a.in_features",
        "s = nn.ModuleDict({'a': nn.Linear(2, 3)})\ns['a'].in_features",
        "s = nn.ModuleDict()\ns['a'] = nn.Linear(2, 3)\ns.a.in_features",
    ],
)
def test_what_a_container_holds_is_known_by_its_name(text: str) -> None:
    file = SourceFile.of(HEAD + text + "\n", "module.py")
    names = {use.name for use in Project([file]).facts(file).uses if use.kind == "attribute"}
    assert "torch.nn.Linear.in_features" in names


def test_a_child_of_no_known_class_is_a_module() -> None:
    file = SourceFile.of(HEAD + "def f(s: nn.Sequential):\n    return s.conv.weight\n", "module.py")
    assert "torch.nn.Sequential.conv" not in {use.name for use in Project([file]).facts(file).uses}

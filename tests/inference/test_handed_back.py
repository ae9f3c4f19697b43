"""What a function gives back of what it was given is each call's own argument."""

from __future__ import annotations

import ast

import pytest

from mindport.inference import values as v
from mindport.inference.project import Project
from mindport.source.file import SourceFile

PROGRAM = """
import torch
from torch import nn


def initialised(net):
    for p in net.parameters():
        p.data.zero_()
    return net


class Builder:
    def ready(self, layer, flag=True):
        return layer


def other(net):
    net = nn.Tanh()
    return net


def grown(d):
    d["b"] = 1
    return d


initialised(nn.LSTM(2, 2))
a = initialised(nn.Linear(2, 2))
b = initialised(net=nn.Conv2d(1, 1, 1))
Builder().ready(nn.GRU(1, 1))
c = Builder().ready(nn.ReLU())
other(nn.LSTM(1, 1))
d = other(nn.Linear(1, 1))
e = grown({"a": 2})
f = initialised(nn.Sequential(nn.Linear(2, 2)))
"""


@pytest.mark.parametrize(("name", "cls"), [("a", "Linear"), ("b", "Conv2d"), ("c", "ReLU"), ("d", "Tanh"), ("f", "Sequential")])
def test_each_call_its_own(name: str, cls: str) -> None:
    file = SourceFile.of(PROGRAM, "module.py")
    facts = Project([file]).facts(file)
    stored = next(n.value for n in ast.walk(file.tree) if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name) and n.targets[0].id == name)
    assert [o.cls for o in v.options(facts.value(stored)) if isinstance(o, v.Instance)] == [f"torch.nn.{cls}"]


def test_a_container_is_what_the_function_made_of_it() -> None:
    file = SourceFile.of(PROGRAM + "\nf = e['b']\n", "module.py")
    facts = Project([file]).facts(file)
    stored = next(n.value for n in ast.walk(file.tree) if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name) and n.targets[0].id == "e")
    assert not (isinstance(facts.value(stored), v.Mapping) and facts.value(stored).items is not None and len(facts.value(stored).items) == 1)  # type: ignore[union-attr, arg-type]

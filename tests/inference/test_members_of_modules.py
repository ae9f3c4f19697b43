"""``self.net.named_parameters()`` of something unknown: only modules have such methods, so what they give is known."""

from __future__ import annotations

import ast

from mindport.inference.project import Project
from mindport.inference.values import TensorValue
from mindport.source.file import SourceFile

TEXT = """import torch


class Wrap:
    def __init__(self, net, agent):
        self.net = net
        self.agent = agent

    def show(self):
        for name, p in self.net.named_parameters():
            print(name, p)
        return self.agent.eval()

    def parts(self):
        return self.agent.pieces()
"""


def value(text: str, wanted: str) -> object:
    file = SourceFile.of(text)
    facts = Project([file]).facts(file)
    node = [n for n in file.nodes if isinstance(n, ast.expr) and ast.unparse(n) == wanted][-1]
    return facts.value(node)


def test_parameters_of_an_attribute() -> None:
    assert value(TEXT, "p") == TensorValue(parameter=True, likely=True)


def test_what_others_have_too_says_nothing() -> None:
    """Agents and environments have an `eval`, and the project may have the very name."""
    assert "Unknown" in repr(value(TEXT, "self.agent"))
    assert "Unknown" in repr(value(TEXT.replace("pieces", "named_parameters").replace("def parts", "def named_parameters"), "p"))


def test_a_file_without_torch_says_nothing() -> None:
    assert "Unknown" in repr(value(TEXT.replace("import torch", "import json"), "p"))


def test_a_module_on_one_way_and_a_loaded_one_on_the_other() -> None:
    text = """import torch


class Net(torch.nn.Module):
    pass


def trained(path, resume):
    if resume:
        model = torch.load(path)
    else:
        model = Net()
    return filter(lambda p: p.requires_grad, model.parameters())
"""
    assert value(text, "p") == TensorValue(parameter=True, likely=True)

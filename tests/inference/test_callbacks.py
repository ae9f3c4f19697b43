"""What a library calls a function with: modules by ``apply``, tensors by hooks; and what is registered under a name."""

from __future__ import annotations

import ast

from mindport.inference import Project
from mindport.inference import values as v
from mindport.source.file import SourceFile

PROGRAM = '''
import torch
import torch.nn as nn


def init_weights(m):
    for name, p in m.named_parameters():
        seen(p)


def hook(module, inputs, output):
    seen(inputs[0])
    seen(output)


class Net(nn.Module):
    def forward(self, x):
        self.steps += 1
        seen(self.steps)
        return x

    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.zeros(1, dtype=torch.long))
        self.apply(init_weights)


net = nn.Sequential(nn.Linear(2, 3), Net())
net[0].register_forward_hook(hook)
net(torch.ones(1, 2))
'''


def test_parameters_of_callbacks() -> None:
    file = SourceFile.of(PROGRAM, "module.py")
    facts = Project([file]).facts(file)
    seen = [facts.value(n.args[0]) for n in ast.walk(file.tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "seen"]
    assert len(seen) == 4
    assert all(v.is_tensor(value) for value in seen), seen


FILTERED = """
import torch
from torch import nn


def trained(model: nn.Module):
    return filter(lambda p: p.requires_grad, model.parameters())


def largest(batches: list[torch.Tensor]):
    return sorted(batches, key=lambda b: b.numel()), max(batches, key=lambda t: t.norm()), min(batches, default=None, key=lambda u: u.dim())
"""


def test_functions_that_choose_and_order_see_the_elements() -> None:
    file = SourceFile.of(FILTERED, "module.py")
    facts = Project([file]).facts(file)
    seen = [facts.value(n) for n in ast.walk(file.tree) if isinstance(n, ast.Name) and n.id in "pbtu"]
    assert len(seen) == 4
    assert all(v.is_tensor(value) for value in seen), seen
    assert isinstance(seen[0], v.TensorValue) and seen[0].parameter

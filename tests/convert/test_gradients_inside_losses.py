"""A gradient that is taken beside ``loss.backward()`` and enters the loss is computed inside the differentiated function."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

PENALTY = """import torch
from torch import nn


def train(critic: nn.Module, loader, optimizer):
    for real, fake in loader:
        optimizer.zero_grad()
        mixed = (0.5 * real + 0.5 * fake).requires_grad_(True)
        score = critic(mixed)
        grads = torch.autograd.grad(score.sum(), mixed, create_graph=True)[0]
        penalty = ((grads.norm(2, dim=1) - 1) ** 2).mean()
        loss = critic(fake).mean() - critic(real).mean() + 10 * penalty
        loss.backward()
        optimizer.step()
"""

INNER_STEP = """import torch


def inner(w, x):
    return (torch.tanh(torch.matmul(x, w)) ** 2).mean()


def train(start: torch.nn.Parameter, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        w = start * 1.0
        first = inner(w, x)
        grads = torch.autograd.grad(first, w, create_graph=True)[0]
        loss = inner(start - 0.3 * grads, x)
        loss.backward()
        optimizer.step()
"""

#: Derivatives of functions: a slope of the network in a function that is written out, a fast step of MAML.
SLOPE = """import torch
from torch import nn


def train(net: nn.Module, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        grads = torch.autograd.functional.jacobian(lambda z: net(z).sum(0), x, create_graph=True)
        loss = net(x).mean() + grads.abs().sum()
        loss.backward()
        optimizer.step()
"""


@pytest.mark.parametrize("program", [PENALTY, INNER_STEP, SLOPE], ids=["penalty", "inner step", "slope"])
def test_the_gradient_is_inside(tmp_path: Path, program: str) -> None:
    (tmp_path / "program.py").write_text(program)
    conversion = convert(discover([tmp_path]))
    text = next(t for p, t in conversion.files.items() if p.name == "program.py")
    functions = {n.name: n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef)}
    assert "compiled_value_and_gradients(forward" in text
    assert any(isinstance(n, ast.Name) and n.id == "grads" and isinstance(n.ctx, ast.Store) for n in ast.walk(functions["forward"])), text


def test_what_does_not_work_is_said(tmp_path: Path) -> None:
    """MindSpore has no second gradient of sort (measured)."""
    (tmp_path / "program.py").write_text(
        "import torch\nimport torch.nn.functional as F\n\n\ndef penalty(w, x):\n    x = x.detach().requires_grad_(True)\n"
        "    score = torch.sort(torch.matmul(x, w), dim=1)[0] ** 2\n    g = torch.autograd.grad(score.sum(), x, create_graph=True)[0]\n    return (g ** 2).sum()\n"
    )
    (finding,) = [f for f in convert(discover([tmp_path])).findings if f.code == "MP411"]
    assert "torch.sort" in finding.message and finding.span is not None and finding.span.line == 8

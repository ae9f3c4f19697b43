"""Weights without a module, updated by hand: the gradient stays on the tensor that the name stands for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

PROGRAM = """import torch

x = torch.linspace(-1, 1, 8).unsqueeze(1)
y = 3 * x + 0.5
w = torch.zeros(1, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
losses = []
for step in range(4):
    loss = ((x @ w + b - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.5 * w.grad
        b.sub_(0.5 * b.grad)
        w.grad.zero_()
        b.grad.zero_()
    losses.append(loss.item())
final = [w.item(), b.item()]
"""
APART = """import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
z = (x * 3).sum()
z.backward()
seen = x.grad.tolist()
(g,) = torch.autograd.grad(x.exp().sum(), x)
final = g.tolist() + seen
"""
HELD = """import torch

x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0])
x.requires_grad = True
y.requires_grad = True


class Keeper:
    def __init__(self, operation):
        self.operation = operation


joined = Keeper(torch.hstack).operation((x, y))
final = [g.tolist() for g in torch.autograd.grad((joined * joined).sum(), [x, y])]
final = final[0] + final[1]
"""


def converted(folder: Path, program: str) -> dict[str, str]:
    """The converted files by name."""
    (folder / "script.py").write_text(program, encoding="utf-8")
    return {path.name: text for path, text in convert(discover(folder)).files.items()}


def test_a_leaf_is_changed_itself(tmp_path: Path) -> None:
    text = converted(tmp_path, PROGRAM)["script.py"]
    assert 'sub_(w, 0.5 * w.grad)' in text
    assert "w -=" not in text


def test_what_stands_before_a_gradient_of_an_expression_stays_where_it_is(tmp_path: Path) -> None:
    text = converted(tmp_path, APART)["script.py"]
    assert 'seen = x.grad.tolist()\n' in text
    assert "\n    return x.exp().sum()\n" in text


@pytest.mark.frameworks
@pytest.mark.parametrize("program", [PROGRAM, APART, HELD])
def test_the_values(tmp_path: Path, program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    files = converted(tmp_path, program)
    (tmp_path / "torch_equivalents.py").write_text(files["torch_equivalents.py"], encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "torch_equivalents", raising=False)
    expected: dict = {"__name__": "script"}  # type: ignore[type-arg]
    found: dict = {"__name__": "converted"}  # type: ignore[type-arg]
    exec(compile(program, "script.py", "exec"), expected)
    exec(compile(files["script.py"], "converted.py", "exec"), found)
    assert found["final"] == pytest.approx(expected["final"], rel=1e-5)

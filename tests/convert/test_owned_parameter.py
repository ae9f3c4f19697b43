"""Parameters made of views: they are trained, loaded and written like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, converted_script

HEAD = "import torch\nfrom torch import nn\n\nw = torch.arange(12.0).reshape(3, 4)\nrows = torch.tensor([0, 1])\n"


@pytest.mark.parametrize(("line", "expected"), [
    ("p = nn.Parameter(w[1:, :2])", "p = Parameter(w[1:, :2].copy())"),
    ("p = nn.Parameter(w.t().contiguous())", "p = Parameter(w.T.contiguous().copy())"),
    ("p = nn.Parameter(w.T.data, requires_grad=False)", "p = Parameter(ops.stop_gradient(w.T).copy(), requires_grad=False)"),
    ("a, b = w.chunk(2)\np = nn.Parameter(a)", "p = Parameter(a.copy())"),
    ("p = nn.Parameter(w[rows])", "p = Parameter(w[rows])"),
    ("p = nn.Parameter(w[1:].clone())", "p = Parameter(Tensor.copy(w[1:]))"),
    ("p = nn.Parameter(torch.ones(3) * 2)", "p = Parameter(ops.ones(3) * 2)"),
    ("p = nn.Parameter(torch.zeros(3, 4))", "p = Parameter(ops.zeros((3, 4)))"),
])  # fmt: skip
def test_the_text(tmp_path: Path, line: str, expected: str) -> None:
    assert converted_script(tmp_path, HEAD + line + "\n").endswith(expected + "\n")


PROGRAM = """import torch
from torch import nn


class Turned(nn.Module):
    def __init__(self, start):
        super().__init__()
        self.turned = nn.Parameter(torch.arange(start, start + 12.0).view(3, 4).t())
        table = torch.arange(start, start + 12.0).view(3, 4)
        self.part = nn.Parameter(table[1:, 1:3])
        left, right = torch.arange(start, start + 12.0).view(3, 4).split(2, dim=1)
        self.right = nn.Parameter(right)
        self.wide = nn.Parameter(torch.linspace(0, 1, 4).reshape(1, 1, 4))

    def forward(self, x):
        return (x @ self.turned).sum() + self.part.pow(2).sum() + self.right.prod() * 1e-3 + (x * self.wide).sum()


one, other = Turned(0.0), Turned(1.0)
optimizer = torch.optim.SGD(one.parameters(), lr=0.01, momentum=0.9)
for _ in range(2):
    optimizer.zero_grad()
    one(torch.ones(2, 4)).backward()
    optimizer.step()
trained = [p.detach().tolist() for p in one.parameters()]
other.load_state_dict(one.state_dict())
loaded = [p.detach().tolist() for p in other.parameters()]
with torch.no_grad():
    other.part.copy_(torch.ones(2, 2))
    other.turned.mul_(2)
    other.right.data.fill_(3)
written = [p.detach().tolist() for p in other.parameters()]
"""


@pytest.mark.frameworks
def test_training_loading_and_writing(tmp_path: Path) -> None:
    import numpy as np

    theirs, ours = both_sides(tmp_path, PROGRAM)
    for name in ("trained", "loaded", "written"):
        for expected, found in zip(getattr(theirs, name), getattr(ours, name), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
    assert ours.loaded == ours.trained


@pytest.mark.parametrize(("line", "told"), [
    ("new = nn.Parameter(a.weight)", True),
    ("b.weight = nn.Parameter(a.weight.data)", True),
    ("b.weight = nn.Parameter(a.weight.detach(), requires_grad=False)", True),
    ("b.weight = a.weight", False),
    ("b.weight = nn.Parameter(b.weight.data)", False),
    ("b.weight = nn.Parameter(a.weight.clone())", False),
    ("b.weight = nn.Parameter(a.weight * 2)", False),
    ("b.weight = nn.Parameter(torch.ones(2, 2))", False),
])  # fmt: skip
def test_another_parameters_memory_is_told(tmp_path: Path, line: str, told: bool) -> None:
    """torch trains both as one, here they go apart: nothing said so."""
    (tmp_path / "script.py").write_text(f"import torch\nfrom torch import nn\n\na, b = nn.Linear(2, 2), nn.Linear(2, 2)\n{line}\n", encoding="utf-8")
    found = [finding for finding in convert(discover(tmp_path)).findings if "one memory" in finding.message]
    assert bool(found) is told and all(finding.code == "MP109" for finding in found)

"""A forward pass that makes a leaf of its argument and returns it beside its output (SIREN): derivatives of the output by it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.convert.lifted_leaves import lifted
from mindport.inference import Project
from mindport.report.scan import scan
from mindport.source.discover import discover
from mindport.source.file import SourceFile
from tests.convert.both_sides import printed_by_both

NET = """import numpy as np
import torch
from torch import nn


class Siren(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(2, 5), nn.Linear(5, 1)

    def forward(self, coords):
        coords = coords.clone().detach().requires_grad_(True)  # its slopes are asked for
        output = self.last(torch.sin(3 * self.first(coords)))
        return output, coords


def gradient(y, x, grad_outputs=None):
    if grad_outputs is None:
        grad_outputs = torch.ones_like(y)
    return torch.autograd.grad(y, [x], grad_outputs=grad_outputs, create_graph=True)[0]


def divergence(y, x):
    div = 0.0
    for i in range(y.shape[-1]):
        div += torch.autograd.grad(y[..., i], x, torch.ones_like(y[..., i]), create_graph=True)[0][..., i:i + 1]
    return div


net = Siren()
grid = torch.tensor(np.random.RandomState(1).rand(6, 2).astype("f"))
"""
TRAINED = """
for p in net.parameters():
    p.data.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(3):
    model_output, coords = net(grid)
    slope = gradient(model_output, coords)
    laplacian = divergence(slope, coords)
    loss = (model_output - 1).pow(2).mean() + (slope - 0.3).pow(2).sum(-1).mean() + 0.01 * laplacian.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), slope.abs().mean().item(), laplacian.sum().item())
out, _ = net(grid)
print(out.sum().item(), net(grid)[0].mean().item())
"""


def test_both_sides_train_alike(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, NET + TRAINED)
    np.testing.assert_allclose([float(one) for one in ours.split()], [float(one) for one in theirs.split()], rtol=1e-4)


@pytest.mark.parametrize(("line", "expected"), [
    ("y, at = net(grid)", "at = grid.clone().detach().requires_grad_(True); y = net(at)[0]"),
    ("y, at = net(grid * 2 - 1)", "at = (grid * 2 - 1).clone().detach().requires_grad_(True); y = net(at)[0]"),
    ("y, _ = net(grid)", "y, _ = net(grid.detach())"),
    ("y = net(grid)[0]", "y = net(grid.detach())[0]"),
    ("y = net(grid)", None), ("at = net(grid)[1]", None), ("y, y = net(grid)", None), ("y, at = net(net(grid)[0])", None), ("y, net.at = net(grid)", None),
])  # fmt: skip
def test_who_calls_it_makes_the_leaf(line: str, expected: str | None) -> None:
    file = SourceFile.of(f"{NET}{line}\n")
    (found,) = lifted([(file, Project([file]).facts(file))])
    if expected is None:
        assert found is file
        return
    assert found.text.endswith(f"\n{expected}\n") and found.line_count == file.line_count
    assert "    def forward(self, coords):\n        # its slopes are asked for\n        output" in found.text.replace("          #", "        #")


def test_a_scan_says_what_a_conversion_says(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(NET + TRAINED, encoding="utf-8")
    assert not [f for f in (*convert(discover(tmp_path)).findings, *scan(discover(tmp_path)).found()) if f.code == "MP401"]


def test_a_file_that_cannot_be_converted_keeps_its_own_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: object) -> None:
        raise ZeroDivisionError

    (tmp_path / "script.py").write_text(NET + TRAINED, encoding="utf-8")
    found = discover(tmp_path)
    monkeypatch.delenv("MINDPORT_DEBUG")
    monkeypatch.setattr("mindport.convert.project.convert_file", fail)
    kept = convert(found)
    assert [text for path, text in kept.files.items() if path.name == "script.py"] == [NET + TRAINED]
    assert [source.text for source in kept.sources.values()] == [NET + TRAINED]

"""A critic's prediction that is read again beside its gradient's penalty: its forward pass may be computed twice where its layers, as they are made, draw and keep nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both

PROGRAM = """import torch
import torch.nn as nn


class Critic(nn.Module):
    def __init__(self, norm=nn.Identity):
        super().__init__()
        self.body = nn.Sequential(LAYER)
        self.head = nn.Linear(OUT, 1)

    def forward(self, x):
        h = self.body(x)
        h = h[0] if isinstance(h, tuple) else h
        return self.head(h.flatten(2).mean(-1) if h.ndim == 4 else h.mean(1))


net = Critic()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(0.4 * torch.sin(torch.arange(float(p.numel())) + i).view_as(p))
x = torch.sin(torch.arange(float(torch.Size(SHAPE).numel()))).reshape(SHAPE).requires_grad_()
pred = net(x)
slope = torch.autograd.grad(pred.sum(), x, create_graph=True)[0]
loss = pred.square().mean() + (slope.flatten(1).norm(dim=1) - 1).square().mean()
loss.backward()
print(round(loss.item(), 4), [round(p.grad.abs().sum().item(), 3) for p in net.parameters()])
"""
CASES = {
    "instance normalisation": ("nn.Conv2d(2, 3, 3), nn.InstanceNorm2d(3, affine=True), nn.Tanh()", "3", "(2, 2, 6, 6)", True),
    "recurrent": ("nn.GRU(4, 3, batch_first=True)", "3", "(2, 5, 4)", True),
    "dropout of zero": ("nn.Linear(4, 3), nn.Dropout(0.0), nn.Tanh()", "3", "(2, 5, 4)", True),
    "instance normalisation with statistics": ("nn.Conv2d(2, 3, 3), nn.InstanceNorm2d(3, track_running_stats=True)", "3", "(2, 2, 6, 6)", False),
    "recurrent with dropout": ("nn.GRU(4, 3, 2, batch_first=True, dropout=0.1)", "3", "(2, 5, 4)", False),
    "options that are not shown": ("nn.InstanceNorm2d(2, **OPTIONS)", "2", "(2, 2, 6, 6)", False),
    "a spectral norm": ("nn.utils.spectral_norm(nn.Linear(4, 3))", "3", "(2, 5, 4)", False),
    "a parametrized spectral norm": ("nn.utils.parametrizations.spectral_norm(nn.Linear(4, 3))", "3", "(2, 5, 4)", False),
    "batch normalisation": ("nn.BatchNorm2d(2)", "2", "(2, 2, 6, 6)", False),
    "a class whose calls turn statistics on": ("(lambda norm: norm(2, track_running_stats=True))(nn.InstanceNorm2d)", "2", "(2, 2, 6, 6)", False),
}


def _text(name: str) -> tuple[str, bool]:
    layer, out, shape, repeats = CASES[name]
    return PROGRAM.replace("LAYER", layer).replace("OUT", out).replace("SHAPE", shape), repeats


@pytest.mark.parametrize("name", list(CASES))
def test_is_computed_twice_where_layers_are_made_without_what_changes(tmp_path: Path, name: str) -> None:
    text, repeats = _text(name)
    (tmp_path / "program.py").write_text(text, encoding="utf-8")
    found = [f.message for f in convert(discover(tmp_path)).findings if f.code == "MP401"]
    assert bool(found) is not repeats, found


@pytest.mark.frameworks
@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case[3]])
def test_both_sides_agree(tmp_path: Path, name: str) -> None:
    theirs, ours = printed_by_both(tmp_path, _text(name)[0])
    assert theirs == ours


CLASSES = """

class Drawing(nn.Module):
    def forward(self, x):
        return x + torch.randn(3)


class Block(nn.Sequential):
    def __init__(self):
        layers = [nn.Linear(4, 3)]
        layers.append(INNER)
        super().__init__(*layers)
"""


@pytest.mark.parametrize(("inner", "repeats"), [("nn.Tanh()", True), ("nn.Sequential(nn.Tanh(), nn.Linear(3, 3))", True), ("nn.Dropout(0.5)", False), ("Drawing()", False), ("nn.Sequential(Drawing())", False)])
def test_a_container_is_what_it_holds(tmp_path: Path, inner: str, repeats: bool) -> None:
    """Another module of the project draws numbers, and the critic does not hold it."""
    classes, (layer, out, shape) = CLASSES.replace("INNER", inner), ("Block()", "3", "(2, 5, 4)")
    text = PROGRAM.replace("import torch.nn as nn\n", "import torch.nn as nn\n" + classes).replace("LAYER", layer).replace("OUT", out).replace("SHAPE", shape)
    (tmp_path / "program.py").write_text(text, encoding="utf-8")
    found = [f.message for f in convert(discover(tmp_path)).findings if f.code == "MP401"]
    assert bool(found) is not repeats, found

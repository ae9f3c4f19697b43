"""Changes on a line with other statements: ``conv(x); conv.weight.data.fill_(0.5)`` gets lines of its own where something has to be written around or behind one."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from mindport.convert import convert  # noqa: E402
from mindport.source.discover import discover  # noqa: E402
from tests.convert.both_sides import converted_script, printed_by_both  # noqa: E402

NOTEBOOK = """
import torch
from torch import nn

conv = nn.LazyConv2d(1, kernel_size=(1, 2), bias=False)
x = torch.arange(8.0).view(1, 1, 2, 4)
conv(x); conv.weight.data.fill_(0.5); print(conv.weight.sum().item())
for step in range(2):
    loss = conv(x).sum(); loss.backward(); conv.weight.data -= 0.125 * conv.weight.grad; conv.weight.grad = None  # by hand
    print(loss.item(), conv.weight.sum().item())
"""


def test_the_same_numbers(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, NOTEBOOK)
    assert ours == theirs
    assert not [finding for finding in convert(discover(tmp_path / "before")).findings if finding.code == "MP109"]


DENSE = """
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
def init(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()): p.copy_(torch.linspace(-0.5, 0.5, p.numel()).view_as(p) * (i + 1)); p.mul_(0.5)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 8); self.b = nn.Linear(8, 3)
        self.register_buffer("n", torch.zeros(()))
    def forward(self, x, mask=None):
        h = self.a(x); v = h[:, :2]; v *= 2
        if mask is not None: h[mask] = 0; self.n += 1
        if self.training: self.n += 1
        return self.b(h)

def step(net, opt, x, y, clip=None):
    opt.zero_grad(); loss = F.cross_entropy(net(x), y); loss.backward()
    if clip: nn.utils.clip_grad_norm_(net.parameters(), clip)
    opt.step(); return loss.item()

net = Net(); init(net); opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.linspace(-1, 1, 24).view(6, 4); y = torch.tensor([0, 1, 2, 0, 1, 2])
for i in range(3): print(round(step(net, opt, x, y, 1.0), 5))
for i in range(3): opt.zero_grad(); loss = net(x).pow(2).mean(); loss.backward(); opt.step(); print(round(loss.item(), 5))
x.requires_grad_(True); out = net(x).sum(); g, = torch.autograd.grad(out, x); print(round(g.sum().item(), 4))
a = torch.zeros(3, 4); b = a[1]; b += 3; b[2] = 7; print(a.tolist())
t = torch.arange(6.).view(2, 3); u = t.t(); u.mul_(2); print(t.tolist(), u.tolist())
if len(t) == 2: conv = nn.Linear(2, 2, bias=False); conv.weight.data.fill_(0.5); print(conv.weight.sum().item())
net.eval(); m = torch.tensor([True, False] * 3); print(round(net(x.detach(), m).sum().item(), 4)); print(net.n.item())
"""


def test_a_dense_program(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, DENSE)
    assert ours == theirs
    conversion = convert(discover(tmp_path / "before"))
    assert not [finding.message for finding in conversion.findings if finding.code in ("MP109", "MP401", "MP403")]
    text = conversion.files[next(iter(conversion.sources))]
    assert "self.a = nn.Dense(4, 8); self.b = nn.Dense(8, 3)" in text  # lines that need no room stay


def test_a_gradient_goes_back_to_where_it_is_asked_for(tmp_path: Path) -> None:
    text = converted_script(tmp_path, DENSE)
    assert "def out_of_x(x):\n    return net(x).sum()\n" in text


def test_places_are_told_as_they_stand(tmp_path: Path) -> None:
    source = "import torch\na = torch.zeros(3); b = a[1:]; b += 1; print(a)\n\nrows = [a]; c = a[:1]; c.resize_(4); torch.nonexistent(c)\n"
    (tmp_path / "main.py").write_text(source)
    conversion = convert(discover(tmp_path / "main.py"))
    assert "b = a[1:]\n" in next(iter(conversion.files.values()))
    assert {record.line for record in conversion.log if record.api == "torch.zeros"} == {2}
    named = [finding.span for finding in conversion.findings if finding.api == "torch.nonexistent"]
    assert [(span.line, source.split("\n")[3][span.column :][:5]) for span in named if span] == [(4, "torch")]


ASKED_TWICE = """
import torch

x = torch.linspace(1, 2, 3, requires_grad=True)
y = x * 2
x.requires_grad_(True)
out = (y * x).sum()
g, = torch.autograd.grad(out, x)
print(g.tolist())
"""


def test_what_an_input_led_to_before_it_asks_again_belongs_to_its_gradient(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, ASKED_TWICE)
    assert ours == theirs
    assert "y = x * 2\n    out = (y * x).sum()" in converted_script(tmp_path, ASKED_TWICE)

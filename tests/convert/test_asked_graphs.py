"""What tensors say of the graph of their gradient, and gradients of results: scripts that ask are put on the tape, steps of modules that ask stay functions."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import converted_script, printed_by_both  # noqa: E402

ASKED = """
import torch
import torch.nn as nn

x = torch.ones(3, requires_grad=True)
a = torch.arange(3.0)
y = x * 2
with torch.no_grad():
    n = x * 3
layer = nn.Linear(3, 2)
frozen = nn.Linear(3, 2).requires_grad_(False)
places = torch.zeros(3)
places[0] = x[1]
some = dict(
    x=x, a=a, y=y, n=n, detached=y.detach(), weight=layer.weight, out=layer(a), fixed=frozen.weight, still=frozen(a), clone=x.clone(), view=y.view(3, 1),
    element=y[0], parameter=nn.Parameter(torch.zeros(2)), place=y.argmax(), above=y > 1, places=places, whole=torch.tensor([1, 2]),
)
for name, t in some.items():
    print(name, t.requires_grad, t.is_leaf, t.grad_fn is None)
"""

KEPT = """
import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x * 2
y.retain_grad()
z = (y ** 2).mean()
z.backward()
print([round(n, 4) for n in x.grad.tolist() + y.grad.tolist()], y.retains_grad, z.retains_grad)
q = x ** 2
q.retain_grad()
r = q.sum() * 3
r.backward(retain_graph=True)
r.backward()
print(q.grad.tolist(), (x * 5).grad)
try:
    torch.ones(2).retain_grad()
except RuntimeError as error:
    print(error)
"""

CAM = """
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 3, 3)
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        self.feature = self.conv(x).relu()
        if self.feature.requires_grad:
            self.feature.retain_grad()
        return self.fc(self.feature.mean((2, 3)))


net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.5, 1, p.numel()).view(p.shape))
x = torch.linspace(-1, 1, 36).view(1, 1, 6, 6)
score = net(x)[0, 1]
net.zero_grad()
score.backward()
weights = net.feature.grad.mean((2, 3), keepdim=True)
print(f"{(weights * net.feature).sum(1).relu().sum().item():.4f} {net.feature.grad.sum().item():.4f}")
with torch.no_grad():
    print(f"{net(x).sum().item():.4f}", net.feature.grad)
"""

STEP = """
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)

    def forward(self, x):
        h = self.fc(x)
        if h.requires_grad:
            h = h * 2
        return h


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    loss = net(torch.ones(4, 3)).sum()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize("source", [ASKED, KEPT, CAM], ids=["flags", "kept gradients", "a class activation map"])
def test_both_say_the_same(tmp_path: Path, source: str) -> None:
    """Flags of all kinds of tensors; gradients of results, added up over passes; the error of a tensor that wants none."""
    theirs, ours = printed_by_both(tmp_path, source)
    assert ours == theirs


def test_steps_of_modules_that_ask_stay_functions(tmp_path: Path) -> None:
    """``if h.requires_grad:`` in a forward pass."""
    text = converted_script(tmp_path, STEP)
    assert "value_and_grad" in text and "backward(" not in text, text

"""Training steps that cannot be shown to compute the same: the text stays, and the finding names the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import Options, convert
from mindport.source.discover import discover

_HEAD = '''import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(x)


'''

#: (what it is, program, part of the message, text of the line that the message names)
_CASES = [
    (
        "a hidden state goes on into the next batch",
        "def f(model: nn.LSTM, batches, opt):\n    hidden = None\n    for x in batches:\n        out, hidden = model(x, hidden)\n        loss = out.mean()\n"
        "        loss.backward()\n        opt.step()\n",
        "`hidden` may carry a gradient", "out, hidden = model(x, hidden)",
    ),
    (
        "the caller gives features of another model",
        "def step(model: Net, features, opt):\n    loss = model(features).mean()\n    loss.backward()\n    opt.step()\n\n\n"
        "def main(x, opt):\n    encoder = Net()\n    step(Net(), encoder(x), opt)\n",
        "gives `encoder(x)`", "def step(model: Net, features, opt):",
    ),
    (
        "an attribute from another method",
        "class Pix:\n    def __init__(self):\n        self.net = Net()\n\n    def run(self):\n        self.fake = self.net(self.real)\n\n"
        "    def update(self):\n        loss = F.l1_loss(self.fake, self.target)\n        loss.backward()\n",
        "`self.fake` may carry a gradient", "self.fake = self.net(self.real)",
    ),
    (
        "a step between two calls over one graph",
        "def f(model: Net, x, y, a, b):\n    out = model(x)\n    first = F.cross_entropy(out, y)\n    second = out.mean()\n    first.backward(retain_graph=True)\n"
        "    a.step()\n    second.backward()\n    b.step()\n",
        "gradients are used between them", "a.step()",
    ),
    (
        "a return in the forward pass",
        "def f(model: Net, x, y):\n    out = model(x)\n    if y is None:\n        return out\n    loss = F.cross_entropy(out, y)\n    loss.backward()\n",
        "a return stands between", "return out",
    ),
    (
        "a name that is bound on some ways",
        "def f(model: Net, x, y):\n    out = model(x)\n    if y is not None:\n        extra = out.mean()\n    loss = out.sum()\n    loss.backward()\n    return extra\n",
        "`extra` is bound on some ways only", "extra = out.mean()",
    ),
    (
        "a global that a called function reads",
        "scale = 1.0\n\n\ndef criterion(out):\n    return out.mean() * scale\n\n\nmodel = Net()\nfor x in torch.ones(3, 2, 4):\n    out = model(x)\n    scale = 2.0\n"
        "    loss = criterion(out)\n    loss.backward()\n",
        "a function reads the global `scale`", "scale = 2.0",
    ),
    (
        "gradients that are differentiated again from .grad",
        "def f(model: Net, x):\n    loss = model(x).mean()\n    loss.backward(create_graph=True)\n",
        "create_graph=True", "loss.backward(create_graph=True)",
    ),
    (
        "a handler reads what the forward pass bound",
        "def f(model: Net, x, y):\n    out = None\n    try:\n        out = model(x)\n        loss = F.cross_entropy(out, y)\n        loss.backward()\n"
        "    except ValueError:\n        print(out)\n",
        "`out` is read where an error", "print(out)",
    ),
    (
        "a generator between forward and backward",
        "def f(model: Net, batches):\n    for x in batches:\n        out = model(x)\n        yield out\n        loss = out.mean()\n        loss.backward()\n",
        "gives control away", "yield out",
    ),
    (
        "a gradient with respect to what has no plain name",
        "def f(model: Net, x, y):\n    out = model(x + y[0])\n    a, b = torch.autograd.grad(out.sum(), [x, y[0]])\n    return a + b\n",
        "several outputs, or with respect to something", "a, b = torch.autograd.grad(out.sum(), [x, y[0]])",
    ),
    (
        "the output is used after its gradient was taken",
        "def f(model: Net, x: torch.Tensor):\n    x = x.detach()\n    out = torch.dropout(model(x), 0.5, True)\n    g = torch.autograd.grad(out.sum(), x, create_graph=True)[0]\n    return out.mean() + g.pow(2).mean()\n",
        "`out` is used after the gradient was taken: compute it a second time, after it; that is not done here, for `torch.dropout` draws numbers", "g = torch.autograd.grad(out.sum(), x, create_graph=True)[0]",
    ),
    (
        "the output is an expression of what the caller computed",
        "def f(score: torch.Tensor, x: torch.Tensor):\n    slope, = torch.autograd.grad(outputs=score.sum(), inputs=x, create_graph=True)\n    return slope.pow(2).sum()\n",
        "nothing shows that `score.sum()` is computed from `x`", "slope, = torch.autograd.grad(outputs=score.sum(), inputs=x, create_graph=True)",
    ),
    (
        "the output is used in the statement that takes its gradient",
        "def f(model: Net, x: torch.Tensor):\n    x = x.detach()\n    out = torch.dropout(model(x), 0.5, True)\n    return out, torch.autograd.grad(out.sum(), x)[0]\n",
        "`out` is used after the gradient was taken", "return out, torch.autograd.grad(out.sum(), x)[0]",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("program", "message", "line"), [c[1:] for c in _CASES], ids=[c[0] for c in _CASES])
def test_stays_with_the_reason(tmp_path: Path, program: str, message: str, line: str) -> None:
    """MindSpore 2.7 has no tape: what is no function stays."""
    text = _HEAD + program
    (tmp_path / "program.py").write_text(text)
    conversion = convert(discover(tmp_path), Options(mindspore="2.7.0"))
    found = [f.message for f in conversion.findings if f.code == "MP401"]
    assert found and all(message in m for m in found), found
    number = next(i for i, one in enumerate(text.splitlines(), 1) if one.strip() == line)
    assert any(f"line {number}" in m for m in found), (number, found)
    converted = next(t for p, t in conversion.files.items() if p.name == "program.py")
    assert "value_and_grad" not in converted and "ms.grad" not in converted


@pytest.mark.parametrize(("program", "message"), [c[1:3] for c in _CASES], ids=[c[0] for c in _CASES])
def test_goes_to_the_tape_with_the_reason(tmp_path: Path, program: str, message: str) -> None:
    """MindSpore 2.10 has one, which gives wrong gradients of gradients: those stay here, too."""
    (tmp_path / "program.py").write_text(_HEAD + program)
    conversion = convert(discover(tmp_path))
    found = {f.code: f.message for f in conversion.findings if f.code in ("MP401", "MP403")}
    twice = "create_graph" in program
    assert list(found) == ["MP401" if twice else "MP403"] and message in next(iter(found.values())), found
    converted = next(t for p, t in conversion.files.items() if p.name == "program.py")
    assert "value_and_grad" not in converted and "ms.grad" not in converted
    assert ("import backward" in converted or "import gradients" in converted) is not twice


def test_frameworks_that_run_the_step_are_refused(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import pytorch_lightning as pl\nimport torch\nfrom torch import nn\n\n\nclass Lit(pl.LightningModule):\n    def training_step(self, batch, i):\n"
        "        return self(batch).mean()\n\n    def configure_optimizers(self):\n        return torch.optim.Adam(self.parameters())\n\n\n"
        "def relu(x: torch.Tensor):\n    return torch.relu(x)\n"
    )
    conversion = convert(discover(tmp_path))
    (finding,) = [f for f in conversion.findings if f.code == "MP402"]
    assert "training_step (line 7) gives `self(batch).mean()`" in finding.message and finding.span is not None and finding.span.line == 6
    assert "ops.relu(x)" in next(t for p, t in conversion.files.items() if p.name == "program.py")

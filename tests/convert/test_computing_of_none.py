"""Sums, products, layers and losses where masks leave no elements: MindSpore's CPU leaves what lay in memory, as values and as gradients of weights."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both

#: The setting changes MindSpore for its whole process, so each side runs in one of its own.
PRINTED = """
import json
print(json.dumps([[str(k.dtype).rpartition(".")[2].lower(), k.tolist()] for k in kept]))
"""

#: Memory that was used before, of all the sizes that the programs ask for.
USED = """
def use_memory():
    used = [torch.full((size,), 7.5) + 0.25 for size in (1, 2, 3, 4, 6, 8, 9, 12, 16, 24, 32, 64) for _ in range(6)]
    return float(used[-1].sum())
"""

EXPERTS = (
    """
import torch
from torch import nn
"""
    + USED
    + """

class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = nn.ModuleList([nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 4)) for _ in range(3)])

    def forward(self, x, chosen):
        out = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            mask = chosen == number
            HOW
        return out


net = Experts()
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.5, 0.7, p.numel()).reshape(p.shape))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, weight_decay=0.1)
x, chosen = torch.arange(20.0).reshape(5, 4) / 10, torch.tensor([0, 2, 0, 2, 2])
for _ in range(3):
    use_memory()
    optimizer.zero_grad()
    loss = (net(x, chosen) ** 2).mean()
    loss.backward()
    optimizer.step()
kept = [loss.detach()] + [p.detach().clone() for p in net.parameters()]
READ
"""
)

#: Each function computes of nothing; where it is called, nobody sees a mask.
FUNCTIONS = (
    """
import torch
import torch.nn.functional as F
from torch import nn
"""
    + USED
    + """

def total(x):
    return x.sum(), torch.sum(x), (x > 0).sum(), x.mean(), torch.mean(x), torch.sum(x, 0), x.prod(0), torch.prod(x), torch.nansum(x)

def products(x, w):
    return x.t() @ x, torch.mm(x.t(), x), torch.matmul(x.t(), x), torch.bmm(x.t()[None], x[None]), torch.mv(x.t(), x[:, 0]), torch.addmm(w, x.t(), x)

def losses(x, places):
    one = [F.l1_loss(x, x, reduction=how) for how in ("sum", "mean")] + [F.mse_loss(x, x, reduction="sum"), F.huber_loss(x, x, reduction="sum")]
    two = [F.cross_entropy(x, places, reduction="sum"), F.binary_cross_entropy(x, x, reduction="sum")]
    three = [kind(reduction="sum")(x, x) for kind in (nn.L1Loss, nn.MSELoss, nn.HuberLoss, nn.SmoothL1Loss, nn.BCELoss)]
    return one + two + three + [nn.CrossEntropyLoss(reduction="sum")(x, places)]

def gradients(x, places):
    found = []
    for kind in (nn.Linear(4, 3), nn.Linear(4, 3, bias=False), nn.LayerNorm(4)):
        use_memory()
        (kind(x) * 2).sum().backward()
        found += [p.grad for p in kind.parameters()]
    table = nn.Embedding(6, 4)
    (table(places) * 2).sum().backward()
    w, v = torch.ones(4, 3, requires_grad=True), torch.ones(1, 4, 3, requires_grad=True)
    use_memory()
    (torch.mm(x, w) * 2).sum().backward()
    (torch.bmm(x[None], v) * 2).sum().backward()
    return [*found, table.weight.grad, w.grad, v.grad]

rows, w = torch.arange(12.0).reshape(3, 4), torch.ones(4, 4)
none = rows[rows[:, 0] > 100]
places = torch.arange(3)[rows[:, 0] > 100]
use_memory()
kept = list(total(none))
use_memory()
kept += products(none, w)
use_memory()
kept += losses(none, places)
kept += gradients(none, places)
parts = torch.complex(none, none)
square = torch.zeros(2, 0, 3)
kept += [parts.real, parts.imag, torch.imag(parts), torch.pinverse(square), torch.linalg.pinv(square), torch.gather(w[0], 0, places[None]), w[0].gather(0, places)]
kept += [torch.tensor(list(k.shape)) for k in kept]
"""
)


def agree(folder: Path, text: str) -> None:
    """Both sides keep the same values; NaN is a value, too."""
    theirs, ours = (json.loads(printed.splitlines()[-1]) for printed in printed_by_both(folder, text + PRINTED))
    for number, ((kind, expected), (own_kind, made)) in enumerate(zip(theirs, ours, strict=True)):
        assert kind == own_kind, number
        np.testing.assert_allclose(np.array(made), np.array(expected), rtol=1e-4, atol=1e-5, err_msg=str(number))


@pytest.mark.frameworks
@pytest.mark.parametrize("how", ["out[mask] = expert(x[mask])", "out = out + expert(x[mask]).sum(0)", "out = torch.cat([out, expert(x[mask])])"])
@pytest.mark.parametrize("read", ["", "kept += [p.grad for p in net.parameters()]"])
def test_an_expert_without_tokens_learns_nothing(tmp_path: Path, how: str, read: str) -> None:
    agree(tmp_path, EXPERTS.replace("HOW", how).replace("READ", read))


@pytest.mark.frameworks
def test_nothing_is_computed_as_torch_does(tmp_path: Path) -> None:
    agree(tmp_path, FUNCTIONS)


NEEDS_IT = (
    "def heads(net, x, mask):\n    return net(x[mask])\n",
    "def heads(net, x, scores):\n    return net(x[scores > 0.5])\n",
    "def heads(net, x):\n    return net(x[torch.nonzero(x.sum(1))])\n",
    "def heads(net, boxes):\n    return net(torch.from_numpy(boxes))\n",
    "def heads(net, x, gates):\n    return net(torch.split(x, (gates > 0).sum(0).tolist())[0])\n",
    "def heads(net, x, counts):\n    return net(torch.split(x, [int(n) for n in counts])[0])\n",
    "start = torch.zeros(0, 4)\n",
    "start = torch.tensor([])\n",
)
DOES_NOT = (
    "def heads(net, x, n):\n    return net(torch.split(x, [2, n])[0]), net(torch.split(x, 4)[0]), net(torch.split(x, n)[0])\n",
    "start = torch.full((2, 3), 0)\n", "start = torch.tensor(0)\n", "start = torch.zeros((1, 3))\n",
    "def heads(net, x, i):\n    return net(x[i])\n", "def heads(net, x):\n    return net(x[:, 1:3])\n", "def heads(net, cfg):\n    return net(cfg['x'])\n")


@pytest.mark.parametrize("text", NEEDS_IT)
def test_a_file_whose_tensors_may_hold_nothing_asks_for_it(tmp_path: Path, text: str) -> None:
    assert "COMPUTES_OF_NONE = " in _vendored(tmp_path, text)


@pytest.mark.parametrize("text", DOES_NOT)
def test_other_files_do_not(tmp_path: Path, text: str) -> None:
    assert "COMPUTES_OF_NONE = " not in _vendored(tmp_path, text)


def _vendored(folder: Path, text: str) -> str:
    (folder / "script.py").write_text(f"import torch\nfrom torch import nn\n\nlayer = nn.Linear(4, 3)\n\n\n{text}", encoding="utf-8")
    return "".join(convert(discover(folder)).files.values())


ROWS = (
    """
import torch
import torch.nn.functional as F
from torch import nn
"""
    + USED
    + """

def made(x, call):
    x = x.detach().requires_grad_()
    y = call(x)
    (y * 2).sum().backward()
    return [y.detach(), x.grad]

short, square, cube = torch.ones(2, 3, 8), torch.ones(2, 3, 8, 8), torch.ones(2, 3, 8, 8, 8)
short, square, cube = (x[x.flatten(1).sum(1) < 0] for x in (short, square, cube))
kept = []
for call in (
    lambda x: F.avg_pool1d(x, 2), nn.AvgPool1d(2), nn.MaxPool1d(2), lambda x: F.max_pool1d(x, 3, 2, 1), nn.LPPool1d(2, 2), nn.AdaptiveAvgPool1d(3),
    nn.AdaptiveMaxPool1d(3), lambda x: F.adaptive_avg_pool1d(x, 3), nn.InstanceNorm1d(3), nn.PReLU(), nn.RMSNorm(8), lambda x: F.rms_norm(x, (8,)),
    lambda x: F.layer_norm(x, (8,)), lambda x: x.max(-1)[0], lambda x: x.min(-1, keepdim=True)[0], lambda x: x.std(-1), lambda x: x.mean(-1), lambda x: x.repeat(1, 2, 1),
):
    use_memory()
    kept += made(short, call)
for call in (
    lambda x: F.avg_pool2d(x, 2), nn.AvgPool2d(3, 2, 1), nn.MaxPool2d(2), lambda x: F.max_pool2d(x, 2), nn.LPPool2d(2, 2), nn.AdaptiveAvgPool2d(1),
    nn.AdaptiveAvgPool2d((2, 3)), nn.AdaptiveMaxPool2d(2), lambda x: F.adaptive_avg_pool2d(x, 3), lambda x: F.adaptive_max_pool2d(x, 3), nn.InstanceNorm2d(3), nn.ZeroPad2d(1),
):
    use_memory()
    kept += made(square, call)
for call in (
    lambda x: F.avg_pool3d(x, 2), nn.AvgPool3d(2), nn.MaxPool3d(2), lambda x: F.max_pool3d(x, 2), nn.LPPool3d(2, 2), nn.AdaptiveAvgPool3d(2),
    nn.AdaptiveMaxPool3d(2), lambda x: F.adaptive_avg_pool3d(x, 2), lambda x: F.adaptive_max_pool3d(x, 2),
):
    use_memory()
    kept += made(cube, call)
lstm, layer = nn.LSTM(8, 2, 2, batch_first=True, bidirectional=True), nn.TransformerEncoderLayer(8, 2, 4, 0.0, batch_first=True)
with torch.no_grad():
    for p in [*lstm.parameters(), *layer.parameters()]:
        p.copy_(torch.linspace(-0.5, 0.7, p.numel()).reshape(p.shape))
kept += [*made(short * torch.arange(8), lambda x: lstm(x)[0]), *made(short * torch.arange(8), lambda x: layer(x))]
use_memory()
kept += made(torch.ones(3, 2), lambda x: x.repeat(0, 2))
kept += [torch.min(torch.tensor(3.0), 0)[0], torch.max(torch.tensor(2.0), -1)[0]]
kept += made(torch.ones(3, 2), lambda x: torch.tile(x, (0,)))
kept += [torch.tensor(list(k.shape)) for k in kept]
"""
)


@pytest.mark.frameworks
def test_a_batch_without_rows_is_pooled_and_normalised(tmp_path: Path) -> None:
    agree(tmp_path, ROWS)


@pytest.mark.frameworks
def test_rows_are_pooled_as_before(tmp_path: Path) -> None:
    """The same program where the mask keeps all rows: the forms for nothing change no other result."""
    agree(tmp_path, ROWS.replace(".sum(1) < 0", ".sum(1) > 0"))


PICKS = (
    """
import torch
import torch.nn.functional as F
"""
    + USED
    + """

table, rows = torch.arange(12.0).reshape(6, 2), torch.arange(6.0).reshape(3, 2)
none = torch.nonzero(rows[:, 0] > 100)[:, 0]

def made(call):
    w = rows.clone().requires_grad_()
    y = call(w)
    use_memory()
    ((y * y).sum() + (w * 3).sum()).backward()
    return [y.detach(), w.grad, torch.tensor(list(y.shape))]

kept = []
for call in (
    lambda w: w[none], lambda w: w[:, none], lambda w: w[none, none], lambda w: w[:0], lambda w: w[0:0, 1], lambda w: w[3:], lambda w: w.index_select(0, none),
    lambda w: torch.index_select(w, 1, none), lambda w: torch.take(w, none), lambda w: F.embedding(none, w), lambda w: torch.stack([w[:0], w[:0]]),
    lambda w: torch.cat([w[:0], w]), lambda w: w[:0].cumsum(0), lambda w: torch.relu(w[:0]) @ w.t(), lambda w: w.index_add(0, none, w[:0]),
    lambda w: w.index_copy(0, none, w[:0]), lambda w: F.mse_loss(w[none], table[none], reduction="sum"), lambda w: torch.softmax(w[none], -1),
    lambda w: w[2:1].sum(0) + w[:1].sum(0), lambda w: w[none].flip(0), lambda w: torch.where(w[:0] > 0, w[:0], 0.0),
):
    kept += made(call)

def filled(w):
    x = w * 1
    x[none] = w[:0] * 2
    x[torch.zeros(0, 2, dtype=torch.long)] = 7.0
    return x

labels = torch.zeros(0, 6)
labels[:, 0] = 3
labels[:, 1:] = torch.zeros(0, 5)
kept += [labels, torch.tensor(list(labels.shape))]
flags, places = torch.zeros(4, dtype=torch.bool), torch.arange(4)
flags[none] = True
places[none] = none
kept += [*made(filled), flags, places]
"""
)


@pytest.mark.frameworks
def test_gradients_of_picks_and_slices_of_nothing_are_zero(tmp_path: Path) -> None:
    """MindSpore's raise: ``scores[found]`` where nothing was found, ``x[:0]``."""
    agree(tmp_path, PICKS)


PARTED = (
    """
import torch
from torch import nn
"""
    + USED
    + """

first, experts = nn.Linear(4, 4), nn.ModuleList([nn.Linear(4, 3) for _ in range(3)])
parameters = [*first.parameters(), *experts.parameters()]
with torch.no_grad():
    for p in parameters:
        p.copy_(torch.linspace(-0.5, 0.7, p.numel()).reshape(p.shape))
optimizer = torch.optim.SGD(parameters, lr=0.1, weight_decay=0.1)
x, kept = torch.arange(20.0).reshape(5, 4) / 10, []
for chosen in (torch.tensor([2, 1, 2, 2, 1]), torch.tensor([0, 2, 0, 2, 2]), torch.tensor([0, 0, 1, 0, 1])):
    counts = torch.bincount(chosen, minlength=3).tolist()
    use_memory()
    optimizer.zero_grad()
    parts = PARTS
    loss = (torch.cat([expert(part) for expert, part in zip(experts, parts)]) ** 2).mean()
    loss.backward()
    optimizer.step()
    kept += [loss.detach()] + [p.detach().clone() for p in parameters]
"""
)


@pytest.mark.frameworks
@pytest.mark.parametrize("parts", ["torch.split(first(x), counts)", "first(x).split(counts, dim=0)", "torch.split(first(x), split_size_or_sections=counts)"])
def test_pieces_without_rows_have_gradients_of_zeros(tmp_path: Path, parts: str) -> None:
    """The first piece's gradient raises in MindSpore ("StridedSliceGrad, 0 input memory out of bounds"); the layer behind it has one of what lay in memory."""
    agree(tmp_path, PARTED.replace("PARTS", parts))

"""Casts to whole numbers: no gradient passes, where one might; the text stays where none comes in or goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import converted_script, printed_by_both  # noqa: E402

GRADIENTS = """
import torch
import torch.nn as nn
import torch.nn.functional as F


def gradient(f):
    x = torch.tensor([1.25, 2.75, -0.5], requires_grad=True)
    (f(x) * torch.tensor([1.0, 2.0, 4.0])).sum().backward()
    return x.grad.tolist()


def through(v, like):
    return v.to(torch.int64).to(like)


def changed(x):
    v = (x * 2).long()
    v[0] = 3
    v += 1
    return v.float() + x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor([1.5, 2.5]))

    def forward(self, x):
        h = self.scale * x
        low = h.long()
        share = h - low.float()
        return (share * share + (h * 4).int() / 4).sum()


print(gradient(lambda x: x.long().float() + x))
print(gradient(lambda x: x.to(torch.int32) * x))
print(gradient(lambda x: x.bool().to(x.dtype) * x))
print(gradient(lambda x: x.type(torch.LongTensor) + x))
print(gradient(lambda x: x.type_as(torch.tensor([1])) * x))
print(gradient(lambda x: through(x, x) + x))
print(gradient(changed))
print(gradient(lambda x: F.mse_loss(x * 3, (x * 3).long(), reduction="none")))
print(gradient(lambda x: x.long().mul(0.5) + x))
print(gradient(lambda x: x.masked_fill(x.bool(), 2.0).gather(0, x.abs().long())))
net = Net()
net(torch.ones(2)).backward()
print(net.scale.grad.tolist())
w = torch.tensor([1.5], requires_grad=True)
(w - w.short().to(w.dtype)).sum().backward()
print(w.grad.tolist())
"""


def test_the_same_gradients(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, GRADIENTS)
    assert ours == theirs


@pytest.mark.parametrize(
    "body",
    [
        "def forward(self, x):\n        return self.table(x.long())",
        "def forward(self, x):\n        i = (x * 4).long().clamp(0, 3)\n        return self.table.weight[i]",
        "def forward(self, x, y):\n        return F.cross_entropy(self.table.weight[0] * x, y.long())",
        "def forward(self, x):\n        return self.table.weight.sum() * (x > 0).long()",
        "def forward(self, x):\n        flat = x[0].long() * 4 + x[1].long()\n        return torch.gather(self.table.weight, 0, flat)",
        "def forward(self, x):\n        with torch.no_grad():\n            k = x.int() / 2\n        return self.table.weight * k",
        "def forward(self, x):\n        return self.table.weight * int(x.sum().long())",
    ],
)
def test_the_text_stays(tmp_path: Path, body: str) -> None:
    text = converted_script(tmp_path, f"import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.table = nn.Embedding(4, 2)\n\n    {body}\n")
    assert "stop_gradient" not in text


def test_batches_of_a_loader_stay(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\n\n\ndef weigh(x):\n    return x.long() * 0.5\n\n\nfor x, y in [(torch.ones(2), torch.ones(2))]:\n    print(weigh(x), y.long() / 2)\n")
    assert "stop_gradient" not in text


TOLD_WHEN_RUN = """
import torch
import torch.nn as nn


class Cast(nn.Module):
    def __init__(self, dtype=torch.float32):
        super().__init__()
        self.dtype = dtype

    def forward(self, x):
        return (x * x.to(self.dtype)).sum()


def penalty(t, dtype):
    k = t.to(dtype=dtype)
    return (t * k).sum()


def halves(t):
    return (t - t.long() / 2).sum()


x = torch.tensor([0.5, 1.75, -2.5], requires_grad=True)
for kind in (torch.float64, torch.int32, torch.float16, torch.bool):
    Cast(kind)(x).backward()
    print(x.grad.tolist())
    x.grad = None
for run in (lambda: penalty(x, torch.int64), lambda: penalty(x, torch.float32), lambda: halves(x)):
    run().backward()
    print(x.grad.tolist())
    x.grad = None
"""


def test_a_dtype_that_only_the_run_shows(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, TOLD_WHEN_RUN)
    assert ours == theirs


def test_dtypes_that_are_floats_everywhere_stay(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\n\n\ndef narrow(x, dtype):\n    return (x * x.to(dtype)).sum()\n\n\nx = torch.ones(2, requires_grad=True)\nnarrow(x, torch.float16).backward()\nnarrow(x, torch.float64).backward()\n")
    assert "x.to(dtype)" in text


OBJECTS = """
from typing import NamedTuple

import torch


class Packed(NamedTuple):
    ids: torch.Tensor
    pos: torch.Tensor

    def to(self, *a, **k):
        return Packed(*(t.to(*a, **k) for t in self))


w = torch.nn.Parameter(torch.ones(2))
batch = Packed(w * 2.5, torch.zeros(2))
print(batch.to(torch.int32).ids.dtype.is_floating_point, batch.to(torch.int32).ids.tolist())
((w * 2).sum() + batch.to(torch.float32).pos.sum()).backward()
print(w.grad.tolist())
"""


def test_an_object_casts_its_parts_itself(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, OBJECTS)
    assert ours == theirs

"""Views that an index takes as well, changed by a statement (``x.narrow(1, s, n).copy_(v)``), and parts that are given back to where they were taken from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import torch
from torch import nn


def widened(image, before, after):
    padded = torch.zeros(image.size(0), before + image.size(1) + after)
    padded.narrow(1, before, image.size(1)).copy_(image)
    padded.narrow(1, 0, before).copy_(image[:, :before].flip(1))
    padded.narrow(dim=-1, start=-after, length=after).copy_(image[:, -after:].flip(1))
    return padded


def clipped(boxes, width):
    boxes = boxes.clone()
    boxes[:, 0] = boxes[:, 0].clamp_(min=0, max=width)
    boxes[:, 1::2] = boxes[:, 1::2].mul_(2).sub_(1)
    return boxes


def changed(x, v, whole, mask):
    x, whole, mask = x.clone(), whole.clone(), mask.clone()
    x[0].copy_(v)
    x[:, 1].zero_()
    x.select(1, 2).copy_(v[:3], non_blocking=True)
    x.select(-2, 0).mul_(2).add_(v)
    x.narrow(-1, 1, 2).fill_(7)
    x.narrow(0, 1, 1 + 1).fill_(value=x[0, 0])
    whole[0].fill_(2.7)
    whole.select(0, 1).copy_(v)
    mask[1].zero_()
    mask[:, 0].fill_(1)
    return x, whole, mask


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        with torch.no_grad():
            self.layer.weight.copy_(torch.linspace(-1, 1, 16).reshape(4, 4))
            self.layer.bias[0].fill_(3)
            self.layer.bias.narrow(0, 1, 3).zero_()

    def forward(self, x):
        h = self.layer(x)
        out = torch.zeros(h.size(0), 6)
        out.narrow(1, 1, 4).copy_(h)
        out.select(1, 0).copy_(h[:, 1] * h[:, 2])
        out[:, 5] = out[:, 5].add_(h[:, 0])
        return out


net = Net()
x = torch.arange(12.0).reshape(3, 4) / 5
loss = (net(x) ** 2).sum()
loss.backward()
kept = [
    widened(torch.arange(12.0).reshape(3, 4), 2, 3), clipped(torch.arange(-4.0, 8.0).reshape(3, 4), 2),
    *changed(x, torch.arange(4.0) - 0.5, torch.ones(3, 4).int(), torch.ones(3, 4).bool()),
    loss.detach(), net.layer.weight.grad, net.layer.bias.grad, net.layer.bias.detach(),
]
"""


@pytest.mark.frameworks
def test_every_tensor_is_as_in_torch(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    for expected, made in zip(theirs.kept, ours.kept, strict=True):
        assert str(expected.dtype).removeprefix("torch.") == str(made.dtype).lower()
        assert made.tolist() == pytest.approx(expected.tolist(), rel=1e-5) if expected.ndim < 2 else [pytest.approx(row, rel=1e-5) for row in expected.tolist()] == made.tolist()


def test_as_one_would_write_it(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "MP109" not in text
    for line in (
        "padded[:, :before] = ", "padded[narrowed(1, before, image.shape[1])] = image", "boxes[:, 0] = boxes[:, 0].clamp(min=0, max=width)", "x[0] = v", "x[:, 1] = 0",
        "x[:, 2] = v[:3]", "x[..., 1:3] = 7", "out[:, 1:5] = h",
    ):  # fmt: skip
        assert line in text


@pytest.mark.parametrize("change", ["y = x.narrow(0, 0, 2).mul_(2)", "x.narrow(axis, 0, 2).mul_(2)", "x.narrow(0, next(starts), 2).mul_(2)", "x[:, 0] = x[:, 1].mul_(2)"])
def test_what_has_no_such_form_is_told(tmp_path: Path, change: str) -> None:
    assert "MP109" in converted_script(tmp_path, f"import torch\n\n\ndef f(x, axis, starts):\n    x = x.clone()\n    {change}\n    return x\n")

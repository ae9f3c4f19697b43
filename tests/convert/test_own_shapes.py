"""A change of shape alone is one of the tensor object: what shares its storage keeps its own shape, and a path that holds it is bound anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """\
import torch
import torch.nn as nn


class Noise(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = torch.tensor([1.0, 2.0]).to("cpu")
        for _ in range(2):
            self.weights.unsqueeze_(-1)

    def forward(self, x):
        return (self.weights * x).sum(0)


def expanded(message):
    wide = message.unsqueeze(-1)
    wide.unsqueeze_(-1)
    return wide.expand(-1, -1, 2, 2).sum(), message.shape


def channels(image):
    found = []
    for c in range(image.shape[1]):
        one = image[:, c, :].unsqueeze_(1)
        found.append(one)
    return torch.cat(found, 1).shape, image.sum()


def written(x):
    x = x * 1
    y = x.view(2, 3, 1)
    y.squeeze_(2)
    y[0, 0] = 9.0
    return x.tolist()


print(Noise()(torch.ones(1, 3)).tolist(), written(torch.ones(6)))
(total, shape), (joined, rest) = expanded(torch.ones(2, 3)), channels(torch.ones(2, 3, 4))
print(total.item(), tuple(shape), tuple(joined), rest.item())
"""

SHARED = """\
import torch


def both(x):
    y = x.view(-1)
    z = y
    z.unsqueeze_(0)
    return y.shape


class Net:
    def widen(self):
        self.w.unsqueeze_(0)


net = Net()
net.w = torch.ones(2)
net.widen()
print(both(torch.ones(2, 3)))
"""


def test_the_name_or_path_is_bound_anew(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "self.weights = self.weights.unsqueeze(-1)" in text and "wide = wide.unsqueeze(-1)" in text and "one = image[:, c, :].unsqueeze(1)" in text
    assert "MP1" not in text


def test_another_holder_of_the_very_tensor_is_told(tmp_path: Path) -> None:
    assert converted_script(tmp_path, SHARED).count("MP109") == 2


@pytest.mark.frameworks
def test_both_sides_have_the_same_shapes(tmp_path: Path) -> None:
    before, after = printed_by_both(tmp_path, PROGRAM)
    assert before == after == "[[3.0, 3.0, 3.0]] [9.0, 1.0, 1.0, 1.0, 1.0, 1.0]\n24.0 (2, 3) (2, 3, 4) 24.0\n"

"""What ``with`` gets of a function under ``contextmanager`` is what that yields; parametrizations are found by name."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import printed_by_both  # noqa: E402

PROGRAM = """
from contextlib import contextmanager

import torch
from torch import nn
from torch.nn.utils import parametrize


class Averages:
    @contextmanager
    def applied(self, model):
        yield model


@contextmanager
def frozen(model):
    model.requires_grad_(False)
    yield model
    model.requires_grad_(True)


net = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
nn.init.ones_(net[0].weight), nn.init.zeros_(net[0].bias)
with Averages().applied(net) as held, torch.no_grad():
    print(held.eval()(torch.ones(1, 2)).tolist(), held.training)
with frozen(net) as kept:
    print([p.requires_grad for p in kept.parameters()])


class Low(nn.Module):
    def __init__(self):
        super().__init__()
        self.b = nn.Parameter(torch.ones(2, 1))

    def forward(self, w):
        return w + self.b


layer = nn.Linear(2, 2, bias=False)
nn.init.eye_(layer.weight)
parametrize.register_parametrization(layer, "weight", Low())
layer(torch.ones(1, 2)).sum().backward()
held = layer.parametrizations
print(held["weight"][0].b.grad.tolist(), "weight" in held, list(held.keys()), list(held), [len(p) for p in held.values()], len(held))
"""


def test_modules_that_generators_yield_and_parametrizations_by_name(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs

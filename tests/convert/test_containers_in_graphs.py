"""Containers of parameters and modules, however a forward pass reads them: the converted one gets torch's gradients, compiled as well."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks

pytest.importorskip("torch", reason="this file runs both frameworks")
ms = pytest.importorskip("mindspore", reason="this file runs both frameworks")

from tests.convert.both_sides import both_sides, seen_by_graphs  # noqa: E402

PROGRAM = """\
import torch
from torch import nn

def weights():
    return [nn.Parameter(torch.tensor([[1.0, 2.0], [3.0, 4.0 + i]])) for i in range(3)]

class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.ParameterList(weights())

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.row = nn.ParameterList(weights())
        self.named = nn.ParameterDict(dict(zip("abc", weights())))
        self.layers = nn.ModuleDict({"first": nn.Linear(2, 2), "second": nn.Linear(2, 2)})
        self.holders = nn.ModuleList([Holder(), Holder()])

class Subscript(Net):
    def forward(self, x):
        return x @ self.row[0] @ self.row[-1]

class Iterate(Net):
    def forward(self, x):
        for weight in self.row:
            x = x @ weight
        return x

class Unpack(Net):
    def forward(self, x):
        first, second, third = self.row
        return x @ first @ third

class Count(Net):
    def forward(self, x):
        for i in range(len(self.row)):
            x = x @ self.row[i]
        return x

class Enumerate(Net):
    def forward(self, x):
        for i, weight in enumerate(self.row):
            x = x @ weight * i
        return x

class Slice(Net):
    def forward(self, x):
        for weight in self.row[1:]:
            x = x @ weight
        return x

class Zip(Net):
    def forward(self, x):
        for one, other in zip(self.row, self.holders[1].inner):
            x = x @ one + x @ other
        return x

class Inside(Net):
    def forward(self, x):
        for holder in self.holders:
            x = x @ holder.inner[1]
        return x

class Named(Net):
    def forward(self, x):
        return x @ self.named["a"] @ self.named["c"]

class Items(Net):
    def forward(self, x):
        for name, weight in self.named.items():
            if name != "b":
                x = x @ weight
        return x

class Keys(Net):
    def forward(self, x):
        for name in self.named.keys():
            x = x @ self.named[name]
        return x

class Contains(Net):
    def forward(self, x):
        return x @ self.named["b"] if "b" in self.named else x

class Layers(Net):
    def forward(self, x):
        for name in self.layers:
            x = self.layers[name](x)
        return x

KINDS = [Subscript, Iterate, Unpack, Count, Enumerate, Slice, Zip, Inside, Named, Items, Keys, Contains, Layers]
"""


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> tuple[ModuleType, ModuleType]:
    """The program, and its conversion."""
    return both_sides(tmp_path_factory.mktemp("containers"), PROGRAM)


@pytest.mark.parametrize("kind", range(13))
def test_gradients_reach_what_containers_hold(sides: tuple[ModuleType, ModuleType], kind: int, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs, ours = sides
    seen_by_graphs(ours, monkeypatch)
    import torch

    net, made = theirs.KINDS[kind](), ours.KINDS[kind]()
    values = {name: p.detach().numpy() for name, p in net.named_parameters()}
    for p in made.get_parameters():
        p.set_data(ms.Tensor(values[p.name].copy()))
    x = np.array([[1.0, -2.0], [0.5, 3.0]], np.float32)
    net(torch.tensor(x)).sum().backward()
    expected = {name: np.zeros(p.shape, np.float32) if p.grad is None else p.grad.numpy() for name, p in net.named_parameters()}
    parameters = ms.ParameterTuple(made.get_parameters())

    def total(x: Any) -> Any:
        return made(x).sum()

    for differentiated in (ms.value_and_grad(total, None, parameters), ms.jit(ms.value_and_grad(total, None, parameters))):
        _, found = differentiated(ms.Tensor(x))
        for p, gradient in zip(parameters, found, strict=True):
            np.testing.assert_allclose(gradient.asnumpy(), expected[p.name], rtol=1e-5, err_msg=p.name)

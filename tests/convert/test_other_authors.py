"""Programs of authors with habits of their own: registries of everything, classes of tensors handed on, tables of layers that are evaluated, protocols, weights of NumPy's."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both

REGISTRY = """
from collections import defaultdict
import torch
from torch import nn


class Registrable:
    _registry = defaultdict(dict)

    @classmethod
    def register(cls, name):
        def add(subclass):
            Registrable._registry[cls][name] = subclass
            return subclass
        return add

    @classmethod
    def from_params(cls, params, **extras):
        params = dict(params)
        if "type" in params:
            cls = Registrable._registry[cls][params.pop("type")]
        return cls(**params, **extras)


class Model(nn.Module, Registrable):
    pass


class Trainer(Registrable):
    pass


@Model.register("linear")
class Linear(Model):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, 1)

    def forward(self, x):
        return self.fc(x)


@Trainer.register("default")
class DefaultTrainer(Trainer):
    def __init__(self, model, steps):
        self.model, self.steps = model, steps

    def train(self):
        self.model.train()
        return {"steps": self.steps, "training": self.model.training}


model = Model.from_params({"type": "linear", "n": 3})
model.eval()
trainer = Trainer.from_params({"type": "default", "steps": 2}, model=model)
print(model.training, trainer.train())
"""
CLASSES_OF_TENSORS = """
import torch
import torch.nn as nn

use_half, use_gpu = False, False
dtype = torch.cuda.FloatTensor if use_gpu else torch.FloatTensor
net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
net.type(dtype)
net[0].weight.data.fill_(0.5)
net[0].bias.data.zero_()
print(net(torch.ones(1, 2).type(dtype)).tolist())
net.type(torch.DoubleTensor)
print(net[0].weight.dtype == torch.float64)
"""
EVALUATED = """
import json
import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n

    def forward(self, x):
        return x.sum((2, 3)) * self.n if self.training else x.mean((2, 3))


class Net(nn.Module):
    def __init__(self, rows):
        super().__init__()
        layers = []
        for name, args in rows:
            m = eval(name) if isinstance(name, str) else name
            layers.append(m(*args))
        self.layers = nn.Sequential(*layers)
        self.first = self.forward(torch.ones(1, 1, 2, 2)).tolist()

    def forward(self, x):
        return self.layers(x)


net = Net(json.load(open("net.json"))["layers"] + [["nn.ReLU", [True]], ["Head", [2]]])
act = eval("nn." + "ReLU") if False else eval(json.load(open("net.json"))["act"])
print(net.first, act(torch.tensor([-1.0, 2.0])).tolist())
net.eval()
print(net(torch.arange(4.0).view(1, 1, 2, 2)).tolist())
# ==== net.json
{"layers": [["nn.Upsample", [null, 2, "nearest"]], ["nn.Identity", []]],
 "act": "nn.LeakyReLU(0.1)"}
"""
PROTOCOL = """
from typing import Protocol, runtime_checkable
import torch
from torch import nn


@runtime_checkable
class HasLoss(Protocol):
    def loss(self, x): ...


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)

    def loss(self, x):
        return self.fc(x).square().mean()


class Engine:
    def __init__(self):
        self.model = Net()
        assert isinstance(self.model, HasLoss)
        for p in self.model.parameters():
            p.data.fill_(0.5)
        self.optimizer = {"sgd": torch.optim.SGD}["sgd"](self.model.parameters(), lr=0.1)


engine = Engine()
for _ in range(2):
    engine.optimizer.zero_grad()
    loss = engine.model.loss(torch.ones(3, 2))
    loss.backward()
    engine.optimizer.step()
    print(round(loss.item(), 5))
"""
WEIGHTS = """
import numpy as np
import torch
from torch import nn


class Several(nn.Module):
    def __init__(self, loss, weights=None):
        super().__init__()
        self.loss, self.weights = loss, weights

    def forward(self, x, y):
        weights = [1] * len(x) if self.weights is None else self.weights
        total = weights[0] * self.loss(x[0], y[0])
        for i in range(1, len(x)):
            if weights[i] != 0:
                total += weights[i] * self.loss(x[i], y[i])
        return total


class Loss(nn.Module):
    def forward(self, x, y):
        square = ((x - y) ** 2).mean() if x.dim() else 0
        return 2 * square


weights = np.array([1 / 2 ** i for i in range(3)])
weights[~np.array([True, True, False])] = 0
criterion = Several(Loss(), weights / weights.sum())
w = nn.Parameter(torch.ones(2))
optimizer = torch.optim.SGD([w], 0.1)
for _ in range(2):
    optimizer.zero_grad()
    l = criterion([w * 1.0, w * 2.0, w * 3.0], [torch.zeros(2)] * 3)
    l.backward()
    optimizer.step()
    print(round(l.item(), 5), w.data.tolist())
"""
WINDOWS = """
import torch
import torch.nn.functional as F

p = torch.tensor([3.0, 1.0, 4.0, 1.0, 5.0, 9.0])
print((-F.max_pool1d(-p[None], 3, 1)[0]).tolist(), F.max_pool1d(p.view(2, 3), 2, return_indices=True)[1].tolist())
"""
SHALLOW = """
import copy
import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
other = copy.copy(net)
other.extra = 3
other.eval()
print(hasattr(net, "extra"), other[0] is net[0], net.training, len(other))
print(torch.arange(5).floor_divide(2).tolist(), torch.tensor([-3, 3]).floor_divide(torch.tensor([2, -2])).tolist())
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("text", [REGISTRY, CLASSES_OF_TENSORS, EVALUATED, PROTOCOL, WEIGHTS, WINDOWS, SHALLOW], ids=["registry", "classes of tensors", "evaluated", "protocol", "weights", "windows", "shallow copies"])
def test_prints_what_torch_prints(tmp_path: Path, text: str) -> None:
    theirs, ours = printed_by_both(tmp_path, text)
    assert theirs and ours == theirs


def test_evaluated_texts_of_a_package_are_told(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text("from . import net\n", encoding="utf-8")
    (tmp_path / "net.py").write_text('from torch import nn\n\n\ndef make(name):\n    return eval(name)()\n\n\nTABLE = ["nn.ReLU"]\n', encoding="utf-8")
    conversion = convert(discover(tmp_path))
    assert [f.api for f in conversion.findings if f.code == "MP107"] == ["torch.nn.ReLU"]


TOGETHER = """import torch
import torch.nn.functional as F
from torch import nn, optim


def make(name, words):
    net = [eval(f"nn.{name}()"), eval("nn.{}()".format(name)), eval("nn." + name)(), eval("nn.%s()" % name), eval("optim." + name)]
    return net, eval("F.{}".format(name)), eval(f"torch.{name}"), eval("words." + name), eval(f"{name}.nn"), eval(name)
"""


def test_texts_that_are_put_together_are_told(tmp_path: Path) -> None:
    """`nn` is MindSpore's module there: another slope of a leaky unit, silently, or no such name."""
    (tmp_path / "net.py").write_text(TOGETHER, encoding="utf-8")
    told = [f.api for f in convert(discover(tmp_path)).findings if f.code == "MP107"]
    assert sorted(map(str, told)) == ["torch", *["torch.nn"] * 4, "torch.nn.functional", "torch.optim"]


def test_a_text_in_the_call_names_the_layer_of_torch(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text('import torch\nfrom torch import nn\n\nprint(eval("nn.LeakyReLU()")(torch.tensor(-1.0)))\n', encoding="utf-8")
    conversion = convert(discover(tmp_path))
    assert 'eval("torch_equivalents.LeakyReLU()")' in "".join(conversion.files.values()) and not [f for f in conversion.findings if f.code == "MP107"]

"""Programs of the fields that users port: schedulers that an option chooses, averages of trees, tables of layers by path, spectra that are changed in part."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import converted_script, printed_by_both

CHOSEN = """
import torch
from torch.optim import lr_scheduler


class Trainer:
    def __init__(self, kind):
        self.kind = kind
        self.optimizer = torch.optim.Adam([torch.nn.Parameter(torch.ones(2))], lr=0.1)
        if kind == "plateau":
            self.scheduler = lr_scheduler.ReduceLROnPlateau(self.optimizer, factor=0.5, patience=0)
        elif kind == "cosine":
            self.scheduler = lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=3)
        else:
            self.scheduler = None

    def run(self):
        losses = torch.tensor([0.9, 0.7, 0.8])
        for i in range(3):
            logs = {"valid": losses.numpy()[i]}
            if self.kind == "plateau":
                self.scheduler.step(logs["valid"])
            elif self.kind == "cosine":
                self.scheduler.step()
            print(round(self.optimizer.param_groups[0]["lr"], 6))


for kind in ("plateau", "cosine"):
    Trainer(kind).run()
"""
AVERAGED = """
import torch


def tree_map(fn, tree, leaf_type):
    if isinstance(tree, dict):
        return {k: tree_map(fn, v, leaf_type) for k, v in tree.items()}
    elif isinstance(tree, list):
        return [tree_map(fn, x, leaf_type) for x in tree]
    elif isinstance(tree, leaf_type):
        return fn(tree)
    raise ValueError("Not supported")


class Average:
    def __init__(self, params):
        self.params = tree_map(lambda t: t.clone(), params, torch.Tensor)

    def update(self, update, state):
        with torch.no_grad():
            for k, v in update.items():
                stored = state[k]
                if not isinstance(v, torch.Tensor):
                    self.update(v, stored)
                else:
                    diff = stored - v
                    diff *= 0.25
                    stored -= diff


average = Average({"a": torch.ones(2), "b": {"c": torch.ones(1)}})
average.update({"a": torch.zeros(2), "b": {"c": torch.full((1,), 5.0)}}, average.params)
print(average.params["a"].tolist(), average.params["b"]["c"].tolist())
"""
PATHS = """
import torch
import torch.nn as nn

ROWS = [["nn.ReLU", []], ["Times", [2]], ["nn.Upsample", [None, 2, "nearest"]]]


class Times(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k

    def forward(self, x):
        return x * self.k


layers = []
for name, args in ROWS:
    kind = getattr(torch.nn, name[3:]) if "nn." in name else globals()[name]
    layers.append(kind(*args))
print(nn.Sequential(*layers)(torch.arange(-2.0, 2.0).view(1, 1, 2, 2)).tolist())
"""
SPECTRA = """
import torch
from torch import nn

spectrum = torch.fft.fft2(torch.arange(12.0).view(3, 4))
spectrum[:, 1:3] *= 0.5
spectrum[1] /= 2 + 1
spectrum[2] *= torch.complex(torch.ones(4), torch.arange(4.0))
print([round(v, 4) + 0.0 for v in torch.view_as_real(spectrum).flatten().tolist()])
for make in (nn.utils.weight_norm, nn.utils.parametrizations.weight_norm):
    conv = nn.Conv1d(4, 6, 3, groups=2)
    with torch.no_grad():
        conv.weight.copy_(torch.arange(36.0).view(6, 2, 3) / 36)
        conv.bias.zero_()
    conv = make(conv, dim=2)
    optimizer = torch.optim.SGD(conv.parameters(), lr=0.1)
    conv(torch.arange(24.0).view(1, 4, 6) / 24).sum().backward()
    optimizer.step()
    print(round(conv(torch.ones(1, 4, 6)).sum().item(), 3), round(conv.weight.norm().item(), 3))
features = torch.tensor([0.0, 2.0, 0.0], requires_grad=True)
largest = features.new_zeros(2).scatter_reduce(0, torch.tensor([0, 1, 0]), features, reduce="amax", include_self=False)
print(largest.tolist(), [round(v, 4) for v in torch.autograd.grad(largest.sum(), features)[0].tolist()])
steps = torch.arange(30.0).view(5, 2, 3).remainder(7).requires_grad_()
ctc = nn.functional.ctc_loss(steps.log_softmax(-1), torch.tensor([1, 2, 2]), torch.tensor([5, 4]), torch.tensor([2, 1]))
print(round(ctc.item(), 3), round(torch.autograd.grad(ctc, steps)[0].abs().sum().item(), 3))
"""
BORN_BY_NAME = """
import torch
from torch import nn


def flat(weight, k):
    return weight.reshape(k, -1)


class Head(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.conv = nn.Conv1d(n, 2, 3)
        with torch.no_grad():
            self.conv.weight.fill_(0.5)

    def forward(self, x):
        return [x, x @ flat(self.conv.weight, 6)] if self.training else x


class Net(nn.Module):
    def __init__(self, table):
        super().__init__()
        layers = []
        for kind, n in table:
            kind = globals()[kind]
            layers.append(kind(n))
        self.layers = nn.Sequential(*layers)
        self.widths = [v.shape[-1] for v in self.layers(torch.ones(1, 6))]


print(Net([("Head", 3)]).widths)
"""
ENDLESS = """
import torch
from torch.utils.data import TensorDataset, dataloader


class Repeated:
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        while True:
            yield from iter(self.sampler)


class InfiniteDataLoader(dataloader.DataLoader):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        object.__setattr__(self, "batch_sampler", Repeated(self.batch_sampler))
        self.iterator = super().__iter__()

    def __iter__(self):
        for _ in range(len(self.batch_sampler.sampler)):
            yield next(self.iterator)

    def reset(self):
        self.iterator = self._get_iterator()


loader = InfiniteDataLoader(TensorDataset(torch.arange(5)), batch_size=2)
print([b[0].tolist() for b in loader], next(iter(loader))[0].tolist())
loader.dataset.tensors = (torch.arange(5) * 10,)
loader.reset()
print([b[0].tolist() for b in loader])
"""
LAYER_BELOW = """
import torch
from torch import nn


class Linear(nn.Linear):
    def __init__(self, a, b):
        super().__init__(a, b)
        self.kind = "default"


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = Linear(4, 4)

    def forward(self, x):
        q = self.query(x)
        q = q.view(q.shape[:-1] + (2, -1)).transpose(-2, -3)
        q /= 2
        return q.sum() + x.sum()


print(Attention()(torch.ones(3, 4)).item())
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("text", [CHOSEN, AVERAGED, PATHS, SPECTRA, BORN_BY_NAME, ENDLESS], ids=["chosen schedulers", "averaged trees", "layers by path", "spectra", "born by name", "endless loader"])
def test_prints_what_torch_prints(tmp_path: Path, text: str) -> None:
    theirs, ours = printed_by_both(tmp_path, text)
    assert theirs and ours == theirs


def test_what_a_class_below_a_layer_gives_is_new(tmp_path: Path) -> None:
    """It has the layer's forward pass, so that nothing else holds what is changed in place."""
    (tmp_path / "net.py").write_text(LAYER_BELOW, encoding="utf-8")
    assert not [f for f in convert(discover(tmp_path)).findings if f.code == "MP109"]


def test_a_path_of_no_module_of_torchs_names_nothing(tmp_path: Path) -> None:
    """Only what begins with a name that torch was imported under counts."""
    text = converted_script(tmp_path, 'import torch.nn as nn\n\nKINDS = ["tf.Dropout", "nn.ReLU"]\nlayers = [getattr(nn, kind.split(".")[1])() for kind in KINDS]\n')
    assert "ReLU" in text and "Dropout(" not in text and "Dropout=" not in text

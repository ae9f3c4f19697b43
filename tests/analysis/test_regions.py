"""What runs in the network, and what prepares data."""

from __future__ import annotations

from mindport.analysis.regions import Regions, class_region
from mindport.source.file import SourceFile
from tests.report.handmade import NETWORK, facts, made

SHARED = """\
import torch
import torch.nn as nn
from torch.utils.data import Dataset


def both(x):
    return torch.abs(x)


def only_data(x):
    return torch.ceil(both(x))


def nobody(x):
    return torch.cos(x)


class Pictures(Dataset):
    def __getitem__(self, i):
        return only_data(i)


class Net(nn.Module):
    def forward(self, x):
        def inner(y):
            return torch.exp(y)
        return inner(both(x))


class Trainer:
    def fit(self, x):
        return torch.sin(x)
"""


def test_methods_of_modules_and_what_they_call_are_network() -> None:
    regions = {row.api: row.region for row in made({"net.py": NETWORK}).rows}
    assert regions["torch.nn.Conv2d"] == regions["torch.nn.functional.relu"] == "network"
    assert regions["torch.sigmoid"] == "network"  # in a function that forward calls
    assert regions["torch.flatten"] == "data"
    assert regions["torch.nn.Module"] == "other"  # the class statement itself


def test_code_that_both_call_is_network() -> None:
    regions = {row.api: row.region for row in made({"m.py": SHARED}).rows}
    assert regions["torch.abs"] == "network"
    assert regions["torch.ceil"] == "data"
    assert regions["torch.exp"] == "network"  # a function inside a method
    assert regions["torch.cos"] == regions["torch.sin"] == "other"


def test_functions_that_call_each_other_end() -> None:
    text = (
        "import torch\nimport torch.nn as nn\n\n\ndef a(x):\n    return b(x)\n\n\ndef b(x):\n    return a(torch.abs(x))\n\n\n"
        "class Net(nn.Module):\n    def forward(self, x):\n        return a(x)\n"
    )
    file = SourceFile.of(text)
    regions = Regions({file: facts(file)})
    assert [regions.of(file, scope) for scope in ("a", "b", "Net.forward", "Net", "")] == ["network"] * 3 + ["other"] * 2


def test_network_wins_among_ancestors() -> None:
    assert class_region(("torch.utils.data.Dataset", "torch.nn.Module")) == "network"
    assert class_region(("torchvision.transforms.Compose",)) == "data"
    assert class_region(("object",)) == "other"

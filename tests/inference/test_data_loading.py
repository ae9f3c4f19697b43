"""What a loader yields: its data set's items, collated."""

from __future__ import annotations

import ast

import pytest

from mindport.inference import Project
from mindport.source.file import SourceFile

PROGRAM = '''
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split
from tqdm import tqdm


class Words(Dataset):
    def __getitem__(self, i):
        return {{"ids": torch.tensor([1, 2]), "length": 3, "text": "abc", "image": self.images[i]}}


class Pairs(Dataset):
    def __getitem__(self, i):
        return np.zeros(3), i


def pad(items):
    return torch.stack(items), len(items)


x = torch.randn(8, 3)
{body}
'''


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("for a, b in DataLoader(TensorDataset(x, x), 4):\n    a.size(0)", True),
        ("for batch in DataLoader(Words()):\n    batch['ids'].size(0)\n    batch['text'].count('a')", True),
        ("for batch in DataLoader(Words()):\n    batch['image'].size(0)", True),
        ("for a, n in DataLoader(Pairs()):\n    n.size(0)", True),
        ("for a, n in DataLoader(Pairs(), collate_fn=pad):\n    a.size(0)\n    n.bit_length()", True),
        ("train, test = random_split(Pairs(), [4, 4])\nfor step, (a, n) in enumerate(tqdm(DataLoader(train))):\n    n.size(0)", True),
        ("import tqdm.autonotebook as bars\nfor a, n in bars.tqdm(DataLoader(Pairs())):\n    n.size(0)", True),
        ("with tqdm(iter(DataLoader(Pairs()))) as bar:\n    for a, n in bar:\n        n.size(0)", True),
        ("(v,) = next(iter(DataLoader(TensorDataset(x))))\nv.size(0)", True),
        ("for batch in DataLoader(open('x')):\n    batch.size(0)", True),
        ("for line in open('x'):\n    line.size(0)", False),
    ],
)
def test_methods_of_what_a_loader_yields(body: str, expected: bool) -> None:
    file = SourceFile.of(PROGRAM.format(body=body))
    names = [use.name for use in Project([file]).facts(file).uses if use.kind == "method" and isinstance(use.node, ast.Call)]
    assert ("torch.Tensor.size" in names) == expected


def test_what_only_modules_have_makes_a_module() -> None:
    file = SourceFile.of("import torch\n\ndef run(net, x):\n    net.train()\n    for p in net.parameters():\n        p.numel()\n    return net(x).size(0)\n")
    names = {use.name for use in Project([file]).facts(file).uses}
    assert {"torch.nn.Module.train", "torch.nn.Module.parameters", "torch.Tensor.numel", "torch.Tensor.size"} <= names

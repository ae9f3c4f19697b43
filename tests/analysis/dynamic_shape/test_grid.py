"""Sources by sinks: each number that changes as each of a few sizes, each API with a size that changes, and the same with what is constant; bodies of collations, samples and forward passes."""

from __future__ import annotations

import pytest

from tests.analysis.dynamic_shape.reading import FOLDER, ONLY_FILE
from tests.analysis.dynamic_shape.running import found_in

_HEAD = """import collections, copy, functools, heapq, itertools, math, random, operator
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pad_sequence, pack_padded_sequence, pad_packed_sequence
"""
_NAMES = ("x", "y", "mask", "ids", "lengths", "w", "p", "t", "i", "ij", "v")
_TYPED = _HEAD + f"def f({', '.join(f'{name}: torch.Tensor' for name in _NAMES)}):\n    {{}}\n    return x, y\n"
_MODULE = (
    _HEAD + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(4, 4)\n"
    f"    def forward(self, {', '.join(_NAMES)}):\n        x = self.fc(x)\n        {{}}\n        return self.fc(x) + y\n"
)
_UNTYPED = _HEAD + f"def loss_of({', '.join(_NAMES)}):\n    x = x.softmax(-1)\n    {{}}\n    return x, y\n"
_LOOP = (
    _HEAD + f"def train(net, loader, opt):\n    for {', '.join(_NAMES)} in loader:\n        x = net(x)\n        {{}}\n"
    "        loss = net(x, y).sum()\n        opt.zero_grad()\n        loss.backward()\n        opt.step()\n"
)
_AROUND = {"typed": _TYPED, "module": _MODULE, "untyped": _UNTYPED, "loop": _LOOP}
_PARTS = {part.split("\n", 1)[0]: part.rstrip().split("\n")[1:] for part in (FOLDER / "grid.txt").read_text(encoding="utf-8").split("\n=== ")[1:]}
#: Where a number changes with the data, and where it is drawn; and two that do not.
_CHANGING, _CONSTANT = ("int(mask.sum())", "random.randint(3, 9)"), ("8", "x.size(0)")


def _wrong(around: str, statements: list[str], expected: bool) -> list[str]:
    return [s for s in statements if bool(found_in({ONLY_FILE: _AROUND[around].format(s)})) is not expected]


@pytest.mark.parametrize("around", ["typed", "module", "loop"])
@pytest.mark.parametrize(("numbers", "expected"), [("numbers that change", True), ("numbers that do not", False)])
def test_numbers(around: str, numbers: str, expected: bool) -> None:
    used = ("x[:, :n]", "torch.zeros(n, 4)")
    assert not _wrong(around, [f"n = {number}; y = {use}" for number in _PARTS[numbers] for use in used], expected)


@pytest.mark.parametrize("around", ["typed", "module", "loop"])
def test_sizes(around: str) -> None:
    sizes, others = _PARTS["sizes"], _PARTS["no sizes"]
    assert not _wrong(around, [f"n = {number}; y = {use}" for number in _CHANGING for use in sizes], True)
    assert not _wrong(around, [f"n = {number}; y = {use}" for number in _CONSTANT for use in sizes], False)
    assert not _wrong(around, [f"n = {number}; y = {use}" for number in _CHANGING for use in others], False)


@pytest.mark.parametrize("around", ["typed", "module", "untyped", "loop"])
def test_statements(around: str) -> None:
    assert not _wrong(around, _PARTS["statements that select"], True)
    assert not _wrong(around, _PARTS["statements that do not"], False)


def test_statements_of_what_has_a_type() -> None:
    assert not _wrong("typed", _PARTS["statements that select what has a type"], True)


_LOADING = """import collections, itertools, functools, math, random, os, json
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset, DataLoader
from PIL import Image
import torchvision.transforms as T
import torchvision.transforms.functional as TF
"""
_BODIES = {part.split("\n", 1)[0]: part.rstrip().split("\n")[1:] for part in (FOLDER / "grid_bodies.txt").read_text(encoding="utf-8").split("\n=== ")[1:]}
_INTO = {
    "collations": "def collate(batch):\n    {}\ndef build(ds):\n    return DataLoader(ds, batch_size=4, drop_last=True, collate_fn=collate)\n",
    "samples": """class D(Dataset):
    def __init__(self, root, n, files, side, df, transform=None):
        self.root, self.n, self.files, self.side, self.df, self.transform = root, n, files, side, df, transform
        self.lines = [l.strip() for l in open(root)]
    def __len__(self):
        return len(self.files)
    def __getitem__(self, i):
        {}
""",
    "passes": """class Net(nn.Module):
    def __init__(self, d=8, p=0.5, n=4, f=None, cfg=None):
        super().__init__()
        self.fc, self.fc2, self.d, self.p, self.n, self.f, self.cfg = nn.Linear(d, d), nn.Linear(d, d), d, p, n, f, cfg
        self.layers = nn.ModuleList(nn.Linear(d, d) for _ in range(n))
        self.cache = None
        self.hist = []
    def forward(self, x, y):
        x = self.fc(x)
        {}
        return self.fc2(x)
""",
}


@pytest.mark.parametrize("kind", _INTO)
@pytest.mark.parametrize(("which", "expected"), [("that change", True), ("that do not", False)])
def test_bodies(kind: str, which: str, expected: bool) -> None:
    bodies = _BODIES[f"{kind} {which}"]
    assert not [body for body in bodies if bool(found_in({ONLY_FILE: _LOADING + _INTO[kind].replace("{}", body.replace("\\n", "\n"))})) is not expected]

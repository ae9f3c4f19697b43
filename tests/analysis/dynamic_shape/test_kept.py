"""What is kept under a name of its own kind is followed: on the context of an autograd function, under names that texts tell, in fields and entries that begin empty, in lists of modules that grow."""

from __future__ import annotations

import pytest

from tests.analysis.dynamic_shape.running import codes_in

_FUNCTION = """
import torch
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        {kept}
        return x * 2
    @staticmethod
    def backward(ctx, g):
        {read}
        return g * {used}
"""
_KEEPING = """
import torch
from dataclasses import dataclass, field
{decorator}
class Bank:
    {begun}
    def put(self, i, x):
        {place}.append(x)
    def get(self, i):
        return torch.stack({place})
"""
_COLUMNS = """
import torch
from torch import nn
class Columns(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.d, self.columns = d, nn.ModuleList()
        self.grow()
    def grow(self):
        self.columns.append(nn.Linear(self.d, self.d))
    def forward(self, x):
        return torch.cat([column(x) for column in self.columns], dim=1)
def main(tasks, opt):
    net = Columns(4)
    for task in tasks:
        {first}
        net(task).sum().backward()
        opt.step()
"""


@pytest.mark.parametrize(("kept", "read", "used", "expected"), [
    ("ctx.on = x > 0", "on = ctx.on", "g[on].sum()", {"MP202"}),
    ("ctx.save_for_backward(x, x > 0)", "x, on = ctx.saved_tensors", "x[on].sum()", {"MP202"}),
    ("ctx.save_for_backward(x > 0)", "on = ctx.saved_tensors[0]", "g[on].sum()", {"MP202"}),
    ("ctx.n = int((x > 0).sum())", "n = ctx.n", "torch.zeros(n).sum()", {"MP204"}),
    ("ctx.n = x.shape[0]", "n = ctx.n", "torch.zeros(n).sum()", set()),
    ("ctx.save_for_backward(x, x.argmax(-1))", "x, at = ctx.saved_tensors", "x[at].sum()", set()),
])  # fmt: skip
def test_on_the_context_of_an_autograd_function(kept: str, read: str, used: str, expected: set[str]) -> None:
    assert codes_in(_FUNCTION.format(kept=kept, read=read, used=used)) == expected


@pytest.mark.parametrize(("decorator", "begun", "place", "expected"), [
    ("", "def __init__(self, n):\n        for i in range(n):\n            setattr(self, f'bank_{i}', [])", "getattr(self, f'bank_{i}')", {"MP204"}),
    ("", "def __init__(self):\n        self.held = {'x': [], 'n': 0}", "self.held['x']", {"MP204"}),
    ("@dataclass", "rows: list = field(default_factory=list)", "self.rows", {"MP204"}),
    ("@dataclass", "rows: list = field(default_factory=list)\n    def begin(self):\n        self.rows = []", "self.rows", set()),
    ("", "def __init__(self):\n        self.held = {'x': [], 'n': 0}\n    def begin(self):\n        self.held['x'] = []", "self.held['x']", set()),
])  # fmt: skip
def test_in_what_begins_empty(decorator: str, begun: str, place: str, expected: set[str]) -> None:
    assert codes_in(_KEEPING.format(decorator=decorator, begun=begun, place=place)) == expected


def test_masks_under_computed_names() -> None:
    source = "import torch\nclass Levels:\n    def mark(self, x: torch.Tensor):\n        for i in range(3):\n            setattr(self, 'on_%d' % i, {})\n    def pick(self, x: torch.Tensor, i):\n        return x[getattr(self, 'on_' + str(i))]\n"
    assert codes_in(source.format("x > i")) == {"MP202"}
    assert not codes_in(source.format("x.argsort(0)"))


@pytest.mark.parametrize(("first", "expected"), [("net.grow()", {"MP204"}), ("opt.zero_grad()", set())])
def test_lists_of_modules_that_a_training_loop_makes_longer(first: str, expected: set[str]) -> None:
    assert codes_in(_COLUMNS.format(first=first)) == expected


def test_lists_in_the_record_of_a_sample() -> None:
    source = "import json\nimport torch\nfrom torch.utils.data import Dataset\nclass Images(Dataset):\n    def __init__(self, path):\n        self.items = json.load(open(path))\n    def __getitem__(self, i):\n        item = self.items[i]\n        return torch.tensor([{}])\n"
    assert codes_in(source.format("[b['x'], b['y']] for b in item['boxes']")) == {"MP201"}
    assert not codes_in(source.format("float(v) for v in item['keypoints']"))
    assert not codes_in(source.format("float(v) for v in item['bbox']"))


def test_things_that_a_test_of_their_parts_sifts() -> None:
    source = "import torch\ndef merged({}):\n    return torch.stack([p['box'] for p in found if {}])\n"
    assert codes_in(source.format("found, least", "p['score'] > least")) == {"MP204"}
    assert not codes_in(source.format("found, kind", "p['kind'] == kind"))


def test_parts_of_a_record_that_a_sample_has_for_itself() -> None:
    source = "import torch\nclass Clips(torch.utils.data.Dataset):\n    def __init__(self, x, bounds):\n        self.x, self.bounds = x, bounds\n    def __getitem__(self, i):\n        name, first, last = self.bounds[i]\n        return self.x[name][{}]\n"
    assert codes_in(source.format("first:last")) == {"MP201"}
    assert not codes_in(source.format("first : first + 16"))


def test_what_sets_have_left_over_and_what_lies_within_a_distance() -> None:
    source = "import torch\nfrom scipy.spatial import cKDTree\nclass Pool:\n    def __init__(self, points, x):\n        self.tree, self.x = cKDTree(points), x\n    def near(self, q: torch.Tensor, seen, n):\n        return {}\n"
    assert codes_in(source.format("q[sorted(set(range(n)) - set(seen))]")) == {"MP204"}
    assert codes_in(source.format("[q[at].mean(0) for at in self.tree.query_ball_point(q.numpy(), 0.1)]")) == {"MP204"}
    assert not codes_in(source.format("[q[at].mean(0) for at in self.tree.query(q.numpy(), k=4)[1]]"))


@pytest.mark.parametrize(("test", "expected"), [("end or len(self.rows) == 8", {"MP204"}), ("len(self.rows) == 8", set())])
def test_a_list_that_a_caller_empties_too(test: str, expected: set[str]) -> None:
    source = "import torch\nclass Buffer:\n    def __init__(self):\n        self.rows = []\n    def push(self, row, end):\n        self.rows.append(row)\n        if {}:\n            out = torch.stack(self.rows)\n            self.rows = []\n            return out\n"
    assert codes_in(source.format(test)) == expected


def test_a_shape_that_is_read_shows_a_tensor() -> None:
    source = "import torch\ndef fired(current, limit):\n    v = torch.zeros(current.shape[1])\n    for i in current:\n        v = v + i\n        rows = torch.nonzero(v > limit)\n    return v, rows\n"
    assert codes_in(source) == {"MP202"}


@pytest.mark.parametrize(("begun", "codes"), [("self.params = []", set()), ("print(self.params)", {"MP205"})])
def test_a_list_that_the_method_begins_anew_does_not_grow(begun: str, codes: set[str]) -> None:
    text = f"import torch\nclass Trainer:\n    def __init__(self):\n        self.params = []\n    def begin(self):\n        {begun}\n        self.params.append(self.raw)\n        for p in self.params:\n            p.grad = torch.zeros_like(p)\n"
    assert codes_in(text if codes else text.replace("    def __init__(self):\n        self.params = []\n", "")) == codes

"""What begins as an empty tensor and grows by `torch.cat`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script, printed_by_both

PROGRAM = """import torch


def gather(xs):
    output = torch.empty(0).to(xs[0].device)
    labels, count = torch.tensor([], dtype=torch.long), 0
    for x in xs:
        output = torch.cat((output, x))
        labels = torch.cat([labels, torch.arange(len(x))], dim=0)
    return output, labels


class Store:
    def __init__(self):
        self.kept = torch.Tensor()

    def add(self, x):
        self.kept = torch.cat([self.kept, x], 1)


xs = [torch.ones(2, 3), torch.zeros(1, 3)]
grown, labels = gather(xs)
store = Store()
for x in (torch.ones(2, 1), torch.zeros(2, 2)):
    store.add(x)
mixed = torch.tensor([])
mixed = torch.cat([mixed, torch.tensor([1, 2])])
nothing = torch.zeros(0)
alike = nothing
alike = torch.cat([alike, torch.ones(2)], 0)
"""


def test_only_where_something_is_empty(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert text.count("without_empty(") == 5
    assert "without_empty" not in converted_script(tmp_path, PROGRAM.replace("torch.empty(0)", "torch.empty(1)").replace("zeros(0)", "zeros(1)").replace("[]", "[1]").replace("torch.Tensor()", "torch.ones(2)"))


@pytest.mark.frameworks
def test_both_sides_grow_alike(tmp_path: Path) -> None:
    torch, mindspore = both_sides(tmp_path, PROGRAM)
    for name in ("grown", "labels", "mixed", "alike"):
        one, two = getattr(torch, name).numpy(), getattr(mindspore, name).asnumpy()
        assert one.dtype == two.dtype and one.shape == two.shape and (one == two).all()
    assert (torch.store.kept.numpy() == mindspore.store.kept.asnumpy()).all()


HANDED = """import torch


def join(a, b):
    return torch.cat([a, b])


class Buffer:
    def add(self, old, new):
        return torch.cat((old, new), dim=0)


first = join(torch.empty(0), torch.ones(2, 3))
empty = torch.tensor([])
second = Buffer().add(empty, torch.ones(2, 3))
parts = [torch.empty(0)]
parts.append(torch.ones(2, 3))
third = torch.cat(parts)
rows = []
for i in range(3):
    if i == 1:
        rows.append(empty)
    else:
        rows.append(torch.ones(1, 3))
fourth = torch.cat(rows, 0)
fifth = torch.cat([torch.empty(0), torch.ones(2, 3)])
"""


@pytest.mark.frameworks
def test_empty_tensors_that_arrive_as_arguments_or_in_lists(tmp_path: Path) -> None:
    torch, mindspore = both_sides(tmp_path, HANDED)
    for name in ("first", "second", "third", "fourth", "fifth"):
        one, two = getattr(torch, name).numpy(), getattr(mindspore, name).asnumpy()
        assert one.dtype == two.dtype and one.shape == two.shape and (one == two).all()


def test_other_joins_stay(tmp_path: Path) -> None:
    text = "import torch\n\n\ndef skip(x, y):\n    return torch.cat([x, y], 1)\n\n\nempty = torch.empty(0)\nskip(torch.ones(2, 1), torch.ones(2, 1))\nparts = [torch.ones(1)]\nwhole = torch.cat(parts)\n"
    assert "without_empty" not in converted_script(tmp_path, text)


KEPT = """import torch
from torch.autograd import Variable


def update(h, m, options):
    if options["extra"].ndimension():
        joined = torch.cat([h, options["extra"], m.squeeze()], 1)
    else:
        joined = torch.cat([h, m.squeeze()], 1)
    return joined.sum(1)


def run(h, m):
    options = {}
    options["extra"] = Variable(torch.Tensor([]).type_as(h))
    return update(h, m, options), update(h, m, {"extra": torch.empty(0)}), update(h, m, dict(extra=torch.ones(2, 1)))


found = [value for one in run(torch.arange(6.0).view(2, 3), torch.ones(2, 2)) for value in one.tolist()]
"""


@pytest.mark.frameworks
def test_empty_tensors_that_dictionaries_hold(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, KEPT)
    assert after.found == before.found == [5.0, 14.0, 5.0, 14.0, 6.0, 15.0]


GROWN = """import numpy as np
import torch


def table(words, known, wide):
    rows, others = [], []
    known_rows = []
    others = list()
    for word in words:
        if word in known:
            known_rows.append([float(len(word)), 1.0])
        elif wide:
            others.append([float(len(word)), 2.0])
    first = torch.FloatTensor(np.asarray(known_rows))
    second = torch.from_numpy(np.array(others, dtype=np.float32))
    start = torch.zeros(1, 2)
    return torch.cat([start, first, second], 0)


for given in ((["a", "bb"], ["a"], True), (["a", "bb"], ["a", "bb"], True), (["a"], [], True), (["a"], [], False)):
    print(table(*given).tolist())
"""


@pytest.mark.frameworks
def test_lists_that_grow_on_a_condition(tmp_path: Path) -> None:
    """Word vectors of those words alone that a corpus holds (LM-LSTM-CRF's way to read GloVe)."""
    theirs, ours = printed_by_both(tmp_path, GROWN)
    assert ours == theirs


def test_lists_that_always_grow_are_not_asked(tmp_path: Path) -> None:
    text = "import torch\n\n\ndef f(n):\n    rows = []\n    for i in range(n):\n        rows.append([1.0 * i])\n    more = torch.tensor(rows)\n    return torch.cat([torch.zeros(1, 1), more])\n"
    assert "without_empty" not in converted_script(tmp_path, text)

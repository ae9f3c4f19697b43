"""What begins as an empty tensor and grows by `torch.cat`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script

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
"""


def test_only_where_something_is_empty(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert text.count("without_empty(") == 4
    assert "without_empty" not in converted_script(tmp_path, PROGRAM.replace("torch.empty(0)", "torch.empty(1)").replace("[]", "[1]").replace("torch.Tensor()", "torch.ones(2)"))


@pytest.mark.frameworks
def test_both_sides_grow_alike(tmp_path: Path) -> None:
    torch, mindspore = both_sides(tmp_path, PROGRAM)
    for name in ("grown", "labels", "mixed"):
        one, two = getattr(torch, name).numpy(), getattr(mindspore, name).asnumpy()
        assert one.dtype == two.dtype and one.shape == two.shape and (one == two).all()
    assert (torch.store.kept.numpy() == mindspore.store.kept.asnumpy()).all()

"""Parts of models that one statement with several targets sets: each is set as one that has a statement of its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import both_sides  # noqa: E402

PROGRAM = '''
import copy
from collections import OrderedDict
import torch
from torch import nn


def numbered(layer, sign=1.0):
    for p in layer.parameters():
        p.data.copy_(sign * torch.arange(1.0, 1 + p.numel()).view(p.shape) / 10)
    return layer


def block():
    return copy.deepcopy(nn.Sequential(OrderedDict([("conv", numbered(nn.Linear(2, 2))), ("act", nn.ReLU())])))


def folded(x):
    net = nn.Sequential(block(), block())
    for part in net:
        part.conv, part.act = numbered(nn.Linear(2, 2), -1.0), nn.Identity()
    return net(x)


def over_lines(x):
    part = block()
    part.conv, part.act = (
        numbered(  # the other sign
            nn.Linear(2, 2),
            -1.0,
        ),
        nn.Identity(),
    )
    return part(x)


def swapped(x):
    part = block()
    part.conv, part.act = part.act, part.conv
    return part(x)


def chained(x):
    part = block()
    last = part.conv = part.act = nn.Identity()
    return last(part(x))


def biases(x):
    one, other = numbered(nn.Linear(2, 2)), numbered(nn.Linear(2, 2, bias=False))
    one.bias, other.bias = None, nn.Parameter(torch.tensor([3.0, 4.0]))
    return other(one(x)), [name for name, _ in one.named_parameters()], [name for name, _ in other.named_parameters()]
'''


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> tuple[object, object]:
    return both_sides(tmp_path_factory.mktemp("single_targets"), PROGRAM)


@pytest.mark.parametrize("name", ["folded", "over_lines", "swapped", "chained"])
def test_the_modules_take_their_places(sides: tuple[object, object], name: str) -> None:
    before, after = sides
    x = np.array([[-1.0, 2.0], [3.0, -4.0]], np.float32)
    ours, theirs = getattr(after, name)(ms.Tensor(x)), getattr(before, name)(torch.tensor(x))
    torch.testing.assert_close(torch.from_numpy(ours.asnumpy()), theirs.detach())


def test_biases_that_layers_get_and_give_up(sides: tuple[object, object]) -> None:
    before, after = sides
    x = np.array([[-1.0, 2.0], [3.0, -4.0]], np.float32)
    (ours, *our_names), (theirs, *names) = after.biases(ms.Tensor(x)), before.biases(torch.tensor(x))
    torch.testing.assert_close(torch.from_numpy(ours.asnumpy()), theirs.detach())
    assert [sorted(found) for found in our_names] == [sorted(found) for found in names]


def test_what_sets_no_part_of_a_model_keeps_its_text(tmp_path: Path) -> None:
    text = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a, self.b = nn.ReLU(), nn.ReLU()\n        self.n = self.m = 3\n\n\nclass State:\n    pass\n\n\nst = State()\nst.a, st.b = Net(), nn.ReLU()\n"
    _, _ = both_sides(tmp_path, text)
    written = next(path for path in tmp_path.rglob("*.py") if "nn.Cell" in path.read_text()).read_text()
    assert "self.a, self.b = nn.ReLU(), nn.ReLU()" in written
    assert "self.n = self.m = 3" in written
    assert "st.a, st.b = Net()" in written

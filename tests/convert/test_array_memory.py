"""Arrays that tensors share memory with, changed while kernels that read them may still be waiting."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """
import numpy as np
import torch


class Env:
    def __init__(self):
        self.state = np.zeros(1000, dtype=np.float32)

    def step(self, k):
        self.state += k
        return self.state


def to_tensor(a):
    return torch.as_tensor(a)


env, seen = Env(), []
for k in range(4):
    state = env.step(k)
    seen.append(torch.from_numpy(state).clone() * 2)
print([t.sum().item() for t in seen])
row, out = np.zeros(1000, dtype=np.float32), []
for k in range(4):
    row[:] = k
    out.append(to_tensor(row) + 1)
print([t.sum().item() for t in out])
shared = torch.as_tensor(row)
row[0] = 7
print(shared[0].item(), torch.as_tensor(row, dtype=torch.float32)[0].item(), torch.as_tensor(row, dtype=torch.int64)[0].item())
"""


@pytest.mark.frameworks
def test_what_is_computed_keeps_its_numbers(tmp_path: Path) -> None:
    """In a process of its own: tests have MindSpore run each kernel at once."""
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs


@pytest.mark.parametrize(("body", "ordered"), [
    ("a = np.zeros(3)\n    t = torch.from_numpy(a)\n    u = t * 2\n    a[:] = 1\n    return u", True),
    ("a = np.zeros(3)\n    a[:] = 1\n    return torch.from_numpy(a)", False),  # changed before
    ("a = np.zeros(3)\n    t = torch.from_numpy(a.copy())\n    a[:] = 1\n    return t", False),
    ("a = np.zeros(3)\n    t = torch.from_numpy(a.reshape(1, 3)[0])\n    np.random.shuffle(a)\n    return t * 1", True),
    ("out = []\n    a = np.zeros(3)\n    for k in range(3):\n        a += k\n        out.append(torch.from_numpy(a) * 1)\n    return out", True),
    ("out = []\n    for k in range(3):\n        a = np.zeros(3)\n        a += k\n        out.append(torch.from_numpy(a) * 1)\n    return out", False),
    ("a = np.zeros(3)\n    t = torch.tensor(a)\n    a[:] = 1\n    return t", False),
    ("net = torch.nn.Linear(2, 2)\n    w = net.weight.detach().numpy()\n    net.weight.data.fill_(1)\n    return w.sum()", True),
    ("net = torch.nn.Linear(2, 2)\n    w = net.weight.detach().numpy().sum()\n    net.weight.data.fill_(1)\n    return w", False),
])  # fmt: skip
def test_where_kernels_run_in_order(tmp_path: Path, body: str, ordered: bool) -> None:
    text = f"import numpy as np\nimport torch\n\n\ndef f():\n    {body}\n"
    assert ("torch_equivalents" in converted_script(tmp_path, text) and _sets(tmp_path)) is ordered


def _sets(folder: Path) -> bool:
    return any("KERNELS_IN_ORDER" in text for path, text in convert(discover(folder)).files.items() if path.name == "torch_equivalents.py")


OF_VIEWS = """
import numpy as np
import torch


def shuffled(parts):
    np.random.RandomState(1).shuffle(parts[0].numpy())
    return parts


x = torch.arange(14).reshape(7, 2)
np.random.seed(3)
np.random.shuffle(x[:5].numpy())
print(x.tolist(), shuffled((torch.arange(9)[2:], 0))[0].tolist())
z = torch.zeros(3, 4)
z[1].numpy()[2:] = 7
z.t().numpy()[0] += 1
row = z[2].detach().numpy()
row[1] = 5
np.copyto(z[:, 3].numpy(), [1.0, 2.0, 3.0])
whole = z.clone().numpy()
whole[:] = 9
print(z.tolist(), z.sum().item())
z.view(-1).numpy().sort()
print(z.tolist())
"""


@pytest.mark.frameworks
def test_changes_of_a_views_array_reach_the_tensor(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, OF_VIEWS)
    assert ours == theirs
    assert "whole = Tensor.copy(z).asnumpy()" in (tmp_path / "after" / "program.py").read_text(encoding="utf-8")

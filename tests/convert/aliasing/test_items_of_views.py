"""``x.view(-1)[0] = v`` and ``x.data[0] = v``: items of views without a name, with gradients around."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import both_sides, converted_script, printed_by_both  # noqa: E402

VIEWS = """
import torch


def f(w, places):
    x = w * 3
    x.view(-1)[0] = 7
    y = x * 2
    y.t()[0] = 3
    y.view(4)[1:3] *= 2
    z = y + 1
    z.transpose(0, 1)[1] = w[0]
    z.view(-1)[places] = 2
    return (x * x).sum() + (y * y).sum() + (z * z).sum(), x, y, z


w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
loss, x, y, z = f(w, torch.tensor([2]))
loss.backward()
print(w.grad.tolist(), x.tolist(), y.tolist(), z.tolist())
a = torch.zeros(2, 3)
flat = a.view(-1)
a.view(3, 2)[0, 1] = 5
a.t()[2] += 1
print(a.tolist(), flat.tolist())
"""
DATA = """
import torch

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = w * 2
y.data[0] = 7
w.data[1] = 5
w.data[2] += 1
z = w * y
z.data[1:] *= 2
z.detach()[0] = 3
z.sum().backward()
print(w.grad.tolist(), y.tolist(), z.tolist(), w.tolist())
taken = torch.arange(4.0)
picked = taken[[0, 3]]
picked.data.add_(1)
large = taken[taken > 1]
large.detach().mul_(2)
print(taken.tolist(), picked.tolist(), large.tolist())
"""


@pytest.mark.parametrize("program", [VIEWS, DATA], ids=["views", "data"])
def test_the_same_numbers_and_gradients(tmp_path: Path, program: str) -> None:
    theirs, ours = printed_by_both(tmp_path, program)
    assert ours == theirs


def test_the_text_names_the_view_and_stores_it_back(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\n\n\ndef mark(m, idx):\n    m.view(-1)[idx] = 1\n    return m\n\n\nmark(torch.zeros(2, 2), torch.tensor([1]))\n")
    assert "    view = m.view(-1)\n    view[idx] = 1\n    m[()] = view.reshape(m.shape)\n" in text


def test_data_of_another_shape_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotImplementedError, match="another shape"):
        both_sides(tmp_path, "import torch\n\nx = torch.zeros(2, 3)\nx.data = torch.ones(3)\n")


@pytest.mark.parametrize("program", ["v = x.view(-1)\n    v.data = v * 2\n    return v, x", "v = x.view(-1)\n    x.data = x * 2\n    return v, x"])
def test_data_of_what_shares_memory_is_told(tmp_path: Path, program: str) -> None:
    assert "MP109" in converted_script(tmp_path, f"import torch\n\n\ndef f():\n    x = torch.ones(2, 2)\n    {program}\n")


def test_data_of_a_tensor_alone_is_not(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, "import torch\n\nx = torch.ones(2)\nx.data = x.data * 2\nprint(x.tolist())\n")
    assert ours == theirs and "MP109" not in (tmp_path / "after" / "program.py").read_text()

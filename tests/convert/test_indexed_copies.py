"""What indexing by lists, tensors and masks made, and what is changed afterwards: torch's base keeps its values."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, printed_by_both


def converted(folder: Path, program: str) -> str:
    """The converted text of a program."""
    (folder / "script.py").write_text("import torch\nx = torch.ones(3, 4)\ni = torch.tensor([0, 2])\n" + program, encoding="utf-8")
    return {path.name: text for path, text in convert(discover(folder)).files.items()}["script.py"]


@pytest.mark.parametrize(("program", "expected"), [
    ("p = x[[0]]\np[0, 1] = 5\n", "p = x[[0]].copy()\n"),
    ("p = x[i]\np[:, 1:] = 5\n", "p = x[i].copy()\n"),
    ("p = x[x > 0]\np[0] = 5\n", "p = x[x > 0].copy()\n"),
    ("p, q = x[i], x[:, i]\nq[0] += 5\n", "p, q = x[i], x[:, i].copy()\n"),
    ("p = x[i]\ny = p * 2\n", "p = x[i]\n"),
    ("p = x[0:1]\np[0, 1] = 5\n", "p = x[0:1]\n"),
    ("def fill(t):\n    t[0] = 1\n\n\np = x[i]\nfill(p)\n", "p = x[i].copy()\n"),
])  # fmt: skip
def test_the_text(tmp_path: Path, program: str, expected: str) -> None:
    assert expected in converted(tmp_path, program)


@pytest.mark.frameworks
def test_the_base_keeps_its_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = converted(tmp_path, "p = x[[2, 0]]\np[0, 1] = 5\nm = x[x[:, 0] > 0]\nm[0] = 7\nq = x[:, i]\nq[:, 0] = 9\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    names: dict[str, object] = {}
    exec(compile(text, "script.py", "exec"), names)  # the converted program
    assert names["x"].asnumpy().tolist() == [[1.0] * 4] * 3  # type: ignore[attr-defined]
    assert names["p"].asnumpy()[0].tolist() == [1.0, 5.0, 1.0, 1.0]  # type: ignore[attr-defined]


ESCAPING = """
def rows(t, which):
    return t[which]


class Kept:
    def __init__(self, bank):
        self.part = bank[torch.tensor([1, 2])]


p = rows(x, [2, 0])
p[0] = 5.0
kept = Kept(x)
kept.part.zero_()
parts = [x[[k]] for k in range(2)]
for part in parts:
    part[0] = 3.0
q = rows(x, 1)
q[0] = 4.0
"""
ELEMENTS = """
taken = [x[t, 0] for t in i]
row = x[i[1]]
x[0] = 7.0
x[2, 1] = 8.0
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("program", [ESCAPING, ELEMENTS])
def test_what_leaves_the_function(tmp_path: Path, program: str) -> None:
    theirs, ours = both_sides(tmp_path, "import torch\nx = torch.ones(3, 4)\ni = torch.tensor([0, 2])\n" + program)
    for name in ("x", "p", "parts", "q", "taken", "row"):
        if hasattr(theirs, name):
            assert str([v.tolist() for v in getattr(ours, name)]) == str([v.tolist() for v in getattr(theirs, name)]), name


def test_plain_numbers_need_nothing(tmp_path: Path) -> None:
    assert "torch_equivalents" not in converted(tmp_path, "def first(t, k: int):\n    return t[k, 1:]\n\n\ny = first(x, 0)\nx[0] = 1\n")


EMPTY = """import torch


def chosen(x, rows):
    return x[rows, :], x[:, rows], x[rows]


table = torch.ones(3, 4, requires_grad=True)
kept = [part.detach() for rows in ([], [2, 0]) for part in chosen(table * 2, rows)]
"""


@pytest.mark.frameworks
def test_an_empty_list_takes_nothing(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, EMPTY)
    for expected, made in zip(theirs.kept, ours.kept, strict=True):
        assert tuple(expected.shape) == tuple(made.shape) and expected.tolist() == made.tolist()


ELEMENTS = """import torch


def dropped(mask, order):
    for d in order:  # each without axes: a number to torch
        mask[0::2, d, :].fill_(0)
    return mask


def named(table, order):
    for d in order:
        row = table[:, d]
        row *= 2
        row[0] = 7.0
    return table


def best(scores, labels):
    k = scores.argmax()
    labels[k].fill_(-1)
    return labels


def either(x, i: torch.Tensor):
    x[i].zero_()
    return x


def graded(w, i):
    y = w * 3
    y[i].mul_(2)
    z = y[i]
    z += 1
    return (y * y).sum()


print(dropped(torch.ones(4, 3, 2), torch.tensor([0, 2])).tolist())
print(named(torch.ones(4, 3), torch.tensor([0, 2])).tolist())
print(best(torch.tensor([1.0, 3.0, 2.0]), torch.zeros(3, 2)).tolist())
for i in (torch.tensor([0, 1]), torch.tensor(1)):
    print(either(torch.ones(3, 2), i).tolist())
    w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    loss = graded(w, i)
    loss.backward()
    print(loss.item(), w.grad.tolist())
"""


@pytest.mark.frameworks
def test_what_a_tensor_without_axes_takes_is_a_view(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, ELEMENTS)
    assert ours == theirs

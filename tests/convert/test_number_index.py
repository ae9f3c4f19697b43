"""Numbers beside index tensors: the text, and shapes and values beside torch's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

HEAD = "import torch\nx = torch.arange(120).reshape(2, 3, 4, 5)\nr = torch.tensor([0, 2])\nm = torch.tensor([True, False, True, True])\nk = torch.tensor(1)\ns = torch.eye(4)\n"


@pytest.mark.parametrize(("line", "expected"), [
    ("y = x[0, :, r]", "y = x[0][:, r]"),
    ("y = x[0, 1, ..., r]", "y = x[0, 1][..., r]"),
    ("y = x[:, r, :, 2]", "y = x[:, :, :, 2][:, r]"),
    ("y = x[..., r, :, 2]", "y = x[..., :, :, 2][..., r, :]"),
    ("y = x[None, 0, 1:, [1, 2]]", "y = x[0][None, 1:, [1, 2]]"),
    ("x[1, :, r] = 5", "x[1][:, r] = 5"),
    ("y = x[0, r]", "y = x[0, r]"),
    ("y = s[0, s[0].argmax()]", "y = s[0][s[0].argmax()]"),
    ("y = [s[i, r[i]] for i in range(2)]", "y = [s[i][r[i]] for i in range(2)]"),
    ("s[0, k] = 1.0", "s[0, k] = 1.0"),
    ("y = x[:, 1, 2]", "y = x[:, 1, 2]"),
    ("y = x[r, :, r]", "y = x[r, :, r]"),
    ("y = [x[i, :, r] for i in range(2)]", "y = [x[i][:, r] for i in range(2)]"),
    ("y = s[r[0], r[1]]", "y = indexed(s, r[0], r[1])"),
    ("y = s[r, r]", "y = s[r, r]"),
    ("y = s[k > 0]", "y = s.unsqueeze(0)[(k > 0).reshape(1)]"),
    ("y = s[s > 0]", "y = s[s > 0]"),
    ("def f(t, i):\n    return s[t[i, 0], t[i, i + 1]]", "def f(t, i):\n    return indexed(s, t[i, 0], t[i, i + 1])"),
    ("def f(i):\n    return x[i, :, r]", "def f(i):\n    return indexed(x, i, slice(None), r)"),
])  # fmt: skip
def test_the_text(tmp_path: Path, line: str, expected: str) -> None:
    assert converted_script(tmp_path, HEAD + line + "\n").endswith(expected + "\n")


PROGRAM = HEAD + """
kept = [x[0, :, r], x[1, 1, ..., r], x[:, r, :, 2], x[..., r, :, 2], x[None, 0, 1:, [1, 2]], x[0, :, r, r], x[:, 0, None, r], x[-1, :, m, 1:3]]


def picked(i, j):
    return x[i, :, j]


def either(i):
    return x[i, :, r], x[:, r, :, i], x[..., i, :, r]


kept += [*either(1), *either(torch.tensor([1, 0])), *either(k)]
w = torch.zeros(2, 3, 4)
w[0, :, r] = torch.arange(6.0).reshape(3, 2)
w[1, :, m] += 7
kept.append(w)
g = torch.ones(2, 3, 4, requires_grad=True)
(gradient,) = torch.autograd.grad((g[1, :, r] * torch.arange(6.0).reshape(3, 2)).sum(), g)
kept.append(gradient)
path = torch.tensor([[0, 1], [1, 2], [1, 1]])
(gradient,) = torch.autograd.grad(sum(g[path[i, 0], path[i, 1], path[i - 1, 1]] * (i + 1) for i in range(3)) + g[path[0], path[2]].sum(), g)
kept.append(gradient)
(gradient,) = torch.autograd.grad(sum(2 * g[one[0], one[1]].sum() for one in path), g)
kept.append(gradient)
(gradient,) = torch.autograd.grad(3 * g[1, 2, g[1, 2].argmax()] + g[k, 0, 1] + sum(g[i, 1, r[0]] for i in range(2)), g)
kept.append(gradient)
loss = torch.tensor(3.0, requires_grad=True)
(gradient,) = torch.autograd.grad(loss[loss > 0].sum(), loss)
kept += [gradient, x[torch.tensor(True)].float(), s[k > 1]]
"""


@pytest.mark.frameworks
def test_the_values(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert len(torch_side.kept) == len(mindspore_side.kept)
    for number, (one, other) in enumerate(zip(torch_side.kept, mindspore_side.kept, strict=True)):
        assert tuple(other.shape) == tuple(one.shape), number
        np.testing.assert_array_equal(other.asnumpy(), one.numpy(), err_msg=str(number))

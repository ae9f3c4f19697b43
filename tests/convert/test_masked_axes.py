"""Slices and numbers behind masks of several axes: the text, and shapes and values beside torch's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

HEAD = "import torch\nx = torch.arange(24.0).reshape(2, 3, 4)\nm = x.sum(2) > 30\nr = torch.tensor([1, 0])\n"


@pytest.mark.parametrize(("line", "expected"), [
    ("y = x[m, :]", "y = x[m]"),
    ("y = x[m, ...]", "y = x[m]"),
    ("y = x[m, 1:3]", "y = x[m][:, 1:3]"),
    ("y = x[m, -1]", "y = x[m][:, -1]"),
    ("y = x[m, 0]", "y = x[m, 0]"),
    ("y = x[r, 1:]", "y = x[r, 1:]"),
    ("def f(i):\n    return x[i, 1:]", "def f(i):\n    return x[i, 1:]"),
    ("def f(mask):\n    return x[mask, 1:]", "def f(mask):\n    return indexed(x, mask, slice(1, None))"),
    ("n = x[0] > 5\ny = x[..., n]", "y = indexed(x, ..., n)"),
    ("n = x[0] > 5\ny = x[:, n]", "y = x[:, n]"),
    ("x = x[None]\ny = x[:, m, 1:]", "y = indexed(x, slice(None), m, slice(1, None))"),
    ("y = x[..., r]", "y = x[..., r]"),
    ("x[m, :2] = 0.0", "x[m, :2] = 0.0"),
    ("x[m, -1] *= 2 + 1", "x[m, -1] = x[m][:, -1] * (2 + 1)"),
])  # fmt: skip
def test_the_text(tmp_path: Path, line: str, expected: str) -> None:
    assert converted_script(tmp_path, HEAD + line + "\n").endswith(expected + "\n")


PROGRAM = HEAD + """
def boxes(mask):
    return mask, x[mask, :2], x[mask, -1], x[mask, :], x[mask, 2]


kept = [x[m, :], x[m, 1:3], x[m, -1], x[m, ::2], x[m, None, :2], x[m, ..., 1:], x[m, 0], *boxes(m), *boxes(m[:, 0])[:2], *boxes(r), *boxes(1)[1:]]
n, y = x[0] > 5, torch.arange(48.0).reshape(2, 2, 3, 4)
kept += [x[..., n], x[:, n], y[:, m], y[:, m, :], y[:, m, 1:3], y[..., n[:, 0] & n[:, 0], :], y[0, ..., n], y[:, m, None], y[1:, m, -1]]
w = torch.zeros(2, 3, 4)
w[m, :2] = x[m, 2:]
kept.append(w)
w = x.clone()
w[m, -1] *= 5
w[m, 1:] += w[m, :1]
kept.append(w)
"""


@pytest.mark.frameworks
def test_the_values(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert len(torch_side.kept) == len(mindspore_side.kept)
    for number, (one, other) in enumerate(zip(torch_side.kept, mindspore_side.kept, strict=True)):
        assert tuple(other.shape) == tuple(one.shape), number
        np.testing.assert_array_equal(other.asnumpy(), one.numpy(), err_msg=str(number))

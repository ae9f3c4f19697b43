"""Losses over nothing: the backward pass goes through functions that compute on the host, or have a path of their own for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

pytestmark = pytest.mark.frameworks

PROGRAM = """import torch
import torch.nn.functional as F

tall = torch.zeros(3, 0, requires_grad=True)
torch.linalg.svd(tall).S.sum().backward()
square = torch.zeros(0, 0, requires_grad=True)
(torch.linalg.cholesky(square) * 2).sum().backward()
images = torch.zeros(0, 1, 4, 4, requires_grad=True)
F.unfold(images, 2).sum().backward()
gradients = [tall.grad, square.grad, images.grad]


def nothing(*shape):
    return torch.zeros(shape, requires_grad=True)


def gradient_of(function, *leaves):
    function(*leaves).sum().backward()
    return [leaf.grad for leaf in leaves]


one_row = torch.tensor([[1.0, float("inf")]], requires_grad=True)
gradients += gradient_of(torch.linalg.eigvalsh, nothing(0, 0))
gradients += gradient_of(lambda x, y: torch.linalg.vecdot(x, y, dim=0), nothing(0, 2), nothing(0, 2))
gradients += gradient_of(torch.linalg.solve, nothing(0, 0), nothing(0, 3))
gradients += gradient_of(lambda x: torch.linalg.solve_ex(x, torch.zeros(0, 1))[0], nothing(0, 0))
gradients += gradient_of(torch.linalg.det, nothing(2, 0, 0))
gradients += gradient_of(lambda x: torch.slogdet(x)[1], nothing(0, 0))
gradients += gradient_of(lambda x: torch.linalg.qr(x)[1], nothing(0, 2))
gradients += gradient_of(lambda x: torch.lu_unpack(x, torch.zeros(2, 0, dtype=torch.int32))[2], nothing(2, 0, 0))
gradients += gradient_of(lambda x: torch.sort(x).values, nothing(0, 3))
gradients += gradient_of(F.pdist, one_row)
running = torch.masked.cumsum(torch.zeros(2, 0), 1, mask=torch.zeros(2, 0).bool())
whole = torch.masked.logsumexp(torch.tensor([1, 2, 7]), dim=0, mask=torch.tensor([True, True, False]))
copies = [torch.arange(4).view(2, 2).tile(2), torch.arange(4).view(2, 2).tile(2, 1)]
areas = torch.cumulative_trapezoid(torch.tensor([[2.0]]), dim=1)
"""


def test_gradients_and_values(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    for name in ("gradients", "copies"):
        for one, other in zip(getattr(theirs, name), getattr(ours, name), strict=True):
            np.testing.assert_array_equal(other.asnumpy(), one.numpy(), err_msg=name)
    for name in ("running", "whole", "areas"):
        np.testing.assert_array_equal(getattr(ours, name).asnumpy(), getattr(theirs, name).numpy(), err_msg=name)


@pytest.mark.frameworks
def test_two_programs_in_one_process() -> None:
    """The equivalents of both change the layers of the one MindSpore; the second change must not call itself."""
    program = (
        "import numpy as np, mindspore as ms, mindport.equivalents.rows_of_none as rows\n"
        "rows._call_layers_without_rows()\nrows._call_layers_without_rows()\nprint(ms.nn.AvgPool2d(2, 2)(ms.Tensor(np.ones((1, 1, 2, 2), np.float32))).shape)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip() == "(1, 1, 1, 1)"

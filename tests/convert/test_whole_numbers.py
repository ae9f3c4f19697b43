"""Functions of whole numbers that torch computes in float32: the text, and dtypes and values beside torch's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

HEAD = "import torch\nn = torch.arange(1, 5)\nm = n > 2\nf = torch.ones(3)\n"


@pytest.mark.parametrize(("line", "expected"), [
    ("y = torch.log(n)", "y = ops.log(n.float())"),
    ("y = n.exp()", "y = n.float().exp()"),
    ("y = torch.log(f)", "y = ops.log(f)"),
    ("y = torch.sqrt(n)", "y = ops.sqrt(n)"),
    ('y = torch.log(n.to("cpu") * 2)', "y = ops.log((n * 2).float())"),
    ("y = torch.log(n.to(f.device, non_blocking=True))", "y = ops.log(n.float())"),
    ("y = torch.log(n.to(f))", "y = ops.log(n.to(f.dtype))"),
    ("y = torch.exp(m.sum())", "y = ops.exp(m.sum().float())"),
    ("y = torch.log(torch.cumsum(n, 0))", "y = ops.log(cumsum(n, 0).float())"),
    ("y = n.max().log()", "y = n.max().float().log()"),
    ('y = torch.div(n.int(), 2, rounding_mode="floor")', "y = ops.floor_divide(n.int(), 2)"),
    ("y = torch.max(n, f).log()", "y = ops.maximum(n, f).log()"),
])  # fmt: skip
def test_the_text(tmp_path: Path, line: str, expected: str) -> None:
    assert converted_script(tmp_path, HEAD + line + "\n").endswith(expected + "\n")


PROGRAM = HEAD + """
kept = [torch.log(n), torch.log2(n * 2), (n + 1).log10(), torch.exp(torch.arange(0, 8, 2)), torch.sin(n), n.cos(), torch.sigmoid(m), (n - 2).tanh(),
        torch.rsqrt(n), torch.log1p(input=n), torch.reciprocal(n), m.exp(), torch.atan(n.int()), torch.log(torch.tensor(10)), n.sigmoid() * 2]


def positions(length):
    return torch.arange(length).cos(), torch.log(torch.arange(1, length))


kept += positions(4)


def moved(x, device, kind):
    return torch.log(n.to(x.device)), torch.exp(n.to(device)), torch.exp(m.to(kind)).float(), n.to(x.device).sum().log(), torch.log(torch.max(n))


kept += moved(f, torch.device("cpu"), torch.float64)
"""


@pytest.mark.frameworks
def test_the_values(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    for number, (one, other) in enumerate(zip(torch_side.kept, mindspore_side.kept, strict=True)):
        assert str(other.dtype).lower() == "float32" and str(one.dtype) == "torch.float32", number
        np.testing.assert_allclose(other.asnumpy(), one.numpy(), rtol=1e-5, err_msg=str(number))

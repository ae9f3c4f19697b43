"""Functions of dtypes that MindSpore's own operator does not take, or computes with the digits of float32: where the dtype shows, they are composed.

So are functions of tensors with fewer axes, where these show or the function is vendored."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, converted_script, equal_tensors

DIGITS = """
import torch
import torch.nn.functional as F

x = torch.linspace(-1, 1, 8, dtype=torch.float64)
m = x.reshape(2, 2, 2)
found = [
    F.leaky_relu(x), F.leaky_relu(x, 0.1), F.softplus(x, beta=0.7), F.elu(x, 0.7), F.celu(x, 0.7), F.selu(x), torch.rsub(x, 0.3, alpha=0.7), x.add(x, alpha=0.1), x.sub(x, alpha=0.1),
    torch.baddbmm(m, m, m, beta=0.3, alpha=0.7), torch.addbmm(m[0], m, m, alpha=0.7), torch.addmm(m[0], m[0], m[1], beta=0.3), torch.addmv(x[:2], m[0], x[:2], beta=0.3), torch.addr(m[0], x[:2], x[2:4], beta=0.3),
    torch.norm(x, 1.3), torch.linalg.vector_norm(x, 0.7), F.layer_norm(m, (2,), eps=1e-3), F.rms_norm(m, (2,), eps=1e-3), F.group_norm(m, 2, eps=1e-3), F.batch_norm(m, None, None, training=True, eps=1e-3),
    torch.lerp(x, x + 1, 0.3), x.lerp(x + 1, 0.3), x.clone().lerp_(x + 1, 0.3), torch.addcmul(x, x, x, value=0.3), x.clone().addcmul_(x, x, value=0.3), torch.addcdiv(x, x, x, value=0.3),
    torch.var(x), torch.std(x, 0), torch.clamp_min(x, 0.3), torch.xlogy(x + 1.1, 0.3), torch.floor_divide(x + 1.1, 0.3),
]
"""


@pytest.mark.frameworks
def test_float64_has_its_digits(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, DIGITS)
    for expected, made in zip(theirs.found, ours.found, strict=True):
        assert made.asnumpy().dtype == np.float64
        np.testing.assert_allclose(made.asnumpy(), expected.numpy(), 1e-13, 1e-15)


OTHERS = """
import torch

single, double, whole = torch.tensor([1.5, -2.0]), torch.tensor([0.5, 3.0], dtype=torch.float64), torch.tensor([2, 3])


def product(a, b):
    return torch.addcmul(a, b, b, value=2)


found = [torch.addcmul(single, single, double), product(single, whole), product(double, single), single.clone().addcmul_(whole, single, value=0.5)]
signed, size = torch.tensor([-3, 0, 4], dtype=torch.int16), torch.tensor([0, 3, 200], dtype=torch.uint8)
found += [torch.sign(signed), torch.sgn(signed), signed.sign(), size.sign(), torch.sgn(size), torch.sgn(single > 0), torch.sign(size.to(torch.int8)), signed.sign_()]
found += [torch.nn.functional.hardtanh(whole, -1.5, 2.5), double.clone().cumsum_(0, dtype=torch.float64), torch.any(size), size.any(0, True), torch.any(whole, torch.tensor(0)), torch.any(size > 3)]
"""


@pytest.mark.frameworks
def test_other_dtypes(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, OTHERS)
    equal_tensors(theirs.found, ours.found)


AXES = """
import numpy as np
import torch
import torch.nn.functional as F

row, seen, number, hidden = torch.from_numpy(np.ones((2, 5), np.float32)), torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), torch.tensor(3.0), torch.from_numpy(np.ones(()))
table = {"line": F.conv1d, "plane": F.conv2d, "volume": F.conv3d, "places": torch.nonzero}
way = ["valid", "same"][0]


class Turned(torch.nn.Module):
    def forward(self, x):
        return torch.flip(x, dims=(-1,))


found = [
    F.conv1d(seen, torch.ones(3, 2, 2)), F.conv1d(seen[None], torch.ones(3, 2, 2)), torch.conv1d(row, torch.ones(3, 2, 2), padding=way), table["line"](row, torch.ones(3, 2, 2)),
    table["plane"](row.reshape(1, 2, 5), torch.ones(2, 1, 2, 2), stride=2), table["volume"](row.reshape(1, 1, 2, 5), torch.ones(2, 1, 1, 2, 2)),
    number.nonzero(), torch.nonzero(number * 0), torch.argwhere(number), number.argwhere(), *torch.nonzero(number, as_tuple=True), table["places"](hidden), table["places"](row),
    torch.flip(number, (-1,)), number.flip(0), number.flip(dims=(0,)), Turned()(number),
]
"""


@pytest.mark.frameworks
def test_fewer_axes(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, AXES)
    equal_tensors(theirs.found, ours.found)
    for expected, made in zip(theirs.found, ours.found, strict=True):
        assert tuple(expected.shape) == tuple(made.shape)


@pytest.mark.parametrize(("x", "told"), [("x", True), ("torch.tensor([[1.0, 2.0]])", False), ("torch.tensor([[[1.0, 2.0]]])", False), ("x, padding=way", False)])
def test_an_input_without_a_batch_is_told_where_it_raises(tmp_path: Path, x: str, told: bool) -> None:
    (tmp_path / "script.py").write_text(f"import torch\n\n\ndef f(x, way):\n    return torch.conv1d(input={x}, weight=torch.ones(1, 1, 1))\n", encoding="utf-8")
    assert any("batch axis" in finding.message for finding in convert(discover(tmp_path)).findings) is told


def test_what_stays(tmp_path: Path) -> None:
    text = "import torch\nimport torch.nn.functional as F\n\n\ndef f(x, y):\n    return F.leaky_relu(x), torch.sign(x), torch.lerp(x, y, 0.5), torch.baddbmm(x, y, y, beta=0.5)\n"
    converted = converted_script(tmp_path, text)
    assert all(name in converted for name in ("ops.where(x > 0", "ops.sign(x)", "ops.lerp(x", "ops.baddbmm(x"))

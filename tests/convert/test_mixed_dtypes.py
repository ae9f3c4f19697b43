"""Tensors of several dtypes joined: the text, and dtypes and values beside torch's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

HEAD = "import torch\nn = torch.arange(4)\nf = torch.ones(4)\nm = n > 1\n"


@pytest.mark.parametrize(("line", "expected"), [
    ("y = torch.cat([n, f])", "y = ops.cat(promoted([n, f]))"),
    ("y = torch.cat([n, n + 1])", "y = ops.cat([n, n + 1])"),
    ("y = torch.cat([f, f * 2])", "y = ops.cat([f, f * 2])"),
    ("v, i = torch.sort(f)\ny = torch.cat([i, v])", "y = ops.cat(promoted([i, v]))"),
    ("v, i = torch.sort(f)\ny = torch.cat([v, f])", "y = ops.cat([v, f])"),
    ("def pad(t):\n    return torch.cat([torch.zeros(2), t]).to(dtype=torch.long)", "    return ops.stop_gradient(ops.cat(promoted([ops.zeros(2), t]))).to(dtype=ms.int64)"),
    ("def pad(t):\n    return torch.cat([torch.zeros(2), t]).long()", "    return ops.stop_gradient(ops.cat(promoted([ops.zeros(2), t]))).long()"),
    ("def pad(t):\n    return torch.cat([torch.zeros(2), t]).to(dtype=torch.float32)", "    return ops.cat([ops.zeros(2), t]).to(dtype=ms.float32)"),
    ("def f(x, c, flag):\n    hots = []\n    hots += [torch.nn.functional.one_hot(c.squeeze(-1)) if flag else c]\n    return torch.cat((x, *hots))", "    return ops.cat(promoted((x, *hots)))"),
    ("def g(c: torch.Tensor, m: torch.Tensor, x: torch.Tensor):\n    hots = []\n    hots += [torch.nn.functional.one_hot(c) if c.dim() > 1 else m]\n    more = [h.unsqueeze(0) for h in hots] if x.dim() > 2 else hots\n    return torch.cat((x, *more))", "    return ops.cat(promoted((x, *more)))"),
    ("def g(c: torch.Tensor, x: torch.Tensor):\n    parts = []\n    parts.append(c * 2)\n    return torch.cat((x, *parts))", "    return ops.cat((x, *parts))"),
    ("def f(x, *features):\n    return torch.cat([x, *features], 1)", "    return ops.cat([x, *features], 1)"),
    ("d = f.double()\ny = torch.cat([torch.tensor([1.0]), d[1:]])", "y = ops.cat(promoted([ms.tensor([1.0]), d[1:]]))"),
    ("def g(device):\n    d = torch.ones(2, dtype=torch.float64).to(device)\n    return torch.cat([torch.zeros(1).to(device), d])\nif f.any():\n    g(torch.device('cpu'))", "    g('cpu')"),
    ("def g(self, x):\n    d = torch.zeros(2, dtype=torch.float64)\n    return torch.cat([d.to(x.device), self.scale])", "    return ops.cat(promoted([d, self.scale]))"),
    ("d = f.double()\ny = torch.cat([d, d * 2])", "y = ops.cat([d, d * 2])"),
    ("y = torch.stack((n, m), dim=1)", "y = ops.stack(promoted((n, m)), axis=1)"),
])  # fmt: skip
def test_the_text(tmp_path: Path, line: str, expected: str) -> None:
    assert converted_script(tmp_path, HEAD + line + "\n").endswith(expected + "\n")


PROGRAM = HEAD + """
kept = [torch.cat([n, f]), torch.cat((n, n.float() * 0.5), dim=0), torch.stack([n, n * 0.5]), torch.cat([m, n]), torch.hstack([n.int(), n]),
        torch.cat([f.double(), f.float()]), torch.stack([f.half(), n], dim=-1), torch.column_stack([n, f]),
        torch.cat([f.reshape(2, 2).max(1)[1], f]), torch.cat([torch.tensor([1.0]), f.double()]), torch.cat([f.double() * 0.1, torch.zeros(1)])]
"""


@pytest.mark.frameworks
def test_the_values(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    for number, (one, other) in enumerate(zip(torch_side.kept, mindspore_side.kept, strict=True)):
        assert str(other.dtype).lower() == str(one.dtype).removeprefix("torch."), number
        np.testing.assert_array_equal(other.asnumpy(), one.numpy(), err_msg=str(number))

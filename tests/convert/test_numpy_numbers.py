"""NumPy's numbers before tensors: the text, and the gradient that MindSpore's array would have lost."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides


@pytest.mark.parametrize(("line", "expected"), [
    ("y = np.sqrt(2) * x", "y = x * np.sqrt(2)"),
    ("y = (1 / np.sqrt(n)) * (x + 1)", "y = (x + 1) * (1 / np.sqrt(n))"),
    ("y = np.log(3.0) - x", "y = np.log(3.0).item() - x"),
    ("y = (np.log(3.0) + 1) / x", "y = (np.log(3.0) + 1).item() / x"),
    ("s = np.sqrt(2)\ns *= x", "s = np.sqrt(2)\ns = x * s"),
    ("y = x * np.sqrt(2)", "y = x * np.sqrt(2)"),
    ("y = np.pi * x", "y = np.pi * x"),
    ("y = np.sqrt(2) * np.ones(3)", "y = np.sqrt(2) * np.ones(3)"),
    ("y = np.sqrt(2) * u", "y = u * np.sqrt(2)"),
    ("y = np.shape(u) + u", "y = np.shape(u) + u"),
])  # fmt: skip
def test_the_text(tmp_path: Path, line: str, expected: str) -> None:
    head = "import numpy as np\nimport torch\nn = int(input())\nu = eval(input())\nx = torch.ones(3)\n"
    (tmp_path / "script.py").write_text(f"{head}{line}\n", encoding="utf-8")
    text = next(text for path, text in convert(discover(tmp_path)).files.items() if path.name == "script.py")
    assert text.endswith(expected + "\n")


PROGRAM = """import numpy as np
import torch


def loss(x):
    scale = 1 / np.sqrt(x.shape[0])
    total = np.float32(1)
    total += (scale * x).sum()
    return total + (np.log(3.0) - x).sum() + (np.exp(1) ** x).sum() + (np.float64(2) / x).sum()


def run(x):
    x = torch.tensor(x, requires_grad=True)
    gradient = torch.autograd.grad(loss(x), x)[0]
    return loss(x), gradient
"""


@pytest.mark.frameworks
def test_values_and_gradients(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    x = np.array([0.5, 1.5, -2.0], np.float32)
    expected, gradient = (t.detach().numpy() for t in torch_side.run(x))
    found, of_found = (t.asnumpy() for t in mindspore_side.run(x))
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    np.testing.assert_allclose(of_found, gradient, rtol=1e-5)

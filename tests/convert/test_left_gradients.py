"""A gradient that stays under a finding stays under a name that says so when the program gets there."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

STEP = """import torch
import torch.nn.functional as F


def adapt(net, fast, x, y):
    loss = F.mse_loss(net(x, fast), y)
    return torch.autograd.grad(loss, list(fast.values()), create_graph=True, allow_unused=True)
"""


@pytest.mark.parametrize("imported", ["import torch", "from torch import autograd", "from torch.autograd import grad"])
def test_the_name_of_what_stays_is_bound(tmp_path: Path, imported: str) -> None:
    name = {"import torch": "torch.autograd.grad", "from torch import autograd": "autograd.grad", "from torch.autograd import grad": "grad"}[imported]
    (tmp_path / "step.py").write_text(STEP.replace("import torch\n", f"{imported}\n", 1).replace("torch.autograd.grad(", f"{name}("))
    conversion = convert(discover([tmp_path]))
    assert "MP401" in {f.code for f in conversion.findings}
    text = next(text for path, text in conversion.files.items() if path.name == "step.py")
    bound = {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    assert "torch" in bound and "torch.autograd.grad(loss" in text

"""``x.detach().cpu().numpy()``: nothing is cut off where no gradient could go."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

HEAD = "import torch\n\n\ndef read(x: torch.Tensor, y):\n    return "


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x.detach().cpu().numpy()", "x.asnumpy()"),
        ("(x + 1).detach().numpy()[0]", "(x + 1).asnumpy()[0]"),
        ("x.data.size(0)", "x.shape[0]"),
        ("x.data.shape", "x.shape"),
        ("x.detach().dtype", "x.dtype"),
        ("x.data.item()", "x.item()"),
        ("x.data.cpu().tolist()", "x.tolist()"),
        ("x.detach()", "ops.stop_gradient(x)"),
        ("x.detach().cpu()", "ops.stop_gradient(x)"),
        ("x.data.sum().item()", "x.sum().item()"),
        ("x.detach().double().abs().sum().tolist()", "x.double().abs().sum().tolist()"),
        ("x.detach().view(-1).numpy()", "ops.stop_gradient(x).view(-1).asnumpy()"),
        ("x.data.detach().clone()", "Tensor.copy(ops.stop_gradient(x))"),
        ("x.detach().sum()", "ops.stop_gradient(x).sum()"),
        ("y.data.shape", "attribute(y, \"data\", data).shape"),
    ],
)
def test_the_text(tmp_path: Path, before: str, after: str) -> None:
    assert converted_script(tmp_path, f"{HEAD}{before}\n").rpartition("return ")[2] == f"{after}\n"


PROGRAM = """import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
y = w * 2
array = y.detach().numpy()
array[0] = 9.0
print(y.tolist(), array.tolist(), y.data.size(0), (y * y).sum().data.item())
p = torch.nn.Parameter(torch.ones(2))
held = p.data.cpu().numpy()
held[1] = 5.0
loss = (p * w).sum()
loss.backward()
print(p.tolist(), held.tolist(), loss.detach().item(), w.grad.tolist())
"""


@pytest.mark.frameworks
def test_both_sides(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs == ours

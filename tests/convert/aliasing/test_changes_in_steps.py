"""Changes in place between a forward pass and backward, whose statements become a function."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import converted_script, printed_by_both  # noqa: E402

START = "import torch\n\nw = torch.ones(2, requires_grad=True)\n"
#: A name that is bound before the step and changed in it: bound there, it would be another name.
OUTSIDE = START + """
decay = torch.ones(2)
for step in range(2):
    y = w * 3
    decay.mul_(0.5)
    loss = (y * decay).sum()
    loss.backward()
print(decay.tolist(), w.grad.tolist())
"""
#: A view of it that is read behind the step, made again in the step's function, would be the function's own.
VIEW = START + """
base = torch.zeros(2, 2)
flat = base.view(-1)
y = w * 3
base.add_(1)
flat[2:].mul_(4)
loss = (y * flat[:2]).sum()
loss.backward()
print(flat.tolist(), base.tolist(), w.grad.tolist())
"""
#: What has another shape afterwards can be no more than a name, and a view of the shape before is not made again by its index.
SHAPE = START + """
mask = torch.ones(2)
for step in range(1):
    y = w * 3
    mask.unsqueeze_(0)
    loss = (y * mask).sum()
    loss.backward()
print(mask.tolist(), w.grad.tolist())
"""


@pytest.mark.parametrize("program", [OUTSIDE, VIEW, SHAPE], ids=["outside", "view", "shape"])
def test_the_same_afterwards(tmp_path: Path, program: str) -> None:
    theirs, ours = printed_by_both(tmp_path, program)
    assert ours == theirs


def test_a_name_from_outside_stays_in_the_function_form(tmp_path: Path) -> None:
    text = converted_script(tmp_path, OUTSIDE)
    assert "mul_(decay, 0.5)" in text and "value_and_gradients" in text


def test_a_view_of_another_shape_is_told(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\n\n\ndef f():\n    x = torch.zeros(3)\n    head = x[:2]\n    x.unsqueeze_(0)\n    return head, x\n")
    assert "MP109" in text and "head = x[:2]\n    return" not in text

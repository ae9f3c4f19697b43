"""A tensor of the module that a function makes a leaf stays the module's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = '''import torch
from torch import optim

image = torch.full((2, 3), 0.5)


def run(steps):
    """Moves the picture."""
    print(image.shape)
    image.requires_grad_(True)
    optimizer = optim.SGD([image], lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = ((image - 2) ** 2).sum()
        loss.backward()
        optimizer.step()
    return image


run(3)
with torch.no_grad():
    result = image.clone()
'''


def test_the_name_is_declared(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert '"""Moves the picture."""\n    global image\n    print(image.shape)' in text


def test_a_name_of_an_enclosing_function(tmp_path: Path) -> None:
    inner = PROGRAM.partition("def run")[2].partition("run(3)")[0].replace("\n", "\n    ")
    text = "import torch\nfrom torch import optim\n\n\ndef main():\n    image = torch.zeros(3)\n\n    def run" + inner + "\n    return run(2)\n"
    assert "nonlocal image\n" in converted_script(tmp_path, text)


@pytest.mark.frameworks
def test_both_sides_move_it(tmp_path: Path) -> None:
    torch, mindspore = both_sides(tmp_path, PROGRAM)
    assert abs(torch.result.numpy() - mindspore.result.asnumpy()).max() < 1e-6
    assert abs(torch.image.detach().numpy() - mindspore.image.asnumpy()).max() < 1e-6

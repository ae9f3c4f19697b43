"""Choices between two names of torch's that are one name in MindSpore."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script

HEAD = "import torch\n\n\ndef step(x: torch.Tensor, cuda, ask, a):\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    make = torch.cuda.FloatTensor if x.is_cuda else torch.FloatTensor\n    return make(3)", "    make = FloatTensor\n    return make(3)"),
        ("    make = torch.cuda.LongTensor if cuda else torch.LongTensor  # of the device\n    return make([0])", "    make = LongTensor  # of the device\n    return make([0])"),
        ("    make = torch.cuda.FloatTensor if ask() else torch.FloatTensor\n    return make(3)", "    make = FloatTensor if ask() else FloatTensor\n    return make(3)"),
        ("    make = torch.DoubleTensor if cuda else torch.FloatTensor\n    return make(3)", "    make = DoubleTensor if cuda else FloatTensor\n    return make(3)"),
        ("    y = torch.relu(x)\n    return a if cuda else a", "    y = ops.relu(x)\n    return a if cuda else a"),
    ],
)
def test_the_text(tmp_path: Path, body: str, expected: str) -> None:
    assert converted_script(tmp_path, f"{HEAD}{body}\n").endswith(f"{expected}\n")

"""Members of torch's modules that a program lists by their names: ``tuple(v for k, v in nn.__dict__.items() if "Norm" in k)``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """
import torch
from torch import nn


def found(model):
    norms = tuple(v for k, v in nn.__dict__.items() if "Norm" in k)
    pools = [v for k, v in vars(torch.nn).items() if k.endswith("2d") and "Pool" in k and not k.startswith("Adaptive")]
    kinds = {v for k, v in nn.__dict__.items() if k.startswith("Conv") and "Transpose" not in k}
    return [[type(m).__name__ for m in model.modules() if isinstance(m, tuple(some))] for some in (norms, pools, kinds)]


net = nn.Sequential(nn.Conv2d(2, 3, 1), nn.BatchNorm2d(3), nn.GroupNorm(1, 3), nn.LayerNorm(4), nn.InstanceNorm2d(3), nn.MaxPool2d(2), nn.AvgPool2d(2), nn.AdaptiveAvgPool2d(1))
print(found(net))
"""


@pytest.mark.frameworks
def test_the_same_layers_are_found(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs == ours


def test_the_members_are_written_out(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "norms = (BatchNorm1d, BatchNorm2d, BatchNorm3d, " in text
    assert "kinds = {Conv1d, Conv2d, Conv3d}" in text
    assert "MP101" not in text


@pytest.mark.parametrize("test", ["k in wanted", "isinstance(v, type)", "wanted in k"])
def test_what_the_text_does_not_decide_is_told(tmp_path: Path, test: str) -> None:
    assert "MP101" in converted_script(tmp_path, f"from torch import nn\n\n\ndef f(wanted):\n    return tuple(v for k, v in nn.__dict__.items() if {test})\n")

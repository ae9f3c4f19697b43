"""``type(layer).__name__`` of what a container of mixed contents holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """import torch.nn as nn


class Stack(nn.Sequential):
    def __init__(self, *sizes, activation=nn.Tanh):
        layers = []
        for n, m in zip(sizes[:-1], sizes[1:]):
            layers += [nn.Linear(n, m), activation()]
        super().__init__(*layers[:-1])


print([type(layer).__name__ for layer in Stack(4, 8, 3)])
"""


@pytest.mark.frameworks
def test_known_layers_among_unknown_ones_keep_torchs_names(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs == "['Linear', 'Tanh', 'Linear']\n"

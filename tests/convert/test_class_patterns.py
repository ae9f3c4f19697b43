"""``case nn.Conv2d():`` matches the layer whichever class it was written as, and ``case nn.Linear(in_features=n):`` reads torch's attributes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """\
import torch
from torch import nn


def kind(m):
    match m:
        case nn.Conv2d() | nn.ReLU():
            return "plain"
        case nn.Embedding(num_embeddings=n, weight=w):
            return n, w.sum().item()
        case nn.BatchNorm1d(eps=e, running_mean=(a, _)) | nn.LayerNorm(eps=e, elementwise_affine=a):
            return e, bool(a)
        case [nn.LayerNorm(), *rest]:
            return len(rest)
        case torch.Tensor() if m.ndim > 1:
            return "matrix"
        case nn.Module(training=True):
            return "module"
        case _:
            return None


table = nn.Embedding(4, 2)
nn.init.ones_(table.weight)
print([kind(m) for m in (nn.Conv2d(1, 1, 1), nn.ReLU(), table, [nn.LayerNorm(2), 1, 2], torch.ones(2, 2), nn.Dropout(0.5), nn.LayerNorm(2), 3)])
"""


def test_classes_stay_as_the_layers_are_written(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "case nn.Conv2d() | nn.ReLU():" in text and "case [LayerNorm(), *rest]:" in text and "case Tensor() if" in text
    assert "case nn.Embedding(vocab_size=n, embedding_table=w):" in text and "moving_mean=(a, _)) | LayerNorm(epsilon=e, elementwise_affine=a):" in text


@pytest.mark.frameworks
def test_both_sides_match_alike(tmp_path: Path) -> None:
    before, after = printed_by_both(tmp_path, PROGRAM)
    assert before == after == "['plain', 'plain', (4, 8.0), 2, 'matrix', 'module', (1e-05, True), None]\n"

"""Subclasses of torch's Transformer layers that call and override the layers' parts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """
import torch
from torch import nn


class Scaled(nn.TransformerEncoderLayer):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.gamma = nn.Parameter(torch.tensor(0.5))

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        src = src + self.gamma * self._sa_block(self.norm1(src), src_mask, src_key_padding_mask)
        return src + self._ff_block(self.norm2(src))


class Doubled(nn.TransformerDecoderLayer):
    def _mha_block(self, x, mem, attn_mask, key_padding_mask, is_causal=False):
        return 2 * super()._mha_block(x, mem, attn_mask, key_padding_mask, is_causal)


def filled(module):
    with torch.no_grad():
        for place, parameter in enumerate(module.parameters()):
            parameter.copy_(torch.linspace(-0.3, 0.4, parameter.numel()).reshape(parameter.shape) * (1 + place % 3))
    return module.train()


scaled, doubled = filled(Scaled(8, 2, 16, dropout=0.0)), filled(Doubled(8, 2, 16, dropout=0.0, norm_first=True))
x, memory = torch.linspace(-1, 1, 48).reshape(3, 2, 8), torch.linspace(2, -1, 80).reshape(5, 2, 8)
kept = [scaled(x).detach(), doubled(x, memory).detach()]
"""


@pytest.mark.frameworks
def test_parts_are_called_by_their_names(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, PROGRAM)
    for theirs, ours in zip(expected.kept, actual.kept, strict=True):
        np.testing.assert_allclose(ours.asnumpy(), theirs.numpy(), rtol=2e-5, atol=2e-6)

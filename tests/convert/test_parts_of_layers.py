"""Parts of layers that conversion writes itself are read and called under torch's names; static members on objects."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = nn.Transformer(16, 2, 1, 1, 32, batch_first=True)

    def encode(self, src):
        return self.transformer.encoder(src)

    def forward(self, src, tgt):
        memory = self.encode(src)
        mask = self.transformer.generate_square_subsequent_mask(tgt.shape[1])
        return self.transformer.decoder(tgt, memory, tgt_mask=mask)


net = Net().eval()
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.0625)
    net.transformer.decoder.layers[0].norm1.weight[3] = 2.0
src = torch.arange(96).reshape(2, 3, 16) % 7 / 7.0
out = net(src, torch.flip(src, dims=(1,)))
"""


@pytest.mark.frameworks
def test_encoder_and_decoder_alone(tmp_path: Path) -> None:
    torch, mindspore = both_sides(tmp_path, PROGRAM)
    assert mindspore.out.shape == tuple(torch.out.shape)
    assert mindspore.out.asnumpy() == pytest.approx(torch.out.detach().numpy(), rel=1e-5, abs=1e-6)

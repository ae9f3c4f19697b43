"""A network's loops over loops, whose layers may give back their input: what is told apart stays bounded."""

from __future__ import annotations

import ast

from mindport.convert.aliasing.flow import MOST_OBJECTS, follow
from mindport.convert.aliasing.knowledge import Knowledge
from mindport.inference import Project
from mindport.source.file import SourceFile

UNET = """\
import torch
import torch.nn as nn


class Unet(nn.Module):
    def __init__(self, blocks, levels):
        super().__init__()
        self.down, self.up, self.levels, self.blocks = blocks, blocks, levels, blocks

    def forward(self, x: torch.Tensor, temb):
        hs = [self.conv_in(x)]
        for i in range(self.levels):
            for j in range(3):
                h = self.down[i].block[j](hs[-1], temb)
                if len(self.down[i].attn) > 0:
                    h = self.down[i].attn[j](h)
                hs.append(h)
            if i != self.levels - 1:
                hs.append(self.down[i].downsample(hs[-1]))
        h = hs[-1]
        h = self.mid.block_1(h, temb)
        h = self.mid.attn_1(h)
        h = self.mid.block_2(h, temb)
        for i in reversed(range(self.levels)):
            for j in range(4):
                h = self.up[i].block[j](torch.cat([h, hs.pop()], dim=1), temb)
                if len(self.up[i].attn) > 0:
                    h = self.up[i].attn[j](h)
            if i != 0:
                h = self.up[i].upsample(h)
        h += temb
        return self.conv_out(h * torch.sigmoid(h))
"""


def test_nested_loops_of_layers_end() -> None:
    file = SourceFile.of(UNET, "unet.py")
    knowledge = Knowledge.of(file, Project([file]).facts(file), {})
    forward = next(n for n in ast.walk(file.tree) if isinstance(n, ast.FunctionDef) and n.name == "forward")
    flow = follow(forward, knowledge)
    places = sum(isinstance(n, ast.Call) for n in ast.walk(forward))
    (mutation,) = flow.mutations.values()
    assert mutation.kind == "augmented"
    assert len(mutation.objects) <= MOST_OBJECTS * places

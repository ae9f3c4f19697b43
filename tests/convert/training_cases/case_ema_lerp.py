"""An averaged copy that follows by lerp_, buffers copied; evaluated beside the model."""

import copy

import torch
import torch.nn.functional as F
from nets import Block
from shared import arrays, finish, record, start


class EMA:
    def __init__(self, model, decay=0.9):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for e, p in zip(self.module.parameters(), model.parameters()):
            e.lerp_(p, 1 - self.decay)
        for e, b in zip(self.module.buffers(), model.buffers()):
            e.copy_(b)


def main():
    model = Block(6, 3)
    start(model)
    ema = EMA(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3)):
        x, y = torch.from_numpy(x), torch.from_numpy(y)
        model.train()
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema.update(model)
        with torch.no_grad():
            record(loss, F.cross_entropy(ema.module(x), y))
    finish(model, ema.module)

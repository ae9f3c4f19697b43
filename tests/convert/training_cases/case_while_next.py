"""A while loop over an endless iterator; gradients are logged."""

import itertools

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def endless(batches):
    yield from itertools.cycle(batches)


def main():
    model = Net()
    start(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.1)
    source = endless([(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(3, 5, 6), arrays(3, 5, classes=3))])
    step, best = 0, None
    while step < 9:
        x, y = next(source)
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        if best is None or loss.item() < best:
            best = loss.item()
        optimizer.zero_grad()
        loss.backward()
        total = sum(p.grad.pow(2).sum().item() for p in model.parameters() if p.grad is not None)
        optimizer.step()
        step += 1
        record(loss, total, best)
    finish(model)

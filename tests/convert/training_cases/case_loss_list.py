"""Losses are collected in a list and summed."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def main():
    model = Net()
    start(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for x, y in zip(arrays(8, 3, 5, 6), arrays(8, 3, 5, classes=3)):
        losses = []
        for part in range(3):
            out = model(torch.from_numpy(x[part]))
            losses.append(F.cross_entropy(out, torch.from_numpy(y[part])))
        total = torch.stack(losses).sum()
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
        record(total, len(losses))
    finish(model)

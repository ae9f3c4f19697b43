"""A loss without reduction, weighted, its mean taken at backward."""

import torch
from nets import Net
from shared import arrays, finish, record, start
from torch import nn


def main():
    model = Net()
    start(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.CrossEntropyLoss(reduction="none")
    for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3)):
        x, y = torch.from_numpy(x), torch.from_numpy(y)
        weights = torch.where(y > 0, 2.0, 1.0)
        loss = criterion(model(x), y) * weights
        optimizer.zero_grad()
        loss.mean().backward()
        optimizer.step()
        record(loss.sum())
    finish(model)

"""Gradients of several batches add up."""

import torch
from nets import Net
from shared import arrays, finish, record, start
from torch import nn


def main():
    model = Net()
    start(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    loss_fn = nn.CrossEntropyLoss()
    data = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(12, 5, 6), arrays(12, 5, classes=3))]
    accumulation = 3
    optimizer.zero_grad()
    for i, (x, y) in enumerate(data):
        loss = loss_fn(model(x), y)
        loss = loss / accumulation
        loss.backward()
        if (i + 1) % accumulation == 0:
            optimizer.step()
            optimizer.zero_grad()
        record(loss)
    finish(model)

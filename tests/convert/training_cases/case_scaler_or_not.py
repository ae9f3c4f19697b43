"""Backward in both branches of a test."""

import torch
from nets import Net
from shared import arrays, finish, record, start
from torch import nn


def train(model, data, optimizer, scaler=None):
    criterion = nn.CrossEntropyLoss()
    for x, y in data:
        output = model(x)
        loss = criterion(output, y)
        optimizer.zero_grad()
        if scaler is not None:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()
        record(loss)


def main():
    model = Net()
    start(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    data = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3))]
    train(model, data, optimizer)
    finish(model)

"""autocast around the forward pass, loss scaling around backward, both on or off by a flag."""

import torch
from nets import Net
from shared import arrays, finish, record, start
from torch import nn


def train(model, data, optimizer, use_amp=False):
    scaler = torch.amp.GradScaler("cpu", enabled=use_amp)
    criterion = nn.CrossEntropyLoss()
    for x, y in data:
        optimizer.zero_grad()
        with torch.autocast(device_type="cpu", enabled=use_amp):
            out = model(x)
            loss = criterion(out, y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        record(loss)


def main():
    model = Net()
    start(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train(model, [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3))], optimizer)
    finish(model)

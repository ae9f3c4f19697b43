"""GradScaler that is disabled, and one that is enabled on the CPU."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def train(enabled):
    model = Net()
    start(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    scaler = torch.amp.GradScaler("cpu", enabled=enabled, init_scale=1024.0, growth_interval=3)
    for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3)):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(torch.from_numpy(x)), torch.from_numpy(y))
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        record(loss, norm, scaler.get_scale())
    finish(model)


def main():
    train(False)
    train(True)

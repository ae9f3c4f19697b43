"""Gradient accumulation whose last group is incomplete."""

import torch
from nets import Net
from shared import arrays, finish, record, start
from torch import nn


def train(model, loader, optimizer, criterion, accumulation_steps=3):
    model.train()
    running = 0.0
    optimizer.zero_grad(set_to_none=True)
    for step, (x, y) in enumerate(loader):
        logits = model(x)
        loss = criterion(logits, y)
        (loss / accumulation_steps).backward()
        running += loss.detach().item()
        if (step + 1) % accumulation_steps == 0 or (step + 1) == len(loader):
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.7)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        record(loss)
    return running / len(loader)


def main():
    model = Net()
    start(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    loader = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3))]
    for _ in range(2):
        record(train(model, loader, optimizer, nn.CrossEntropyLoss()))
    finish(model)

"""Freezing in mid-training, the stale gradients and the momentum; then a new optimizer over what is trainable."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def set_trainable(module, flag):
    for p in module.parameters():
        p.requires_grad = flag


def main():
    model = Net()
    start(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=0.01)
    for epoch, (x, y) in enumerate(zip(arrays(10, 5, 6), arrays(10, 5, classes=3))):
        if epoch == 3:
            set_trainable(model.first, False)
        if epoch == 6:
            set_trainable(model.first, True)
            set_trainable(model.second, False)
            optimizer = torch.optim.AdamW(filter(lambda p: p.requires_grad, model.parameters()), lr=0.02)
        loss = F.cross_entropy(model(torch.from_numpy(x)), torch.from_numpy(y))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        record(loss, sum(p.numel() for p in model.parameters() if p.requires_grad))
    finish(model)

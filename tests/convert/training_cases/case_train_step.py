"""One step in a function of its own, the loop elsewhere."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def train_step(model, optimizer, x, y, weight=0.1):
    optimizer.zero_grad()
    out = model(x)
    data = F.cross_entropy(out, y)
    penalty = weight * sum(p.pow(2).sum() for p in model.parameters())
    loss = data + penalty
    loss.backward()
    optimizer.step()
    return loss.item(), data.item()


def main():
    model = Net()
    start(model)
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
    for x, y in zip(arrays(10, 5, 6), arrays(10, 5, classes=3)):
        record(*train_step(model, optimizer, torch.from_numpy(x), torch.from_numpy(y)))
    finish(model)

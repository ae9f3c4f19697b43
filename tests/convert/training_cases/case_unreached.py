"""Parameters that a loss was not computed from keep their weights: read without gradients, detached, on some branches only."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start
from torch import nn


class Parts(nn.Module):
    def __init__(self, way):
        super().__init__()
        self.way = way
        self.body = nn.Linear(6, 6)
        self.head = nn.Linear(6, 3)
        self.aux = nn.Linear(6, 3)

    def forward(self, x, step=0):
        if self.way == "no_grad":
            with torch.no_grad():
                h = self.body(x)
        elif self.way == "detached":
            h = self.body(x).detach()
        else:
            h = torch.tanh(self.body(x))
        if self.way == "branches" and step % 3 == 1:
            return self.head(h), None
        return self.head(h), self.aux(h)


def train(model, optimizer):
    for step, (x, y) in enumerate(zip(arrays(6, 5, 6), arrays(6, 5, classes=3))):
        out, aux = model(torch.from_numpy(x), step)
        loss = F.cross_entropy(out, torch.from_numpy(y))
        if model.way in ("branches", "zero") and aux is not None:
            loss = loss + aux.pow(2).mean() * (0.0 if model.way == "zero" and step > 2 else 0.3)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        record(loss)


def main():
    for way in ("no_grad", "detached", "branches", "unused", "zero"):
        model = Parts(way)
        start(model)
        if way in ("no_grad", "unused"):
            optimizer = torch.optim.AdamW(model.parameters(), lr=0.02, weight_decay=0.2)
        else:
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=0.1)
        train(model, optimizer)
        finish(model)
    plain = Net()
    start(plain)
    optimizer = torch.optim.AdamW(plain.parameters(), lr=0.02)
    for x in arrays(5, 5, 6):
        optimizer.zero_grad()
        loss = plain(torch.from_numpy(x)).pow(2).mean()
        loss.backward()
        optimizer.step()
        record(loss)
    finish(plain)

"""An error in the forward pass is caught by a caller of the function that trains, or by another caller of that, and training goes on."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


class BadBatch(Exception):
    pass


class Checked(Net):
    def forward(self, x):
        out = super().forward(x)
        if bool((x > 2.2).any()):
            raise BadBatch("too large")
        return out


def step(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss


class Runner:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.skipped = 0

    def one(self, x, y):
        return step(self.model, self.optimizer, x, y)

    def all(self, batches):
        for x, y in batches:
            try:
                record(self.one(x, y))
            except BadBatch:
                self.skipped += 1


def main():
    model = Checked()
    start(model)
    runner = Runner(model, torch.optim.Adam(model.parameters(), lr=0.05))
    runner.all([(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(12, 5, 6), arrays(12, 5, classes=3))])
    assert 0 < runner.skipped < 7
    record(runner.skipped)
    finish(model)

"""A gradient that the script holds under a name sees what is done to it, and what later steps add."""

import torch
from nets import Net
from shared import arrays, finish, record, start


class Steps:
    def __init__(self):
        self.model = Net()
        start(self.model)

    def forward(self, x):
        self.loss = self.model(x).pow(2).mean()

    def backward(self):
        self.loss.backward()


def main():
    steps = Steps()
    weight = steps.model.first.weight
    held = None
    for i, x in enumerate(arrays(5, 5, 6)):
        steps.forward(torch.from_numpy(x))
        steps.backward()
        if held is None:
            held = weight.grad
        record(held.sum())
        if i % 2:
            weight.grad.data.zero_()
            record(held.sum(), weight.grad.clone().sum())
        with torch.no_grad():
            for p in steps.model.parameters():
                p -= 0.1 * p.grad
    record(held.abs().sum())
    finish(steps.model)

"""A submodule that the forward pass never uses keeps its weights, whatever decay and momentum do to the others."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start
from torch import nn


class WithSpare(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()
        self.spare = nn.Linear(3, 2)

    def forward(self, x):
        return self.net(x)


def main():
    model = WithSpare()
    start(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=0.1)
    for x, y in zip(arrays(6, 5, 6), arrays(6, 5, classes=3)):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(torch.from_numpy(x)), torch.from_numpy(y))
        loss.backward()
        optimizer.step()
        record(loss)
    finish(model)

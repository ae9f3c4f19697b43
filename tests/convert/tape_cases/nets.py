"""Small models that several scripts train."""

import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, inputs=6, hidden=8, classes=3):
        super().__init__()
        self.first = nn.Linear(inputs, hidden)
        self.second = nn.Linear(hidden, classes)

    def forward(self, x):
        return self.second(F.relu(self.first(x)))


class Block(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.lin = nn.Linear(inputs, 12, bias=False)
        self.bn = nn.BatchNorm1d(12)
        self.out = nn.Linear(12, outputs)

    def forward(self, x):
        return self.out(F.leaky_relu(self.bn(self.lin(x)), 0.2))

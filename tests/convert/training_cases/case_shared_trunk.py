"""Two losses with an optimizer each over one trunk."""

import torch
import torch.nn.functional as F
from shared import arrays, finish, record, start
from torch import nn


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(6, 8)
        self.a = nn.Linear(8, 3)
        self.b = nn.Linear(8, 1)

    def forward(self, x):
        h = torch.tanh(self.trunk(x))
        return self.a(h), self.b(h).squeeze(-1)


def main():
    net = Shared()
    start(net)
    opt_a = torch.optim.SGD([*net.trunk.parameters(), *net.a.parameters()], lr=0.1, momentum=0.9)
    opt_b = torch.optim.Adam(net.b.parameters(), lr=0.01, weight_decay=0.1)
    for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3)):
        x, y = torch.from_numpy(x), torch.from_numpy(y)
        opt_a.zero_grad()
        opt_b.zero_grad()
        logits, value = net(x)
        loss_a = F.cross_entropy(logits, y)
        loss_b = F.mse_loss(value, y.float())
        loss_a.backward(retain_graph=True)
        loss_b.backward()
        opt_a.step()
        opt_b.step()
        record(loss_a, loss_b)
    finish(net)

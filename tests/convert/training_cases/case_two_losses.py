"""Two networks trained side by side."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def main():
    first, second = Net(), Net(6, 5, 3)
    start(first)
    start(second, 1)
    opt1 = torch.optim.SGD(first.parameters(), lr=0.1)
    opt2 = torch.optim.Adam(second.parameters(), lr=0.01)
    for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3)):
        x, y = torch.from_numpy(x), torch.from_numpy(y)
        a, b = first(x), second(x)
        loss_a = F.cross_entropy(a, y)
        loss_b = F.cross_entropy(b, y) + F.mse_loss(b, a.detach())
        opt1.zero_grad()
        opt2.zero_grad()
        loss_a.backward()
        loss_b.backward()
        opt1.step()
        opt2.step()
        record(loss_a, loss_b)
    finish(first, second)

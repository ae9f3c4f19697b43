"""A loop over time is part of the forward pass; the hidden state goes on detached."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def main():
    cell, head = Net(7, 8, 4), Net(4, 5, 3)
    start(cell)
    start(head, 1)
    optimizer = torch.optim.SGD([{"params": cell.parameters()}, {"params": head.parameters(), "lr": 0.05}], lr=0.02)
    h = torch.zeros(5, 4)
    for xs, ys in zip(arrays(6, 4, 5, 3), arrays(6, 4, 5, classes=3)):
        xs, ys = torch.from_numpy(xs), torch.from_numpy(ys)
        optimizer.zero_grad()
        h = h.detach()
        loss = 0
        for t in range(4):
            h = torch.tanh(cell(torch.cat([xs[t], h], dim=1)))
            loss = loss + F.cross_entropy(head(h), ys[t])
        loss.backward()
        optimizer.step()
        record(loss, h.sum())
    finish(cell, head)

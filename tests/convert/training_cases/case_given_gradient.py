"""Backward is given the gradient of what it starts from."""

import torch
from nets import Net
from shared import arrays, finish, record, start


def main():
    model = Net()
    start(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for x, g in zip(arrays(6, 5, 6), arrays(6, 5, 3, seed=9)):
        out = model(torch.from_numpy(x))
        optimizer.zero_grad()
        out.backward(gradient=torch.from_numpy(g))
        optimizer.step()
        record(out.sum())
    finish(model)

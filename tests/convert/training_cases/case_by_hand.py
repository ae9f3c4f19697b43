"""Tensors that are no parameters, optimized by a torch optimizer."""

import torch
from nets import Net
from shared import arrays, finish, record, start


def main():
    model = Net(6, 8, 2)
    start(model)
    image = torch.from_numpy(arrays(1, 1, 6)[0]).clone().requires_grad_(True)
    optimizer = torch.optim.SGD([image], lr=0.5, momentum=0.5)
    for step in range(8):
        optimizer.zero_grad()
        loss = (model(image) - 1.0).pow(2).sum()
        loss.backward()
        optimizer.step()
        record(loss, image.sum(), image.grad.abs().sum())
    finish(model)

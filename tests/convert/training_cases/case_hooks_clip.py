"""Gradient clipping by hooks on parameters; a hook on an activation."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def main():
    model = Net()
    start(model)
    handles = [p.register_hook(lambda grad: torch.clamp(grad, -0.1, 0.1)) for p in model.parameters()]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    for i, (x, y) in enumerate(zip(arrays(8, 5, 6), arrays(8, 5, classes=3))):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(torch.from_numpy(x)), torch.from_numpy(y))
        loss.backward()
        optimizer.step()
        record(loss, model.first.weight.grad.abs().max())
        if i == 4:
            for handle in handles:
                handle.remove()
    finish(model)

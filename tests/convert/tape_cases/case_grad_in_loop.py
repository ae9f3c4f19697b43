"""torch.autograd.grad in the loop: gradients used by hand, updates without an optimizer."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def main():
    model = Net()
    start(model)
    lr = 0.2
    velocity = [torch.zeros_like(p) for p in model.parameters()]
    for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3)):
        loss = F.cross_entropy(model(torch.from_numpy(x)), torch.from_numpy(y))
        grads = torch.autograd.grad(loss, model.parameters())
        with torch.no_grad():
            for p, g, v in zip(model.parameters(), grads, velocity):
                v.mul_(0.9).add_(g)
                p.sub_(lr * v)
        record(loss, sum(g.pow(2).sum() for g in grads).sqrt())
    finish(model)

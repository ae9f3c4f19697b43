"""param.grad edited by hand: noise-free scaling, sign, mask, centralising, adding decay; clipping by value; norms logged."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def main():
    model = Net()
    start(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    mask = torch.ones(8, 6)
    mask[::2] = 0
    for i, (x, y) in enumerate(zip(arrays(8, 5, 6), arrays(8, 5, classes=3))):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(torch.from_numpy(x)), torch.from_numpy(y))
        loss.backward()
        with torch.no_grad():
            model.first.weight.grad.mul_(mask)
            model.second.weight.grad -= model.second.weight.grad.mean(dim=1, keepdim=True)
            for name, p in model.named_parameters():
                if p.grad is None:
                    continue
                if name.endswith("bias"):
                    p.grad = p.grad.sign() * 0.01
                else:
                    p.grad.add_(p, alpha=0.01)
        torch.nn.utils.clip_grad_value_(model.parameters(), clip_value=0.2)
        total = 0.0
        for p in model.parameters():
            total += p.grad.data.norm(2).item() ** 2
        optimizer.step()
        record(loss, total ** 0.5)
        if i == 4:
            model.second.bias.grad.zero_()
            model.first.bias.grad = None
            optimizer.step()
    finish(model)

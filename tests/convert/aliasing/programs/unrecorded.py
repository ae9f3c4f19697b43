"""Changes through views and detached tensors that no gradient records: the tensor behind them changes."""

import torch
import torch.nn as nn


class Filled(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Conv2d(1, 4, 2)
        w = self.proj.weight.data
        nn.init.constant_(w.view([w.shape[0], -1]), 2.0)
        b = self.proj.bias.data
        b.fill_(3.0)
        nn.init.ones_(self.proj.weight.data.view(4, -1)[:2])
        nn.init.eye_(self.proj.weight.view(4, -1))
        self.proj.weight.data.view(4, -1).mul_(2)
        self.proj.bias.data.view(2, 2).add_(torch.eye(2))

    def forward(self, x: torch.Tensor):
        return self.proj(x.view(1, 1, *x.shape))


def filled(a: torch.Tensor, b: torch.Tensor):
    net = Filled()
    return net(a @ b.t()), net.proj.weight, net.proj.bias


def transposed_parameter(a: torch.Tensor, b: torch.Tensor):
    m = nn.Linear(3, 2)
    nn.init.zeros_(m.weight)
    nn.init.zeros_(m.bias)
    nn.init.constant_(m.weight.t()[1], 0.5)
    nn.init.eye_(m.weight.t()[:2])
    return m(a), m.weight


def detached_name(a: torch.Tensor, b: torch.Tensor):
    x = a * b
    d = x.detach()
    d.add_(1)
    return x * a, d


def detached_view(a: torch.Tensor, b: torch.Tensor):
    x = a * b
    flat = x.detach().view(-1)
    flat.mul_(0.5)
    return x, flat


def detached_row(a: torch.Tensor, b: torch.Tensor):
    x = a * b
    row = x.data[0]
    row.clamp_(max=0.0)
    return x.sum(), row


def detached_and_used(a: torch.Tensor, b: torch.Tensor):
    x = a * b
    d = x.detach()
    y = d.mul_(2) * b
    return x, y


def view_in_no_grad(a: torch.Tensor, b: torch.Tensor):
    x = torch.zeros(2, 3)
    columns = x.t()
    with torch.no_grad():
        columns.add_(1.5)
        columns[0].mul_(2)
    return x + a, columns


def augmented_in_no_grad(a: torch.Tensor, b: torch.Tensor):
    m = nn.Linear(3, 2)
    nn.init.ones_(m.weight)
    nn.init.ones_(m.bias)
    flat = m.weight.view(-1)
    with torch.no_grad():
        flat += 1
        flat[2:].zero_()
    return m(a), m.weight


@torch.no_grad()
def _halve(m: nn.Linear):
    kernel = m.weight.view(-1)
    kernel.mul_(0.5)


def halved(a: torch.Tensor, b: torch.Tensor):
    m = nn.Linear(3, 2)
    nn.init.constant_(m.weight, 4.0)
    nn.init.zeros_(m.bias)
    _halve(m)
    return m(a), m.weight


def reshaped_copy(a: torch.Tensor, b: torch.Tensor):
    x = a * b
    with torch.no_grad():
        flat = x.t().reshape(-1)  # a copy: x stays
        flat.add_(1)
    return x, flat


def data_of_each(a: torch.Tensor, b: torch.Tensor):
    m = nn.Linear(3, 2)
    for p in m.parameters():
        d = p.data
        d.fill_(0.25)
        d.view(-1)[0] = 1.0
    return m(a), m.weight


def _clamp(tensors, low: float):
    for t in tensors:
        t.data.clamp_(min=low)


def clamped(a: torch.Tensor, b: torch.Tensor):
    m = nn.Linear(3, 2)
    nn.init.constant_(m.weight, -4.0)
    nn.init.ones_(m.bias)
    _clamp(m.parameters(), -0.5)
    x = a * b
    _clamp(x, 0.0)
    return m(a), x


def rows_in_no_grad(a: torch.Tensor, b: torch.Tensor):
    x = a * 1
    first, second = x.split(1)
    with torch.no_grad():
        for row in x:
            row.mul_(2)
        first.add_(1)
        second[0, 1] = 5.0
        for part in x.chunk(3, 1):
            part[0] -= 1
    return x, first, second


def stepped(a: torch.Tensor, b: torch.Tensor):
    x = a * 1
    every = x[:, ::2]
    flat = x.flatten(1)
    with torch.no_grad():
        every.add_(1)
        flat.mul_(2)
    return x, every, flat


def masked_part(a: torch.Tensor, b: torch.Tensor):
    x = a * 1
    d = x.detach()
    with torch.no_grad():
        d[d > 0] = 9.0
    return x, d


def gathered_part(a: torch.Tensor, b: torch.Tensor):
    x = a * 1
    part = x[[1, 0]]
    with torch.no_grad():
        part.add_(1)
    return x, part


def masked_in_no_grad(a: torch.Tensor, b: torch.Tensor):
    x, y = a * 1, b * 1
    with torch.no_grad():
        x[x > 1] = 0.5
        y[:, [0, 2]] = 2.0
    return x, y


def masked_data(a: torch.Tensor, b: torch.Tensor):
    x = a * 1
    x.data[x < 1] = 0.5
    return x


def replaced_in_no_grad(a: torch.Tensor, b: torch.Tensor):
    x, y = a * 1, b * 1
    with torch.no_grad():
        x += 1
        torch.mul(y, 2, out=y)
    return x, y

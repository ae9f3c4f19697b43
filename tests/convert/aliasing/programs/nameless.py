"""Changes of views that have no name: the tensor takes them as a whole."""

import torch


def projected(a: torch.Tensor, b: torch.Tensor):
    proj = torch.zeros(b.shape)
    n, m = b.shape
    places = (torch.arange(n * m).flip(0) % 3).view(n, m)
    proj.view(-1).index_add_(0, places.view(-1), b.reshape(-1))
    proj.view(-1).index_add_(0, (places + 1).view(-1), (b * 2).view(-1))
    return proj


def seen_by_another_name(a: torch.Tensor, b: torch.Tensor):
    x = b.clone()
    y = x
    x.view(-1).add_(2).mul_(3)
    x.view(2, -1).clamp_(max=9)
    x.view(-1).masked_fill_(x.view(-1) > 5, -1.0)
    return x, y


def between_two_reads(a: torch.Tensor, b: torch.Tensor):
    h = a * b
    g = h * 1
    h.view(-1).sub_(h.mean())
    h.unsqueeze(0).mul_(2)
    return h, g


class Memory:
    def __init__(self):
        self.cells = torch.zeros(2, 3)

    def put(self, places, values):
        self.cells.view(-1).scatter_(0, places, values)
        return self.cells


def kept_in_an_attribute(a: torch.Tensor, b: torch.Tensor):
    memory = Memory()
    cells = memory.put(torch.tensor([1, 4]), torch.tensor([5.0, 6.0]))
    memory.put(torch.tensor([0, 4]), torch.tensor([7.0, 8.0]))
    return memory.cells, cells


def with_a_gradient(a: torch.Tensor, b: torch.Tensor):
    w = b.clone().requires_grad_()
    h = w * 2
    h.view(-1).index_add_(0, torch.tensor([0, 2, 2]), w.sum() * torch.ones(3))
    (h * h).sum().backward()
    return h.detach(), w.grad


def made_in_one_expression(a: torch.Tensor, b: torch.Tensor):
    x = torch.arange(6.0).view(2, 3)
    column = x[:, 1]
    column[0] = -1
    turned = x.transpose(0, 1)
    turned[2, 0:1] += 100
    flat = x.view(6)
    flat[[0, 5]] = 0
    return x, column, turned, flat

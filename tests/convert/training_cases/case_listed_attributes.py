"""Tensors of a module that are no parameters of it, in a list that an optimizer gets elsewhere (architecture search)."""
import torch
import torch.nn.functional as F
from shared import arrays, finish, record, start
from torch import nn
from torch.autograd import Variable


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(5, 3), nn.Linear(5, 3)
        self._initialize_alphas()

    def _initialize_alphas(self):
        self.alphas = Variable(0.1 * torch.ones(2), requires_grad=True)
        bias = torch.zeros(3).add_(0.5)
        self.shift = Variable(bias, requires_grad=True)
        self._arch_parameters = [self.alphas, self.shift]

    def arch_parameters(self):
        return self._arch_parameters

    def forward(self, x):
        weights = F.softmax(self.alphas, dim=-1)
        return weights[0] * self.one(x) + weights[1] * torch.tanh(self.two(x)) + self.shift


class Architect:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(self.model.arch_parameters(), lr=0.05, betas=(0.5, 0.999), weight_decay=1e-3)

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss


def main():
    model = Mixed()
    start(model)
    architect = Architect(model)
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    for x, y in [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(8, 6, 5), arrays(8, 6, classes=3))]:
        first = architect.step(x, y)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        record(first, loss, model.alphas.sum(), model.shift.sum())
    assert len(list(model.parameters())) == 4
    finish(model)

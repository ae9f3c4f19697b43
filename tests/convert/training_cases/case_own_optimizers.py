"""Optimizers of one's own: in-place updates of parameters and state in every usual form, and one that wraps another."""
from collections import defaultdict

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start
from torch.optim import Optimizer


class Adam3(Optimizer):
    def __init__(self, params, lr=1e-2, betas=(0.9, 0.99), weight_decay=1e-2):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["m"], state["v"] = torch.zeros_like(p), torch.zeros_like(p.data)
                state["step"] += 1
                p.mul_(1 - group["lr"] * group["weight_decay"])
                state["m"].mul_(beta1).add_(p.grad, alpha=1 - beta1)
                v = state["v"]
                v.mul_(beta2).addcmul_(p.grad, p.grad, value=1 - beta2)
                denominator = (v / (1 - beta2 ** state["step"])).sqrt().add_(1e-8)
                p.data.addcdiv_(state["m"] / (1 - beta1 ** state["step"]), denominator, value=-group["lr"])


class Lion(Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    def step(self, closure=None):
        for group in self.param_groups:
            for p in filter(lambda p: p.grad is not None, group["params"]):
                state = self.state[p]
                if "average" not in state:
                    state["average"] = torch.zeros_like(p.data)
                average = state["average"]
                update = average.clone().mul_(0.9).add(p.grad.data, alpha=0.1)
                p.data -= group["lr"] * update / (update.abs() + 1e-3)
                average.mul_(0.99).add_(p.grad.data, alpha=0.01)


class Lookahead(Optimizer):
    def __init__(self, optimizer, k=2, alpha=0.5):
        self.optimizer, self.k, self.alpha = optimizer, k, alpha
        self.param_groups = optimizer.param_groups
        self.state = defaultdict(dict)
        self.count = 0

    def step(self, closure=None):
        loss = self.optimizer.step(closure)
        self.count += 1
        for group in self.param_groups:
            for fast in group["params"]:
                state = self.state[fast]
                if "slow" not in state:
                    state["slow"] = fast.data.clone()
                if self.count % self.k == 0:
                    slow = state["slow"]
                    slow += (fast.data - slow) * self.alpha
                    fast.data.copy_(slow)
        return loss

    def zero_grad(self):
        self.optimizer.zero_grad()


def main():
    model = Net()
    start(model)
    parameters = list(model.parameters())
    optimizers = [Adam3(parameters[:2]), Lookahead(Lion(parameters[2:], 1e-2))]
    for x, y in [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(10, 5, 6), arrays(10, 5, classes=3))]:
        for optimizer in optimizers:
            optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()
        record(loss)
    finish(model)

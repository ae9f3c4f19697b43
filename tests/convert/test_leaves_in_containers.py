"""Tensors that want their gradient and come to an optimizer by dictionaries, pairs and functions of the project's own: no list names them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import printed_by_both  # noqa: E402

TRAINED = """
for _ in range(5):
    loss = sum((p ** 2).sum() * (i + 1) for i, p in enumerate(params.values()))
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(params.values(), 2.0)
    opt.step()
    print(loss.item())
print([p.tolist() for p in params.values()], [p.grad.tolist() for p in params.values()])
opt.load_state_dict(opt.state_dict())
(params["a"].sum() * params["b"].sum()).backward()
opt.step()
print([p.tolist() for p in params.values()])
"""
PROGRAMS = {
    "a dictionary that grows": f"""
import torch

params = {{}}
for name, n in zip("ab", (2, 3)):
    params[name] = torch.full((n,), 0.5 + n, requires_grad=True)
opt = torch.optim.SGD(list(params.values()), lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.01)
{TRAINED}
""",
    "a store that makes them": f"""
import torch


class Store:
    def __init__(self):
        self.held = {{}}

    def param(self, name, init):
        if name not in self.held:
            u = torch.as_tensor(init, dtype=torch.float32).detach().clone()
            u.requires_grad_()
            self.held[name] = u
        return self.held[name]


store = Store()
store.param("a", [1.0, 2.0]), store.param("b", 0.5)
params = store.held
opt = torch.optim.Adam([{{"params": [params["a"]], "lr": 0.01}}, {{"params": params["b"]}}], lr=0.05, amsgrad=True)
{TRAINED}
""",
    "pairs, and an optimizer of one's own": """
import torch


class Signs(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if not state:
                    state["m"] = torch.zeros_like(p)
                state["m"].mul_(0.5).add_(p.grad, alpha=0.5)
                p.add_(state["m"].tanh(), alpha=-group["lr"])


def layers(sizes):
    out = []
    for a, b in zip(sizes, sizes[1:]):
        w = torch.full((a, b), 0.1)
        w.requires_grad = True
        out.append((w, torch.zeros(b).requires_grad_(True)))
    return out


pairs = layers([2, 3, 1])
opt = Signs([p for pair in pairs for p in pair], lr=0.05)
for _ in range(4):
    h = torch.ones(4, 2)
    for w, b in pairs:
        h = torch.tanh(h @ w + b)
    loss = (h - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print([(w.sum().item(), b.tolist()) for w, b in pairs])
""",
    "what is computed is no leaf": """
import torch

params = {"a": torch.full((2,), 1.5, requires_grad=True)}
try:
    torch.optim.SGD([params["a"] * 2], lr=0.1)
except ValueError as error:
    print(1, error)
opt = torch.optim.LBFGS(params.values(), lr=0.5, max_iter=3)


def closure():
    opt.zero_grad()
    loss = ((params["a"] - 3) ** 2).sum()
    loss.backward()
    return loss


print(opt.step(closure).item(), params["a"].tolist())
""",
}


@pytest.mark.parametrize("case", PROGRAMS)
def test_the_leaves_are_trained(case: str, tmp_path: Path) -> None:
    expected, found = printed_by_both(tmp_path, PROGRAMS[case])
    numbers = re.compile(r"-?\d+\.\d+(?:e-?\d+)?|-?\d+(?:e-?\d+)?")
    assert numbers.sub("#", found) == numbers.sub("#", expected)
    assert np.allclose([float(n) for n in numbers.findall(found)], [float(n) for n in numbers.findall(expected)], rtol=2e-5, atol=2e-6)

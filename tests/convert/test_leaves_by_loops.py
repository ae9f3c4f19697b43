"""``for p in params: p.requires_grad_()`` of tensors: the loop's name alone became the leaf, so that the gradients belonged to the last one and backward raised."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

START = """import torch

x = torch.tensor([[1.0, 2.0], [0.5, -1.0]])


def shown(*tensors):
    print([round(v, 4) for t in tensors for v in t.detach().flatten().tolist()])


"""
RAW = """w, b = torch.full((2, 3), 0.5), torch.zeros(3)
params = {display}
for p in params:
    p.{asked}
for _ in range(3):
    h = x @ w + b
    loss = (h ** 2).mean() + 0.1 * sum((q ** 2).sum() for q in params)
    loss.backward()
    with torch.no_grad():
        for q in params:
            q -= 0.1 * q.grad
            q.grad.zero_()
    shown(loss, w, b, *params)
"""
RETURNED = """def init(n):
    W, b = torch.full((2, n), 0.5), torch.zeros(n)
    params = [W, b]
    for param in params:
        param.requires_grad_(True)
    return params


params = init(3)
opt = torch.optim.SGD(params, lr=0.1)
for _ in range(3):
    W, b = params
    loss = ((x @ W + b) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    shown(loss, *params)
"""
SHOWN = """w, b = torch.full((2, 3), 0.5), torch.zeros(3)
for p in (w, b):
    p.requires_grad_()
loss = ((x @ w + b) ** 2).mean()
loss.backward()
shown(w.grad, b.grad)
"""
PROGRAMS = {
    "list": RAW.format(display="[w, b]", asked="requires_grad = True"), "tuple": RAW.format(display="(w, b)", asked="requires_grad_()"), "returned": RETURNED, "display": SHOWN,
}  # fmt: skip


@pytest.mark.frameworks
@pytest.mark.parametrize("name", list(PROGRAMS))
def test_the_gradients_are_those_of_all(name: str, tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, START + PROGRAMS[name])
    assert [[pytest.approx(v, rel=1e-3, abs=1e-4) for v in json.loads(line)] for line in theirs.splitlines()] == [json.loads(line) for line in ours.splitlines()]


@pytest.mark.parametrize("rest", [
    "a, b = torch.nn.Linear(1, 1), torch.nn.Linear(1, 1)\nfor m in [a, b]:\n    m.requires_grad_(True)\n",
    "a, b = torch.nn.Parameter(torch.ones(1)), torch.nn.Parameter(torch.ones(1))\nboth = [a, b]\nfor p in both:\n    p.requires_grad_(True)\n",
    "a, b = torch.ones(1), torch.ones(1)\nboth = [a, b]\nfor p in both:\n    p.requires_grad_(False)\n",
])  # fmt: skip
def test_other_loops_stay(rest: str, tmp_path: Path) -> None:
    assert "leaf(" not in converted_script(tmp_path, "import torch\n" + rest)

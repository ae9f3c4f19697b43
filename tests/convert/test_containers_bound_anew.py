"""What stands in a dictionary's list is a tensor from some line on: its methods are a tensor's, and parameters' data can be stacked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """
import torch
from torch import nn
from torch.optim import Optimizer


class Together(Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, dict(lr=lr))

    def step(self, closure=None):
        found, grads = {}, {}
        for group in self.param_groups:
            for p in group["params"]:
                if p.shape not in found:
                    found[p.shape], grads[p.shape] = {"at": 0, "data": []}, []
                found[p.shape]["data"].append(p.data)
                grads[p.shape].append(p.grad.data)
        for i in found:
            found[i]["data"] = torch.stack(found[i]["data"], dim=0)
            found[i]["data"].sub_(torch.stack(grads[i], dim=0), alpha=0.1)
        for group in self.param_groups:
            for p in group["params"]:
                at = found[p.shape]["at"]
                p.data = found[p.shape]["data"][at, :]
                found[p.shape]["at"] += 1


net = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
with torch.no_grad():
    for n, p in enumerate(net.parameters()):
        p.copy_(torch.arange(p.numel()).reshape(p.shape).float() * 0.1 / (n + 1))
opt = Together(net.parameters(), 0.1)
for _ in range(3):
    opt.zero_grad()
    loss = (net(torch.ones(2, 3)) ** 2).mean()
    loss.backward()
    opt.step()
    print("%.4f" % loss.item())
w = net[0].weight
print("%.3f" % torch.stack([torch.ones(3, 3), w.data]).sum().item())
"""


@pytest.mark.frameworks
def test_an_optimizer_that_steps_all_of_a_shape_at_once(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs


def test_a_method_that_no_container_has_is_a_tensors(tmp_path: Path) -> None:
    text = "import torch\n\ndef f(shapes):\n    kept = {}\n    for s in shapes:\n        kept[s] = []\n        kept[s].append(torch.ones(s))\n        kept[s].reverse()\n    for s in shapes:\n        kept[s] = torch.cat(kept[s])\n        kept[s].sub_(1)\n    return kept\n"
    made = converted_script(tmp_path, text)
    assert ".sub_(" not in made and "kept[s].append(" in made and "kept[s].reverse()" in made

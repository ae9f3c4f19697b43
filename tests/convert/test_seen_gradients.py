"""Gradients that somebody looks at, clips or adds parameters for away from the statements around a backward pass."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import printed_by_both

pytestmark = pytest.mark.frameworks
HEAD = """
import json
import torch
from torch import nn
import torch.nn.functional as F
from helpers import clip, fill, grow, norms

xs = torch.cos(torch.arange(24.0)).reshape(8, 3)
found = []
"""
HELPERS = """
# ==== helpers.py
import torch
from torch import nn


def fill(net):
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.sin(torch.arange(float(p.numel()))).reshape(p.shape))
    return net


def norms(*nets):
    return [p.grad.norm().item() for net in nets for p in net.parameters() if p.grad is not None]


def clip(net, most):
    nn.utils.clip_grad_norm_(net.parameters(), most)


def grow(optimizer, net):
    optimizer.add_param_group({"params": net.parameters(), "lr": 0.5})
"""
TWO = """
D, G = fill(nn.Linear(3, 1)), fill(nn.Linear(3, 3))
opt_d, opt_g = torch.optim.SGD(D.parameters(), lr=0.1), torch.optim.SGD(G.parameters(), lr=0.1)


def g_step(D, G, optimizer):
    optimizer.zero_grad()
    F.softplus(-D(G(xs))).mean().backward()
    optimizer.step()


for _ in range(2):
    opt_d.zero_grad()
    d_loss = F.softplus(D(G(xs).detach())).mean() + F.softplus(-D(xs)).mean()
    d_loss.backward()
    opt_d.step()
    STEP
    LOOK
BEHIND
print(json.dumps(found))
"""
INLINE = "opt_g.zero_grad()\n    g_loss = F.softplus(-D(G(xs))).mean()\n    g_loss.backward()\n    opt_g.step()"
LOOKS = {
    "a function": (INLINE, "found.append(norms(D, G))", ""),
    "a callback": (INLINE, "for see in (lambda *nets: found.append(norms(*nets)),):\n        see(D)", ""),
    "getattr": (INLINE, "found.append([getattr(p, 'grad').sum().item() for p in D.parameters()])", ""),
    "behind the loop": (INLINE, "", "found.append([p.grad.sum().item() for p in D.parameters()])"),
    "a step with one of the optimizers": ("g_step(D, G, opt_g)", "found.append(norms(D, G))", ""),
}


@pytest.mark.parametrize("name", LOOKS)
def test_what_another_loss_left_is_seen(tmp_path: Path, name: str) -> None:
    """The critic's parameters have the generator's gradient, too, until they are cleared."""
    step, look, behind = LOOKS[name]
    text = HEAD + TWO.replace("STEP", step).replace("LOOK", look).replace("BEHIND", behind) + HELPERS
    theirs, ours = (json.loads(side) for side in printed_by_both(tmp_path, text))
    assert len(theirs) > 0 and all(theirs)
    np.testing.assert_allclose(np.concatenate(ours), np.concatenate(theirs), rtol=2e-5, atol=1e-6)


ONE = """
net, more = fill(nn.Linear(3, 2)), fill(nn.Linear(2, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    opt.zero_grad()
    loss = more(net(xs)).pow(2).mean()
    loss.backward()
    BEFORE
    opt.step()
    AFTER
    found.append([loss.item(), *[p.sum().item() for p in (*net.parameters(), *more.parameters())]])
print(json.dumps(found))
"""
ELSEWHERE = {
    "clipped": ("clip(net, 0.01)", "pass"),
    "norms": ("pass", "found.append(norms(net))"),
    "grown": ("pass", "if step == 0:\n        grow(opt, more)"),
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_another_file_sees_to_gradients(tmp_path: Path, name: str) -> None:
    """A step in the tidy form keeps none: clipping was lost, norms were 0, and new parameters stopped it."""
    before, after = ELSEWHERE[name]
    theirs, ours = printed_by_both(tmp_path, HEAD + ONE.replace("BEFORE", before).replace("AFTER", after) + HELPERS)
    np.testing.assert_allclose(np.concatenate(json.loads(ours)), np.concatenate(json.loads(theirs)), rtol=2e-5, atol=1e-6)

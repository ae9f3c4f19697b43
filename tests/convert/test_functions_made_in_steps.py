"""A function that a step makes, and that reads what the step has computed: the loss goes back through it, wherever it is called."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import printed_by_both

pytestmark = pytest.mark.frameworks
PROGRAM = """
import json
import torch
from torch import nn
from torch.func import jacrev

x = torch.arange(1.0, 4.0) * 0.4
hyper = nn.Linear(3, 3)
with torch.no_grad():
    for p in hyper.parameters():
        p.copy_(torch.sin(torch.arange(float(p.numel()))).reshape(p.shape))
opt = torch.optim.SGD(hyper.parameters(), lr=0.1)
found = []


def twice(g, v):
    return g(g(v))


for _ in range(2):
    opt.zero_grad()
    w = hyper(x)
    MADE
    loss = LOSS
    loss.backward()
    opt.step()
    found.append([loss.item(), *[p.detach().sum().item() for p in hyper.parameters()]])
print(json.dumps(found))
"""
DEFINED = "def f(v):\n        return (w * v).sin()"
BOUND = "f = lambda v: (w * v).sin()"
LOSSES = {
    "called": "f(x).pow(2).sum()",
    "beside another term": "f(x).pow(2).sum() + hyper.bias.pow(2).sum()",
    "handed on": "twice(f, x).sum()",
    "mapped": "sum(map(f, x)).pow(2).sum()",
    "in a display": "sum([f(v).pow(2).sum() for v in x])",
}


@pytest.mark.parametrize("made", [DEFINED, BOUND], ids=["defined", "bound"])
@pytest.mark.parametrize("name", LOSSES)
def test_the_loss_goes_back_through_them(tmp_path: Path, name: str, made: str) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM.replace("MADE", made).replace("LOSS", LOSSES[name]))
    np.testing.assert_allclose(json.loads(ours), json.loads(theirs), rtol=2e-5, atol=1e-6)


def test_a_jacobian_by_what_the_step_has_computed_is_refused(tmp_path: Path) -> None:
    """Compiled for itself it has no gradient by `w`; it was 0, without a word."""
    text = PROGRAM.replace("MADE", DEFINED).replace("LOSS", "jacrev(f)(x).pow(2).sum()")
    text = text.replace("for _ in range(2):", "def step():").replace("    found.append", "    return loss\n\n\ntry:\n    found.append").replace("[loss.item()", "[step().item()")
    theirs, ours = printed_by_both(tmp_path, text.replace("print(json", "except NotImplementedError as error:\n    found.append(str(error))\nprint(json"))
    assert len(json.loads(theirs)[0]) == 3
    assert "reads from around it" in json.loads(ours)[0]

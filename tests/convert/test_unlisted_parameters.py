"""A step in which no optimizer shows whose parameters it trains: all that its loss is computed by has gradients, whoever runs it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

HEAD = """import torch
import torch.nn.functional as F
from torch import nn
from torch.func import vmap


def fill(m, k):
    with torch.no_grad():
        for j, p in enumerate(m.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() + k + j).reshape(p.shape) * 0.5)
    return m


net, other, xs = fill(nn.Linear(3, 2), 0), fill(nn.Linear(3, 2), 1), torch.cos(torch.arange(12.0)).reshape(4, 3)
w = torch.ones(2).requires_grad_()
rows, named, weight = list(net.parameters()), dict(net.named_parameters()), net.weight


class Owner:
    def __init__(self, held):
        self.held = held

    def run(self, x):
        return self.held(x)

    @property
    def out(self):
        return self.held(xs)


owner = Owner(net)


def encode(x):
    return net(x)


def show(name):
    print(name, *[None if p.grad is None else ["%.5f" % v for v in p.grad.flatten().tolist()] for p in (*net.parameters(), *other.parameters())])
    for p in (*net.parameters(), *other.parameters()):
        p.grad = None
"""
STEP = """

def {name}():
    loss = other(xs).mean() + ({loss}).pow(2).mean()
    loss.backward()


{name}()
show("{name}")
print(None if w.grad is None else ["%.5f" % v for v in w.grad.tolist()])
w.grad = None
"""
#: As functions: the parameters have a name where they are read.
NAMED = {
    "by_name": "xs @ net.weight.T", "in_a_lambda": "vmap(lambda x: net.weight @ x)(xs) * w", "from_around": "xs @ weight.T",
    "of_all": "sum(map(lambda p: p.pow(2).sum(), net.parameters()))", "in_a_list": "xs @ rows[0].T + rows[1]", "in_a_dictionary": 'F.linear(xs, named["weight"], named["bias"])',
}  # fmt: skip
#: On the tape: somebody else runs the network.
RUN = {"a_function": "encode(xs)", "a_method": "owner.run(xs)", "a_property": "owner.out", "a_table": '{"n": net}["n"](xs)', "mapped": "torch.stack(list(map(encode, xs)))"}


@pytest.mark.frameworks
@pytest.mark.parametrize("losses", [NAMED, RUN], ids=["named", "run"])
def test_gradients_are_torchs(tmp_path: Path, losses: dict[str, str]) -> None:
    expected, found = printed_by_both(tmp_path, HEAD + "".join(STEP.format(name=name, loss=loss) for name, loss in losses.items()))
    assert expected.count("\n") == 2 * len(losses) and found == expected
    text = (tmp_path / "after" / "program.py").read_text()
    assert len(re.findall(r"value_and_grad\w*\(forward", text)) == (len(losses) if losses is NAMED else 0)


def test_what_is_handed_in_has_a_name(tmp_path: Path) -> None:
    """`loss_of` runs what it is given, and that is named."""
    text = converted_script(tmp_path, HEAD + "\n\ndef loss_of(model, x):\n    return model(x).pow(2).mean()\n\n\ndef step():\n    loss = loss_of(net, xs)\n    loss.backward()\n\n\nstep()\n")
    assert "net.get_parameters()" in text and " backward(" not in text

"""Optimizers that exist on some runs only: the gradients of what they hold are wanted on these runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mindport.convert import convert, write
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both

_HEAD = """import sys
import torch
from torch import nn

gan = len(sys.argv) > 1
torch.manual_seed(0)
model = nn.Linear(3, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.arange(12.).reshape(4, 3)
"""
_MADE = "if gan:\n    extra = nn.Linear(2, 3)\n    second = torch.optim.SGD(extra.parameters(), lr=0.1)\n"
_LOOP = """for epoch in range(2):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    if {0}:
        second.zero_grad()
        loss = loss + extra(model(x)).mean()
    loss.backward()
    optimizer.step()
    if {0}:
        second.step()
"""


def _text(folder: Path, program: str) -> str:
    (folder / "script.py").write_text(program, encoding="utf-8")
    return {path.name: text for path, text in convert(discover(folder)).files.items()}["script.py"]


@pytest.mark.parametrize(("made", "asked", "expected"), [
    (_MADE, "gan", "optimizer.parameters, second.parameters if gan else ())"),
    ("second = None\n" + _MADE, "second is not None", "optimizer.parameters, second.parameters if second is not None else ())"),
    (_MADE.replace("if gan:", "if gan and x.sum() > 0:"), "gan", "backward(loss)"),  # another question: MindSpore's tape
    (_MADE + "gan = not gan\n", "gan", "backward(loss)"),  # another answer
    (_MADE.replace("if gan:\n    ", "").replace("\n    ", "\n"), "gan", "optimizer.parameters, second.parameters)"),
    (_MADE + "else:\n    second = optimizer\n", "gan", "optimizer.parameters, second.parameters)"),
])  # fmt: skip
def test_the_text(tmp_path: Path, made: str, asked: str, expected: str) -> None:
    assert expected in _text(tmp_path, _HEAD + made + _LOOP.format(asked))


def test_in_a_class(tmp_path: Path) -> None:
    program = """import torch
from torch import nn

class Trainer:
    def __init__(self, args):
        self.args = args
        self.net, self.other = nn.Linear(3, 2), nn.Linear(2, 1)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        if args.two:
            self.opt2 = torch.optim.SGD(self.other.parameters(), lr=0.1)

    def step(self, x):
        self.opt.zero_grad()
        if self.args.two:
            self.opt2.zero_grad()
        loss = self.other(self.net(x)).mean()
        loss.backward()
        self.opt.step()
        if self.args.two:
            self.opt2.step()
"""
    assert "backward(loss)" in _text(tmp_path, program)  # `args.two` and `self.args.two` need not be the same


def test_one_that_a_function_around_makes_or_not(tmp_path: Path) -> None:
    program = """import torch
from torch import nn

def build(net, critic):
    main = torch.optim.Adam(net.parameters())
    side = torch.optim.Adam(critic.parameters()) if critic else None

    def step(x):
        loss = net(x).mean()
        main.zero_grad()
        loss.backward()
        main.step()
        if critic is not None:
            side.step()

    return step

build(nn.Linear(2, 2), None)(torch.ones(1, 2))
build(nn.Linear(2, 2), nn.Linear(2, 2))(torch.ones(1, 2))
"""
    assert "main.parameters, side.parameters if side is not None else ())" in _text(tmp_path, program)


@pytest.mark.frameworks
@pytest.mark.parametrize("arguments", [[], ["yes"]])
def test_it_runs_with_and_without(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "script.py").write_text(_HEAD + _MADE + _LOOP.format("gan") + "print('done')\n", encoding="utf-8")
    write(convert(discover(tmp_path / "source")), tmp_path / "out")
    run = subprocess.run([sys.executable, "script.py", *arguments], cwd=tmp_path / "out", capture_output=True, text=True, check=True)
    assert run.stdout.strip().endswith("done")


_GIVEN = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = nn.Linear(2, 1)
        with torch.no_grad():
            self.part.weight.fill_(0.5)
            self.part.bias.fill_(0.1)

    def batch(self, x, optimizer):
        found = {"loss": self.part(x).pow(2).mean()}
        if ASKED:
            optimizer.zero_grad()
            found["loss"].backward()
            optimizer.step()
        return found


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.tensor([[1.0, 2.0]])
for turn in range(2):
    print(*("%.5f" % net.batch(x, given)["loss"].item() for given in (optimizer, None)))
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("asked", ["optimizer is not None", "optimizer"])
def test_one_that_callers_give_or_not(tmp_path: Path, asked: str) -> None:
    torch, mindspore = printed_by_both(tmp_path, _GIVEN.replace("ASKED", asked))
    assert mindspore == torch == "2.56000 0.10240\n0.10240 0.00410\n"

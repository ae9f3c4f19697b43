"""Handles of hooks that a ``with`` or an ExitStack enters: the hook goes where it is left, by an error, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """import contextlib
import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
calls = []


def note(name):
    return lambda *args: calls.append(name)


class Watched:
    def __init__(self, module):
        self.handle = module.register_forward_pre_hook(note("kept"))

    def run(self, x):
        with self.handle as held, net[1].register_forward_hook(note("second")):
            print(held is self.handle)
            return net(x)


x = torch.ones(2, 3)
with net[0].register_forward_hook(note("first")):
    net(x)
net(x)
watched = Watched(net)
watched.run(x)
watched.run(x)
with contextlib.ExitStack() as stack:
    handles = [stack.enter_context(m.register_forward_hook(note(str(i)))) for i, m in enumerate(net)]
    net(x)
net(x)
try:
    with net.register_forward_hook(note("error")):
        raise ValueError
except ValueError:
    net(x)
print(calls, len(handles))
w = torch.ones(2, requires_grad=True)
for step in range(2):
    w.grad = None
    with w.register_hook(lambda g: g * (step + 2)):
        (w * 3).sum().backward()
    print(w.grad.tolist())
    (w * 3).sum().backward()
    print(w.grad.tolist())
"""


@pytest.mark.frameworks
def test_hooks_go_where_the_handle_is_left(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs


def test_what_else_is_entered_keeps_its_text(tmp_path: Path) -> None:
    text = "import contextlib\nfrom torch import nn\n\n\ndef run(m, f, held):\n    handle = m.register_forward_hook(f)\n    with open('x') as x, held:\n        handle.remove()\n"
    assert "entered_handle" not in converted_script(tmp_path, text)

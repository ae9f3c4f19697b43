"""Gradients of what an object, a dictionary or a list holds since another block: the graph behind it is not written down where the gradient is taken.

A function of the input that reads it would have a gradient of zero, silently; MindSpore's tape has the graph.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script, equal_tensors

HEAD = """
import torch


class Holder:
    def each(self, x):
        self.y = x * x
        found = []
        for i in (1, 2):
            z = self.total(i)
            found.append(torch.autograd.grad(z, x, retain_graph=True)[0])
        return found

    def total(self, i):
        return (self.y * i).sum()
"""
ATTRIBUTE = """

def held(x):
    h = Holder()
    h.y = x * x
    found = []
    for i in (1, 2):
        z = (h.y * i).sum()
        found.append(torch.autograd.grad(z, x, retain_graph=True)[0])
    return found
"""
ITEMS = """

def items(x):
    kept, rows, more = {}, [None], []
    kept["y"] = x * x
    rows[0] = x * 2
    more.append(x * 3)
    found = []
    for i in (1, 2):
        z = (kept["y"] * i + rows[0] + more[0]).sum()
        found.append(torch.autograd.grad(z, x, retain_graph=True)[0])
    return found
"""
NESTED = """

def nested(x):
    h = Holder()
    h.y = x * x

    def inner():
        z = (h.y * 3).sum()
        return torch.autograd.grad(z, x)[0]

    return [inner()]
"""


@pytest.mark.frameworks
@pytest.mark.parametrize(("text", "call"), [(ATTRIBUTE, "held"), (ITEMS, "items"), (NESTED, "nested"), ("", "Holder().each")])
def test_both_sides(tmp_path: Path, text: str, call: str) -> None:
    program = f"{HEAD if call != 'items' else 'import torch'}{text}\nx = torch.arange(1.0, 4.0).requires_grad_()\nfound = {call}(x)\n"
    theirs, ours = both_sides(tmp_path, program)
    equal_tensors(theirs.found, ours.found)


def test_what_is_stored_afterwards_is_no_hindrance(tmp_path: Path) -> None:
    text = "import torch\n\n\nclass Net:\n    def run(self, x):\n        z = self.total(x)\n        slope = torch.autograd.grad(z, x)[0]\n        self.y = x * slope\n        return self.y\n\n    def total(self, x):\n        return (x * x).sum()\n\n\nprint(Net().run(torch.ones(3, requires_grad=True)))\n"
    assert "ms.grad(" in converted_script(tmp_path, text)


@pytest.mark.frameworks
def test_an_error_that_is_caught_leaves_the_tape_on(tmp_path: Path) -> None:
    program = f"{HEAD[: HEAD.index('    def each')]}    pass\n" + ATTRIBUTE.replace("retain_graph=True", "retain_graph=False") + """
x = torch.arange(1.0, 4.0).requires_grad_()
try:
    held(x)
    raised = False
except RuntimeError:
    raised = True
h = Holder()
h.y = x * x
found = [torch.autograd.grad((h.y * i).sum(), x, retain_graph=True)[0] for i in (1, 2)]
"""
    theirs, ours = both_sides(tmp_path, program)
    assert theirs.raised and ours.raised
    equal_tensors(theirs.found, ours.found)

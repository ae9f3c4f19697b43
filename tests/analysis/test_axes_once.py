"""How many axes a tensor has, where functions call each other in many ways: each expression is asked once, or an analysis does not end."""

from __future__ import annotations

import ast

import pytest

from mindport.analysis.axes import Axes
from mindport.analysis.links import Links
from mindport.analysis.questions.second_order import behind, taken
from tests.analysis.dynamic_shape.running import subject_of

COUNT = 18
FUNCTIONS = "\n".join(
    f"def step_{n}(x):\n    y = torch.relu(step_{(n + 1) % COUNT}(x))\n    z = torch.relu(step_{(n + 2) % COUNT}(y)) + step_{(n + 5) % COUNT}(y)\n    return torch.relu(y + z)\n\n" for n in range(COUNT)
)
PROGRAM = f"""
import torch


{FUNCTIONS}
x = torch.ones(4, 3, requires_grad=True)
y = step_0(x)
known = torch.relu(torch.relu(x))
(g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
g.pow(2).sum().backward()
"""


def test_each_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    plain = Axes._of

    def counted(self: Axes, *given: object) -> int | None:
        nonlocal asked
        asked += 1
        assert asked < 2000, "asked way by way"
        return plain(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Axes, "_of", counted)
    subject = subject_of(PROGRAM)
    (place,) = taken(subject)
    links = Links(subject)
    axes = Axes(links, behind(links, place))
    made = {node.targets[0].id: node.value for node in place.file.tree.body if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)}
    assert axes.of(place.file, made["y"]) is None  # it hangs on itself
    assert asked > COUNT, "nothing was asked"
    assert axes.of(place.file, made["known"]) == 2

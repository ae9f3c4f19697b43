"""``w = p.data``, then ``w[mask] = v``: MindSpore writes into a copy there, so a function puts it into the memory that the two share."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

HEAD = """import json
import torch
from torch import nn


def filled():
    m = nn.Linear(3, 2)
    with torch.no_grad():
        m.weight.copy_(torch.sin(torch.arange(6.0)).reshape(2, 3))
        m.bias.zero_()
    return m


"""
CHANGES = {
    "a mask": "w = m.weight.data\n    w[w.abs() < 0.5] = 0",
    "what was detached": "w = m.weight.detach()\n    w[w > 0] = 3",
    "index tensors": "w = m.weight.data\n    w[torch.tensor([1, 0]), torch.tensor([0, 2])] = torch.tensor([5.0, 6.0])",
    "lists and slices": "w = m.weight.data\n    w[[1], 1:] = 4",
    "a slice with a step": "w = m.weight.data.view(-1)\n    w[::2] = 0.25",
    "a row": "w = m.weight.data[1]\n    w[w < 0] = 7",
    "where no gradient is recorded": "with torch.no_grad():\n        w = m.weight[0]\n        w[w > 0.5] = 2",
}


@pytest.mark.frameworks
def test_the_change_reaches_the_parameter(tmp_path: Path) -> None:
    functions = "\n\n".join(f"def change_{k}(m):\n    {text}\n    return w" for k, text in enumerate(CHANGES.values()))
    calls = "\n".join(f"m = filled()\nw = change_{k}(m)\nfound.append([m.weight.tolist(), w.tolist()])" for k in range(len(CHANGES)))
    theirs, ours = printed_by_both(tmp_path, f"{HEAD}{functions}\n\n\nfound = []\n{calls}\nprint(json.dumps(found))\n")
    for name, expected, made in zip(CHANGES, json.loads(theirs), json.loads(ours), strict=True):
        assert _flat(made) == pytest.approx(_flat(expected), abs=1e-7), name


@pytest.mark.frameworks
def test_gradients_ignore_it(tmp_path: Path) -> None:
    """What was detached changes beside the output that it is a part of, whose gradient stays."""
    body = """m, x = filled(), torch.tensor([[1.0, -2.0, 3.0], [0.5, 0.1, -1.0]])
h = m(x)
k = h.detach()
k[k > 0] = 0
(h * h).sum().backward()
print(json.dumps([h.tolist(), k.tolist(), m.weight.grad.tolist()]))
"""
    theirs, ours = printed_by_both(tmp_path, HEAD + body)
    assert _flat(json.loads(ours)) == pytest.approx(_flat(json.loads(theirs)), rel=1e-5)


def test_what_is_compiled_is_told(tmp_path: Path) -> None:
    text = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        y = x.detach()\n        y[y > 0] = 0\n        return x + y\n"
    assert "put(" not in converted_script(tmp_path, text)


def _flat(values: list) -> list[float]:  # type: ignore[type-arg]
    return [number for part in values for number in _flat(part)] if isinstance(values, list) else [values]

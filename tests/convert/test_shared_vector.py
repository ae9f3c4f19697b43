"""Parameters that torch makes parts of a vector's memory: told where that shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

HEAD = """import torch
from torch.nn.utils import parameters_to_vector, vector_to_parameters


def search(net, opt, noise):
    theta = parameters_to_vector(net.parameters()).detach().clone()
"""
SHOWN = {
    "changed in place": "    vector_to_parameters(theta, net.parameters())\n    theta += 0.1 * noise\n    return net\n",
    "changed by a method": "    vector_to_parameters(theta, net.parameters())\n    theta.add_(noise)\n    return net\n",
    "an element": "    vector_to_parameters(theta, net.parameters())\n    theta[0] = 1.0\n    return net\n",
    "the next turn": "    for step in range(3):\n        theta.mul_(0.9)\n        vector_to_parameters(theta, net.parameters())\n    return net\n",
    "read behind training": "    vector_to_parameters(theta, net.parameters())\n    opt.step()\n    return (theta - parameters_to_vector(net.parameters())).norm()\n",
}
NOT_SHOWN = {
    "no name": "    vector_to_parameters(theta + noise, net.parameters())\n    theta += noise\n    return net\n",
    "bound anew": "    vector_to_parameters(theta, net.parameters())\n    theta = theta + noise\n    theta += noise\n    return net\n",
    "only read": "    vector_to_parameters(theta, net.parameters())\n    return net, theta.norm()\n",
    "its size": "    vector_to_parameters(theta, net.parameters())\n    opt.step()\n    return theta.numel()\n",
    "a copy": "    vector_to_parameters(theta.clone(), net.parameters())\n    theta += noise\n    return net\n",
}


def told(folder: Path, body: str) -> list[int]:
    """The lines of such findings; what torch does is in its documentation: ``param.data = vec[…].view_as(param).data``."""
    (folder / "program.py").write_text(HEAD + body, encoding="utf-8")
    return [f.span.line for f in convert(discover(folder)).findings if f.code == "MP109" and "memory from here on" in f.message]


@pytest.mark.parametrize("body", SHOWN.values(), ids=list(SHOWN))
def test_it_is_told_where_it_shows(tmp_path: Path, body: str) -> None:
    at = (HEAD + body).splitlines().index(next(line for line in body.splitlines() if "vector_to_parameters(theta" in line)) + 1
    assert told(tmp_path, body) == [at]


@pytest.mark.parametrize("body", NOT_SHOWN.values(), ids=list(NOT_SHOWN))
def test_nothing_is_told_where_it_does_not(tmp_path: Path, body: str) -> None:
    assert told(tmp_path, body) == []

"""Lambdas given to functions that MindSpore compiles: they stand on lines of their own, and the program runs.

In a process of its own: MindSpore's compiler of such functions dies where torch was imported before.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both

PROGRAM = """import json
import torch
from torch.autograd.functional import jacobian
from torch.func import grad, hessian, jacrev, vmap

x = torch.tensor([1., 2.])
per_sample = vmap(grad(lambda w, a: (w * a).sum() ** 2), in_dims=(None, 0))(x, torch.tensor([[1., 0.], [0., 1.]]))
doubled = vmap(lambda t: t * 2)(x)
second = hessian(lambda t: (t ** 3).sum())(x)
both = jacobian(lambda a, b: a * b, (torch.tensor(2.), torch.tensor(5.)))


def powers(k):
    if k:
        return jacrev(lambda t: t ** k)(x)


print(json.dumps([t.tolist() for t in (per_sample, doubled, second, powers(3), *both)]))
"""


@pytest.mark.frameworks
def test_values(tmp_path: Path) -> None:
    sides = [json.loads(printed.strip().splitlines()[-1]) for printed in printed_by_both(tmp_path, PROGRAM)]
    assert sides[0] == sides[1]


def test_a_lambda_that_uses_a_comprehensions_name_stays(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import torch\nfs = [torch.vmap(lambda t: t * k) for k in range(3)]\n", encoding="utf-8")
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["script.py"]
    assert "[ms.vmap(lambda t: t * k) for k in range(3)]" in text


def test_an_assigned_lambda_stays(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import torch\nf = lambda t: t * 2\ny = torch.vmap(f)(torch.ones(2))\n", encoding="utf-8")
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["script.py"]
    assert text.count("lambda") == 1

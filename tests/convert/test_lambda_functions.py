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


HANDED = """import torch
from torch.autograd.functional import jacobian


def newton(residual, x, steps=4):
    for _ in range(steps):
        x = x - torch.linalg.solve(jacobian(residual, x), residual(x))
    return x


def linearised(f, at):
    rows = [jacobian(f, each) for each in at]
    return torch.stack([torch.cat(row, 1) for row in rows])


print([round(t, 5) for t in newton(lambda t: torch.stack([t[0] ** 2 + t[1] - 3, t[0] - t[1] ** 2 + 1]),
                                   torch.tensor([1.0, 1.0])).tolist()])
states = [(torch.tensor([1.0, 0.0]), torch.tensor([0.5])), (torch.tensor([0.2, 1.0]), torch.tensor([0.0]))]
for gain in (1.0, 2.0):
    print(linearised(lambda x, u: torch.stack([x[0] + 0.1 * x[1], x[1] + gain * torch.sin(x[0]) * u[0]]), states).tolist())
"""


@pytest.mark.frameworks
def test_those_that_a_caller_gives(tmp_path: Path) -> None:
    """A function of the project hands them on to what MindSpore compiles."""
    theirs, ours = printed_by_both(tmp_path, HANDED)
    for expected, made in zip(theirs.splitlines(), ours.splitlines(), strict=True):
        assert torch_like(made) == pytest.approx(torch_like(expected), abs=1e-5)


def torch_like(line: str) -> list[float]:
    """The numbers of a printed list."""
    return [float(n) for n in line.replace("[", " ").replace("]", " ").replace(",", " ").split()]


DIFFERENTIATED_AGAIN = """
import torch


def derivatives(loss, f, y):
    f = f.detach().requires_grad_(True)
    g, = torch.autograd.grad(loss(f, y).sum(), f, create_graph=True)
    h, = torch.autograd.grad(g.sum(), f)
    return g.detach(), h.clamp_min(1e-6)


class Booster:
    def __init__(self, loss):
        self.loss = loss

    def fit(self, f, y):
        return derivatives(self.loss, f, y)


f, y = torch.tensor([0.1, 0.5]), torch.tensor([1.0, -1.0])
for name, loss in (("logcosh", lambda f, y: torch.log(torch.cosh(f - y))), ("squared", lambda f, y: (f - y) ** 2 / 2)):
    g, h = Booster(loss).fit(f, y)
    print(name, [round(v, 5) for v in g.tolist()], [round(v, 5) for v in h.tolist()])
print([round(v, 5) for v in derivatives(lambda f, y: (f * y).exp(), f, y)[1].tolist()])
"""


@pytest.mark.frameworks
def test_a_loss_that_is_differentiated_again(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, DIFFERENTIATED_AGAIN)
    assert ours == theirs

"""Jacobians and second derivatives of functions: in float64, inside of what is mapped over a batch, with an auxiliary result."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert, write
from mindport.source.discover import discover
from tests.forks import printed

pytestmark = pytest.mark.frameworks
PROGRAM = """
import functools

import torch
from torch import nn
from torch.autograd import functional
from torch.func import grad, hessian, jacfwd, jacrev, vmap

dtype = torch.DTYPE
w = torch.linspace(-1, 1, 6, dtype=dtype).reshape(2, 3)
x = torch.arange(1, 4, dtype=dtype) * 0.4
xs = torch.arange(6, dtype=dtype).reshape(2, 3) * 0.3 + 0.2
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2)).to(dtype)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.sin(torch.arange(p.numel(), dtype=dtype)).reshape(p.shape))


def f(x):
    return torch.tanh(w @ x) * x[:2]


def g(x):
    return (torch.sin(x) ** 3).sum() * x.norm() + torch.stack([x[0] * x[1], x[2]]).sum() ** 2


def two(a, b):
    return (a * b).sum() * a


def u(x):
    return net(x).sum()


def with_aux(x):
    return f(x), x * 2


def wide(t):
    return torch.sin(t * torch.arange(1, 30, dtype=dtype))


found = [CASES]
"""
SHOWN = """
for one in found:
    print(*one.shape, *one.flatten().tolist())
"""
CASES = {
    "jacobians": "jacrev(f)(x), jacfwd(f)(x), jacrev(net)(x), jacrev(two, argnums=1)(x, x + 1), *jacrev(two, argnums=(0, 1))(x, x + 1), jacfwd(wide)(x[0])",
    "second derivatives": "hessian(g)(x), jacfwd(jacrev(g))(x), jacrev(jacrev(g))(x), jacfwd(jacfwd(g))(x), jacrev(grad(g))(x), hessian(f)(x)",
    "of batches": "vmap(jacrev(f))(xs), vmap(jacfwd(f))(xs), vmap(hessian(g))(xs), vmap(jacfwd(jacrev(u)))(xs)",
    "of autograd.functional": "functional.jacobian(f, x), *functional.jacobian(two, (x, x + 1)), functional.hessian(g, x), functional.hvp(g, x, x)[1]",
    "of dicts": "*jacrev(lambda p: torch.func.functional_call(net, p, (x,)))({k: v.detach() for k, v in net.named_parameters()}).values(), *jacrev(lambda p: p['a'] * p['b'])({'a': x, 'b': x + 1}).values()",
    "of what no rule maps": "jacrev(lambda x: x.prod() * x)(x), jacrev(lambda x: x.max() * x)(x), functional.jacobian(lambda x: x.prod() * x, x), jacfwd(lambda x: x.prod() * x)(x)",
    "with an auxiliary result": "*jacrev(with_aux, has_aux=True)(x), *jacfwd(with_aux, has_aux=True)(x), *jacrev(with_aux, has_aux=True)(xs[1])",
}
#: Made inside of the function that is mapped, of functions that stand there, too.
INSIDE = """
def laplacian(z):
    return hessian(u)(z).diagonal().sum()


def pair(a, t):
    return net(torch.stack([a, t, a * t])).sum()


def shifted(f, z):
    return f(z) + z.sum()


def own(z):
    def scaled(v):
        return net(v).sum() * z.sum()

    return jacfwd(jacrev(scaled))(z)


found = [
    vmap(laplacian)(xs),
    vmap(own)(xs),
    vmap(lambda z: hessian(lambda v: net(v).sum())(z))(xs),
    vmap(lambda z: jacrev(grad(u))(z))(xs),
    vmap(lambda z: jacrev(net)(z))(xs),
    vmap(grad(grad(pair, argnums=0), argnums=1))(xs[:, 0], xs[:, 1]),
    vmap(hessian(pair, argnums=1), (None, 0))(x[0], xs[:, 1]),
    *vmap(lambda z: {"a": z * 2, "b": z.sum()})(xs).values(),
    vmap(functools.partial(shifted, laplacian))(xs),
]
"""


def compared(folder: Path, text: str, dtype: str) -> None:
    """Each side in a process of its own: what is set in MindSpore belongs to one converted project."""
    before, after = folder / "before", folder / "after"
    before.mkdir()
    (before / "program.py").write_text(text.replace("DTYPE", dtype) + SHOWN, encoding="utf-8")
    write(convert(discover(before)), after)
    bits = 1e-5 if dtype == "float32" else 1e-10
    theirs, ours = (printed(framework, place).splitlines() for framework, place in (("torch", before), ("mindspore", after)))
    assert len(theirs) == len(ours) > 3
    for expected, found in zip(theirs, ours, strict=True):
        np.testing.assert_allclose([float(n) for n in found.split()], [float(n) for n in expected.split()], rtol=bits, atol=bits)


#: Losses through them, whose gradients go to the weights.
TRAINED = """
def flat():
    return jacrev(net)(x).pow(2).sum() + hessian(u)(x).pow(2).sum()


def mapped():
    return vmap(lambda z: hessian(lambda v: net(v).sum())(z).diagonal().sum())(xs).pow(2).sum() + vmap(jacrev(net))(xs).sum()


opt = torch.optim.SGD(net.parameters(), lr=0.01)
found = []
for loss in (flat, mapped):
    opt.zero_grad()
    value = loss()
    value.backward()
    found += [value, *(p.grad.clone() for p in list(net.parameters())[:3])]
    opt.step()
"""
#: Functions that read the outer derivative's variable from around them.
AROUND = """
def around(w):
    def f(v):
        return (w * v).sin()

    return jacrev(f)(x).sum() ** 2


def pulled(w):
    def f(v):
        return (w * v).sin().sum()

    return (hessian(f)(x) @ w).sum()


found = [grad(around)(x), jacrev(around)(x), grad(pulled)(x), hessian(around)(x)]
"""


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", CASES)
def test_derivatives_of_functions(tmp_path: Path, name: str, dtype: str) -> None:
    compared(tmp_path, PROGRAM.replace("CASES", CASES[name]), dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_derivatives_that_a_mapped_function_makes(tmp_path: Path, dtype: str) -> None:
    compared(tmp_path, PROGRAM.replace("found = [CASES]\n", INSIDE), dtype)


def test_losses_through_them_have_gradients(tmp_path: Path) -> None:
    compared(tmp_path, PROGRAM.replace("found = [CASES]\n", TRAINED), "float32")


def test_variables_from_around_them_count(tmp_path: Path) -> None:
    compared(tmp_path, PROGRAM.replace("found = [CASES]\n", AROUND), "float64")


def test_what_is_compiled_needs_no_graph_mode(tmp_path: Path) -> None:
    """MP412 says that a second gradient is right under ms.jit alone: these transformations compile what they differentiate twice."""
    text = "import torch\nfrom torch.func import grad, hessian, jacrev\n\n\ndef f(x):\n    return torch.sin(x).sum() * x.norm()\n\n\nx = torch.ones(3)\nprint(hessian(f)(x), jacrev(grad(f))(x), torch.autograd.functional.hessian(f, x))\n"
    (tmp_path / "script.py").write_text(text, encoding="utf-8")
    assert not {finding.code for finding in convert(discover(tmp_path)).findings} & {"MP411", "MP412"}


def test_second_derivatives_by_several_tensors(tmp_path: Path) -> None:
    (tmp_path / "before").mkdir()
    (tmp_path / "before" / "program.py").write_text("""import torch
from torch.autograd.functional import hessian, hvp


def cost(x, u):
    return (x ** 2).sum() * u.sum() + torch.sin(u[0]) * x[0, 1] + (u ** 3).sum()


x, u = torch.arange(4.0).reshape(2, 2) / 3, torch.tensor([0.5, -1.0, 2.0])
for row in hessian(cost, (x, u)):
    print([(tuple(block.shape), [round(v, 4) + 0.0 for v in block.flatten().tolist()]) for block in row])
value, products = hvp(cost, (x, u), (torch.ones(2, 2), torch.tensor([1.0, 2.0, 3.0])))
print(round(value.item(), 4), [[round(v, 4) for v in part.flatten().tolist()] for part in products])
blocks = torch.func.hessian(lambda a, k, b: (a * b).sum() ** 2 + k, argnums=(0, 2))(x[0], 3.0, u[:2])
print([[[round(v, 4) + 0.0 for v in block.flatten().tolist()] for block in row] for row in blocks])
""")
    write(convert(discover(tmp_path / "before")), tmp_path / "after")
    assert printed("torch", tmp_path / "before") == printed("mindspore", tmp_path / "after")

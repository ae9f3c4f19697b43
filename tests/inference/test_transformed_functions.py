"""Functions that derivatives and `vmap` are taken of: what they are called with, and what the calls give."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

PROGRAM = """import torch
from torch.autograd.functional import hessian, hvp, jacobian
from torch.func import functional_call, grad, grad_and_value, hessian as hess, jacfwd, jacrev, jvp, vjp, vmap
from torch.utils.checkpoint import checkpoint

x, w = torch.arange(3.0), torch.ones(3)


def f(a, b=None):
    return (a ** 2).sum()


USED
"""


@pytest.mark.parametrize(
    "used",
    [
        "hessian(f, x)", "hessian(func=f, inputs=x)", "hvp(f, x, w)", "hvp(f, (x, w))", "jacobian(f, (x, w))", "grad(f)(x)", "grad(f, argnums=0)(x, w)", "grad_and_value(f)(x)", "jacrev(f)(x)", "jacfwd(f)(x)",
        "hess(f)(x)", "jvp(f, (x,), (w,))", "vjp(f, x)", "vmap(f)(torch.stack([x, w]))", "vmap(grad(f))(torch.stack([x, w]))", "vmap(f, in_dims=(0, None))(torch.stack([x, w]), w)", "checkpoint(f, x, use_reentrant=False)",
    ],
)  # fmt: skip
def test_the_function_is_called_with_tensors(used: str, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM.replace("USED", used))
    conversion = convert(discover(tmp_path))
    assert not [finding for finding in conversion.findings if finding.code == "MP105"]
    assert "return (a ** 2).sum()" in conversion.files[Path("program.py")]


@pytest.mark.parametrize(
    ("used", "known"),
    [
        ("grad(f)(x).sum()", True), ("hess(f)(x).sum()", True), ("jacrev(f)(x).sum()", True), ("hessian(f, x).sum()", True), ("vmap(f)(torch.stack([x, w])).sum()", True), ("grad_and_value(f)(x)[0].sum()", True),
        ("jacrev(lambda v: (v, v))(x)[0].sum()", False),
    ],
)  # fmt: skip
def test_what_it_gives_is_a_tensor_where_that_is_known(used: str, known: bool, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM.replace("USED", used))
    unknown = [finding for finding in convert(discover(tmp_path)).findings if finding.code == "MP105" and ".sum" in finding.message]
    assert not unknown if known else unknown


def test_a_dictionary_stays_one(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("""import torch
from torch.func import grad


def loss(params, x):
    return sum((p * x).sum() for p in params.values())


print(grad(loss)({"a": torch.ones(2)}, torch.ones(2)))
""")
    conversion = convert(discover(tmp_path))
    assert "params.values()" in conversion.files[Path("program.py")] and not [finding for finding in conversion.findings if finding.code == "MP105"]

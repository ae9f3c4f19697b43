"""Functions with a backward pass of their own compute in MindSpore what they compute in torch, first and second order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.convert.both_sides import both_sides, converted_script, printed_by_both

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

PROGRAM = '''
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class Sign(Function):
    @staticmethod
    def forward(ctx, x):
        return x.sign()

    @staticmethod
    def backward(ctx, grad):
        return grad.clamp(-0.5, 0.5)


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(x, weight):
        return x.view_as(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.weight = inputs[1]

    @staticmethod
    def backward(ctx, grad):
        return grad.neg() * ctx.weight, None


class Swish(Function):
    @staticmethod
    def forward(ctx, x, slope):
        ctx.save_for_backward(x)
        ctx.slope = slope
        return x * torch.sigmoid(slope * x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(ctx.slope * x)
        return grad * (s + ctx.slope * x * s * (1 - s)), None


class Affine(Function):
    @staticmethod
    def forward(ctx, x, w, b=None):
        ctx.save_for_backward(x, w)
        ctx.biased = b is not None
        out = x * w
        if b is not None:
            out = out + b
        return out, (out > 0).long()

    @staticmethod
    @once_differentiable
    def backward(ctx, grad, _):
        x, w = ctx.saved_tensors
        gx = gw = gb = None
        if ctx.needs_input_grad[0]:
            gx = grad * w
        if ctx.needs_input_grad[1]:
            gw = grad * x
        if ctx.biased and ctx.needs_input_grad[2]:
            gb = grad * 3
        return gx, gw, gb


sign = Sign.apply


def steps(x):
    return (sign(x) * x * x).sum()


def reversal(x):
    return (Reverse.apply(x * x, 0.5) + x).sum()


def swish(x):
    return (Swish.apply(x, 1.5) * x).sum()


def affine(x):
    out, positive = Affine.apply(x, x + 1, x * 2)
    return (out * positive).sum()


def partly(x):
    out, _ = Affine.apply(torch.ones(3), x)
    return (out * x).sum()
'''


@pytest.mark.parametrize("name", ["steps", "reversal", "swish", "affine", "partly"])
def test_values_and_gradients(tmp_path: Path, name: str) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    data = [-1.5, 0.25, 2.0]
    x = torch.tensor(data, requires_grad=True)
    loss = getattr(torch_side, name)(x)
    (gradient,) = torch.autograd.grad(loss, x)
    value, ours = ms.value_and_grad(getattr(mindspore_side, name))(ms.Tensor(data, ms.float32))
    assert value.asnumpy() == pytest.approx(loss.item(), abs=1e-6)
    assert ours.asnumpy() == pytest.approx(gradient.numpy(), abs=1e-6)


@pytest.mark.parametrize("name", ["reversal", "swish"])
def test_second_gradients(tmp_path: Path, name: str) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    data = [-1.5, 0.25, 2.0]
    x = torch.tensor(data, requires_grad=True)
    (gradient,) = torch.autograd.grad(getattr(torch_side, name)(x), x, create_graph=True)
    (second,) = torch.autograd.grad((gradient * torch.arange(1.0, 4.0)).sum(), x)

    def weighted(value: Any) -> Any:
        return (ms.grad(getattr(mindspore_side, name))(value) * ms.ops.arange(1.0, 4.0)).sum()

    assert ms.grad(weighted)(ms.Tensor(data, ms.float32)).asnumpy() == pytest.approx(second.numpy(), abs=1e-5)


CAST = """import torch
from torch import nn


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, x):
        ctx.save_for_backward(w, x)
        return x @ w.t()

    @staticmethod
    def backward(ctx, g):
        w, x = ctx.saved_tensors
        return g.t() @ x, g @ w


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.eye(2) + 1)

    def forward(self, x):
        return Product.apply(self.w, x)


layer = Layer().double()
z = layer(torch.linspace(-1, 1, 6, dtype=torch.double).view(3, 2))
grad, = torch.autograd.grad(z.sum(), layer.w, retain_graph=True)
z.sum().backward()
print(*[(g.dtype == torch.float64, [round(v, 12) for v in g.flatten().tolist()]) for g in (grad, layer.w.grad)])
"""


@pytest.mark.frameworks
def test_a_parameter_whose_dtype_was_changed_gets_its_gradient_in_it(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, CAST.replace(".double()", ".to(torch.float64)"))
    assert ours == theirs
    assert "Product.apply(self.w * 1, x)" in (tmp_path / "after" / "program.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(("cast", "given"), [(".double()", "self.w * 1"), ('.to("cpu")', "self.w"), (".to(torch.float32)", "self.w")])
def test_what_the_function_is_given(tmp_path: Path, cast: str, given: str) -> None:
    assert f"Product.apply({given}, x)" in converted_script(tmp_path, CAST.replace(".double()", cast))


CONTEXT_NAMES = """
import torch
from torch.autograd import Function


class Scaled(Function):
    @staticmethod
    def forward(ctx, x, name):
        ctx.name = name
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x * len(ctx.name), None


x = torch.tensor([1.0, -2.0], requires_grad=True)
for name in ("a", "bcd"):
    Scaled.apply(x, name).sum().backward()
    print(x.grad.tolist())
(x[:1] * 2).sum().backward()
print(x.grad.tolist())
"""


def test_a_context_keeps_what_the_function_calls_name(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, CONTEXT_NAMES)
    assert ours == theirs

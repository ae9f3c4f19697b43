"""Adafactor and Muon: optimizers for matrices."""

import math

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import layer
from mindport.equivalents.optimizers.optimizer import (
    PLACING,
    Optimizer,
    check_range,
    effective_gradient,
    follow,
    shrink,
    whole,
)


def root_mean_square(value):
    """The root of the mean of squares, as a Python float."""
    return float(ops.sqrt(ops.sum(value * value))) / math.sqrt(value.size)


@layer("torch.optim.Adafactor", drops=PLACING)
class Adafactor(Optimizer):
    """Adam-like steps whose mean squares are kept by row and by column.

    https://docs.pytorch.org/docs/2.13/generated/torch.optim.Adafactor.html
    """

    by_parts = False

    def __init__(
        self, params, lr=1e-2, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0, weight_decay=0.0, *, foreach=None, maximize=False,
    ):  # fmt: skip
        check_range(lr=lr, eps1=eps[0] or 0.0, eps2=eps[1], weight_decay=weight_decay)
        check_range(least=1.0, d=d)
        if beta2_decay > 0:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        super().__init__(params, {
            "lr": lr, "beta2_decay": beta2_decay, "eps": eps, "d": d, "weight_decay": weight_decay, "foreach": foreach,
            "maximize": maximize,
        })  # fmt: skip

    def update(self, group, params, grads):
        """The step is relative to the parameter's size, and clipped by its own root mean square."""
        lr, (eps1, eps2) = float(group["lr"]), group["eps"]
        for p, grad in zip(params, grads):
            if eps1 is None:
                eps1 = float(np.finfo(np.float32).eps) if p.dtype == ms.float32 else float(ops.finfo(p.dtype).eps)
            step = self.advance(p)
            grad = effective_gradient(group, p, grad, decay=False)
            rate = step ** group["beta2_decay"]
            size = max(eps2, root_mean_square(p)) * min(lr, 1 / step**0.5)
            shrink(group, p)
            spread = ops.maximum(self.mean_square(p, grad, rate, eps1), eps1 * eps1)
            change = ops.rsqrt(spread) * grad
            clipped = max(1.0, root_mean_square(change) / group["d"])
            p.copy_(p - change * (size / clipped))

    def mean_square(self, p, grad, rate, eps1):
        """The moving mean of squares: of a matrix the product of its row and column means."""
        if grad.ndim < 2:
            return follow(self.slot(p, "variance"), grad * grad, rate)
        rows = self.slot(p, "row_var", shape=(*p.shape[:-1], 1))
        columns = self.slot(p, "col_var", shape=(*p.shape[:-2], 1, p.shape[-1]))
        follow(rows, ops.mean(grad * grad, -1, keep_dims=True), rate)
        follow(columns, ops.mean(grad * grad, -2, keep_dims=True), rate)
        # A row times a column: every element is one product.
        return rows * columns / ops.maximum(ops.mean(rows, -2, keep_dims=True), eps1)


@layer("torch.optim.Muon")
class Muon(Optimizer):
    """Momentum whose matrix is made nearly orthogonal before it is applied.

    https://docs.pytorch.org/docs/2.13/generated/torch.optim.Muon.html. torch orthogonalises in bfloat16, and so does
    this, product by product. A sum that lies between two of its numbers may round the other way where matrices are
    large: then an update differs by parts in 256 of its size.
    """

    by_parts = False

    def __init__(
        self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True, ns_coefficients=(3.4445, -4.775, 2.0315), eps=1e-7,
        ns_steps=5, adjust_lr_fn=None,
    ):  # fmt: skip
        check_range(lr=lr, momentum=momentum, weight_decay=weight_decay)
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        super().__init__(params, {
            "lr": lr, "weight_decay": weight_decay, "momentum": momentum, "nesterov": nesterov, "ns_coefficients": ns_coefficients,
            "eps": eps, "ns_steps": ns_steps, "adjust_lr_fn": adjust_lr_fn,
        })  # fmt: skip
        for p in self.parameters:
            if p.ndim != 2:
                raise ValueError(f"Muon only supports 2D parameters whereas we found a parameter with size: {p.shape}")

    def update(self, group, params, grads):
        """p -= lr * factor by shape * orthogonal part of the momentum"""
        lr, momentum = float(group["lr"]), group["momentum"]
        for p, grad in zip(params, grads):
            held = self.slot(p, "momentum_buffer")
            velocity = between(held, grad, 1 - momentum)
            held.copy_(velocity)
            ahead = between(grad, velocity, momentum) if group["nesterov"] else velocity
            change = nearly_orthogonal(ahead, group["ns_coefficients"], group["ns_steps"], group["eps"])
            rows, columns = p.shape
            factor = 0.2 * math.sqrt(max(rows, columns)) if group["adjust_lr_fn"] == "match_rms_adamw" else math.sqrt(max(1, rows / columns))
            shrink(group, p)
            p.copy_(p - change.astype(p.dtype) * whole(lr * factor, p) if p.dtype == ms.float64 else p - (change * (lr * factor)).astype(p.dtype))


def between(start, end, weight):
    """A part of the way from start to end, rounded as torch.lerp does: once, and from the nearer end.

    What is rounded to bfloat16 next may fall on the other side of a tie otherwise.
    """
    if start.dtype == ms.float64:
        return start + (end - start) * whole(weight, start) if weight < 0.5 else end - (end - start) * whole(1 - weight, start)
    part = np.float32(weight)
    coefficient, base = (part, start) if weight < 0.5 else (part - np.float32(1), end)
    gap = end - start
    if start.dtype != ms.float32 or ms.get_context("device_target") != "CPU":
        return base + gap * float(coefficient)
    return Tensor((np.float64(coefficient) * gap.asnumpy() + base.asnumpy()).astype(np.float32))


def rounded(value):
    """The nearest bfloat16 numbers, held in float32; of ties the even one."""
    if isinstance(value, Tensor):
        return value.astype(ms.bfloat16).astype(ms.float32)
    bits = np.ascontiguousarray(value, np.float32).view(np.uint32)
    even = (bits + 0x7FFF + (bits >> 16 & 1)) & np.uint32(0xFFFF0000)
    return np.where(np.isfinite(value), even.astype(np.uint32).view(np.float32), value)


def product(one, two):
    """The matrix product in float32; on the host its sums are exact."""
    if isinstance(one, Tensor):
        return ops.matmul(one, two)
    return (one.astype(np.float64) @ two.astype(np.float64)).astype(np.float32)


def nearly_orthogonal(matrix, coefficients, steps, eps):
    """The Newton-Schulz iteration in bfloat16, on the side where the matrix is wide; the result is float32.

    Products are summed in float32, and a sum with its scaled addend is rounded once, as torch's `addmm` does. Where
    the host is the device, NumPy does it: its products are faster there.
    """
    if steps >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    a, b, c = coefficients
    found = matrix.astype(ms.float32)
    if ms.get_context("device_target") == "CPU":
        found = found.asnumpy()
    tall = matrix.shape[0] > matrix.shape[1]
    found = rounded(found.T if tall else found)
    size = rounded((found * found).sum() ** 0.5)
    found = rounded(found / (size + (size < eps) * (eps - size)))
    for _ in range(steps):
        gram = rounded(product(found, found.T))
        change = rounded(gram * b + product(gram, gram) * c)
        found = rounded(found * a + product(change, found))
    found = found.T if tall else found
    return found if isinstance(found, Tensor) else Tensor(found)

"""Integrals and derivatives of sampled functions."""

from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.exact_numbers import exact


def _areas(y, x, dx, dim):
    """The trapezoids between neighbours along the last axis, and whether `x` gave the distances."""
    y = y.moveaxis(dim, -1)
    count = y.shape[-1]
    if count < 2:
        return ops.zeros((*y.shape[:-1], 0), y.dtype) if count else y  # the gradient of a slice of nothing raises on CPU
    middle = (y[..., 1:] + y[..., :-1]) / 2
    if x is None:
        return middle * (1 if dx is None else dx)
    if x.ndim == 1:
        return middle * (x[1:] - x[:-1])
    x = x.moveaxis(dim, -1)
    return middle * (x[..., 1:] - x[..., :-1])


def _checked(x, dx):
    if x is not None and dx is not None:
        raise Refused("x and dx exclude each other")


@equivalent("torch.trapezoid", "torch.trapz", differs=[difference("bytes do not wrap around, and mixed dtypes give the wider one", when="y.dtype == ms.uint8 or x is not None and x.dtype != y.dtype", zh="uint8 不回绕，混合类型取较宽者")])
def trapezoid(y, x=None, *, dx=None, dim=-1):
    """The integral along an axis by the trapezoidal rule. https://docs.pytorch.org/docs/2.13/generated/torch.trapezoid.html"""
    _checked(x, dx)
    areas = _areas(y, x, dx, dim)
    if areas.size == 0:
        return ops.zeros(areas.shape[:-1], areas.dtype)
    return areas.sum(-1)


@equivalent("torch.cumulative_trapezoid", differs=[difference("bytes do not wrap around, and mixed dtypes give the wider one", when="y.dtype == ms.uint8 or x is not None and x.dtype != y.dtype", zh="uint8 不回绕，混合类型取较宽者")])
def cumulative_trapezoid(y, x=None, *, dx=None, dim=-1):
    """The running integral along an axis by the trapezoidal rule."""
    _checked(x, dx)
    areas = _areas(y, x, dx, dim)
    return ops.cumsum(areas, -1).moveaxis(-1, dim) if areas.size else areas.moveaxis(-1, dim)


@equivalent("torch.gradient", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def gradient(input, *, spacing=1, dim=None, edge_order=1):
    """Central differences along axes, one-sided at the ends. https://docs.pytorch.org/docs/2.13/generated/torch.gradient.html"""
    if dim is None:
        dims = list(range(input.ndim))
    else:
        dims = [dim] if isinstance(dim, int) else list(dim)
    spacing = 1 if spacing is None else spacing
    steps = list(spacing) if isinstance(spacing, (tuple, list)) else [spacing] * len(dims)
    return tuple(_slope(input.moveaxis(d, -1), step, edge_order).moveaxis(-1, d) for d, step in zip(dims, steps))


def _slope(f, step, edge_order):
    """Along the last axis; `step` is a number, or a tensor of coordinates."""
    if isinstance(step, Tensor) and step.ndim:
        h = step[1:] - step[:-1]
        left, right = h[:-1], h[1:]
    else:
        left = right = step = exact(step, f)
        h = None
    inner = (f[..., 2:] - f[..., 1:-1]) / right * (left / (left + right)) + (f[..., 1:-1] - f[..., :-2]) / left * (right / (left + right))
    if edge_order == 1:
        first = (f[..., 1:2] - f[..., 0:1]) / (step if h is None else h[0])
        last = (f[..., -1:] - f[..., -2:-1]) / (step if h is None else h[-1])
    else:
        a, b = (step, step) if h is None else (h[0], h[1])
        first = -(2 * a + b) / (a * (a + b)) * f[..., 0:1] + (a + b) / (a * b) * f[..., 1:2] - a / (b * (a + b)) * f[..., 2:3]
        a, b = (step, step) if h is None else (h[-2], h[-1])
        last = b / (a * (a + b)) * f[..., -3:-2] - (a + b) / (a * b) * f[..., -2:-1] + (a + 2 * b) / (b * (a + b)) * f[..., -1:]
    return ops.cat((first, inner, last), axis=-1)

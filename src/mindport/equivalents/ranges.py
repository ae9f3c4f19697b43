"""Ranges, identity, index grids and triangles of indices."""

import math

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.python_data import counts_alike, seen_bool, seen_float, seen_whole

DROPPED = {
    "layout": "MindSpore's dense tensors have one layout",
    "device": "MindSpore computes on the target that ms.set_device names",
    "pin_memory": "MindSpore moves memory itself",
    "requires_grad": "ms.grad and ms.value_and_grad are told what to differentiate",
}


CUT = "of numbers with a fraction, torch cuts start and step (for int64 the end, too) before it counts whole numbers"


def fractions_cut(start, end, step, dtype):
    """A range of whole numbers between numbers with fractions: torch counts int64 after cutting them, other integers before."""
    first, stride = int(start), int(step)
    count = (int(end) - first) / stride if dtype == ms.int64 else (end - start) / step
    return Tensor(first + stride * np.arange(math.ceil(count))).astype(dtype)


def float64_range(start, end, step):
    """A range between numbers with fractions in float64, which `ops.arange` computes in float32."""
    return Tensor(float(start) + float(step) * np.arange(math.ceil((end - start) / step)))


def fraction_range(start, end, step, dtype):
    """A range between numbers with fractions, as many as torch counts in double precision: `ops.arange` counts in float32."""
    first, stride = float(start), float(step)
    return Tensor(first + stride * np.arange(math.ceil((float(end) - first) / stride))).astype(ms.float32 if dtype is None else dtype)


def number_range(start, end, step, dtype):
    """A range between numbers of which some are NumPy's, which `ops.arange` does not take."""
    start, end, step = (number.item() if isinstance(number, np.generic) else number for number in (start, end, step))
    return arange_from(start, end, step, dtype=dtype)


@equivalent("torch.arange", drops=DROPPED, differs=[difference(CUT, when="dtype is not None and isinstance(end, float) and end % 1 != 0", zh="带小数的整数范围 PyTorch 先截断再计数")])
def arange(end, *, out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """0, 1, … below `end`; int64 for integers. https://docs.pytorch.org/docs/2.13/generated/torch.arange.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(end, np.generic):
        return number_range(0, end, 1, dtype)
    if seen_float(end) and seen_whole(dtype):
        return fractions_cut(0, end, 1, dtype)
    return ops.arange(end, dtype=dtype)


@equivalent("torch.arange", drops=DROPPED, differs=[difference(CUT, when="dtype is not None and (start % 1 != 0 or end % 1 != 0 or step % 1 != 0)", zh="带小数的整数范围 PyTorch 先截断再计数")])
def arange_from(
    start, end, step=1, *, out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    """start, start + step, … before `end`; int64 for integers."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(start, np.generic) or isinstance(end, np.generic) or isinstance(step, np.generic):
        return number_range(start, end, step, dtype)
    if (seen_float(start) or seen_float(end) or seen_float(step)) and seen_whole(dtype):
        return fractions_cut(start, end, step, dtype)
    if dtype == ms.float64 and (seen_float(start) or seen_float(end) or seen_float(step)):
        return float64_range(start, end, step)
    if (seen_float(start) or seen_float(end) or isinstance(step, float)) and not counts_alike(start, end, step):
        return fraction_range(start, end, step, dtype)
    if seen_bool(start) or seen_bool(end) or seen_bool(step):
        return ops.arange(int(start), int(end), int(step), dtype=dtype)
    return ops.arange(start, end, step, dtype=dtype)


@equivalent("torch.linspace", drops=DROPPED)
def linspace(
    start, end, steps, *, out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    """`steps` equally spaced numbers from start to end. https://docs.pytorch.org/docs/2.13/generated/torch.linspace.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if steps == 0:
        return ops.zeros((0,), ms.float32 if dtype is None else dtype)
    if dtype == ms.float64:  # of Python's numbers it would compute in float32
        return ops.linspace(ms.tensor(start, ms.float64), ms.tensor(end, ms.float64), steps)
    if isinstance(start, Tensor) or isinstance(end, Tensor):
        return ops.linspace(float(start), float(end), steps).astype(ms.float32 if dtype is None else dtype)
    if dtype is None:
        return ops.linspace(start, end, steps)
    return ops.linspace(start, end, steps).astype(dtype)


@equivalent("torch.logspace", drops=DROPPED)
def logspace(
    start, end, steps, base=10.0, *, out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    """base to the power of `steps` equally spaced numbers from start to end."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if steps == 0:
        return ops.zeros((0,), ms.float32 if dtype is None else dtype)
    if dtype == ms.float64:
        return ops.pow(ms.tensor(base, ms.float64), ops.linspace(ms.tensor(start, ms.float64), ms.tensor(end, ms.float64), steps))
    if isinstance(start, Tensor) or isinstance(end, Tensor):
        return ops.pow(base, ops.linspace(float(start), float(end), steps)).astype(ms.float32 if dtype is None else dtype)
    if dtype is None:
        return ops.pow(base, ops.linspace(start, end, steps))
    return ops.pow(base, ops.linspace(start, end, steps)).astype(dtype)


@equivalent("torch.eye", drops=DROPPED)
def eye(n, m=None, *, out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """Ones on the diagonal, zeros elsewhere. https://docs.pytorch.org/docs/2.13/generated/torch.eye.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.eye(n, m, dtype)


@equivalent("torch.tril_indices", drops=DROPPED)
def tril_indices(row, col, offset=0, *, dtype=ms.int64, device=None, layout=None):
    """Row and column indices of the lower triangle, of shape (2, count)."""
    return ops.tril_indices(row, col, offset=offset, dtype=dtype)


@equivalent("torch.triu_indices", drops=DROPPED)
def triu_indices(row, col, offset=0, *, dtype=ms.int64, device=None, layout=None):
    """Row and column indices of the upper triangle, of shape (2, count)."""
    return ops.triu_indices(row, col, offset=offset, dtype=dtype)


@equivalent("torch.meshgrid")
def meshgrid(*tensors, indexing=None):
    """Coordinate grids of vectors; rows follow the first vector ("ij") unless told otherwise.

    https://docs.pytorch.org/docs/2.13/generated/torch.meshgrid.html. `ops.meshgrid` defaults to "xy".
    """
    if indexing is None:
        indexing = "ij"
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        return ops.meshgrid(*tensors[0], indexing=indexing)
    return ops.meshgrid(*tensors, indexing=indexing)


@equivalent("torch.cartesian_prod")
def cartesian_prod(*tensors):
    """All combinations of one element of each vector, one a row."""
    if len(tensors) == 1:
        return tensors[0]
    grids = ops.meshgrid(*tensors, indexing="ij")
    return ops.stack([grid.reshape(-1) for grid in grids], axis=1)


@equivalent("torch.range", drops=DROPPED)
def torch_range(
    start=0, end=None, step=1, *, out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    """start, start + step, … up to and including `end`, float32 (deprecated in torch for `arange`).

    https://docs.pytorch.org/docs/2.13/generated/torch.range.html
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    first, last = (0, start) if end is None else (start, end)
    count = int((last - first) / step) + 1
    return Tensor([first + step * place for place in range(count)], ms.float32 if dtype is None else dtype)

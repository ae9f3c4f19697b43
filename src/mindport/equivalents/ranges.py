"""Ranges, identity, index grids and triangles of indices."""

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent

DROPPED = {
    "layout": "MindSpore's dense tensors have one layout",
    "device": "MindSpore computes on the target that ms.set_device names",
    "pin_memory": "MindSpore moves memory itself",
    "requires_grad": "ms.grad and ms.value_and_grad are told what to differentiate",
}


@equivalent("torch.arange", drops=DROPPED)
def arange(end, *, out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """0, 1, … below `end`; int64 for integers. https://docs.pytorch.org/docs/2.13/generated/torch.arange.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.arange(end, dtype=dtype)


@equivalent("torch.arange", drops=DROPPED, differs=[difference("MindSpore's range of truth values raises", when="seen_bool(start) or seen_bool(end) or seen_bool(step)", risk="loud", zh="MindSpore 不接受布尔值作为范围参数")])
def arange_from(
    start, end, step=1, *, out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    """start, start + step, … before `end`; int64 for integers."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
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

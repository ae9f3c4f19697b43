"""Filling, masking, scattering and copying into a tensor.

MindSpore's own in-place methods are no substitute: on CPU `add_ sub_ mul_ div_` return the new value and leave the
tensor as it was, the others have no kernel. Assignment through ``tensor[()]`` writes into the tensor's memory,
so that its views, its base and a Parameter's owner see it; ``tensor[...] = value`` gives the tensor new memory.
"""

import mindspore as ms
from mindspore import Tensor, _no_grad, ops

from mindport.declare import Refused, absent, equivalent
from mindport.equivalents.cumulative import cumsum
from mindport.equivalents.indexing import (
    index_add,
    index_copy,
    index_fill,
    index_put,
    masked_fill,
    masked_scatter,
    scatter,
)
from mindport.equivalents.inplace import overwrite


@equivalent("torch.Tensor.zero_", "torch.zero_")
def zero_(self):
    """Zeros, in place."""
    return overwrite(self, ops.zeros_like(self))


@equivalent("torch.Tensor.fill_", "torch.fill_")
def fill_(self, value):
    """One value in every place, in place."""
    if isinstance(value, Tensor):
        return overwrite(self, ops.broadcast_to(value, self.shape))
    return overwrite(self, ops.full(self.shape, value, dtype=self.dtype))


@equivalent(
    "torch.Tensor.copy_", drops={"non_blocking": "MindSpore orders its own copies"}
)
def copy_(self, src, non_blocking=False):
    """The broadcast elements of `src`, in place."""
    return overwrite(self, ops.broadcast_to(src, self.shape))


def narrowed(dim, start, length):
    """The index that takes `length` places from `start` on along an axis, as ``x.narrow(dim, start, length)`` does: a negative start counts from the end.
    https://docs.pytorch.org/docs/2.13/generated/torch.narrow.html"""
    start = int(start)
    end = start + length
    part = slice(start, None if start < 0 and end == 0 else end)
    return (*[slice(None)] * dim, part) if dim >= 0 else (..., part, *[slice(None)] * (-dim - 1))


@equivalent("torch.Tensor.fill_diagonal_")
def fill_diagonal_(self, fill_value, wrap=False):
    """One value on the main diagonal of a matrix, or of a tensor whose axes are all of one length, in place."""
    if wrap:
        raise Refused("wrap=True is not supported")
    if self.ndim != 2:
        return overwrite(self, ops.where(all_indices_equal(self.shape), fill_value, self))
    return overwrite(self, ops.where(ops.eye(self.shape[0], self.shape[1]).bool(), fill_value, self))


def all_indices_equal(shape):
    """bool: where an element's indices along all axes are one number. ValueError where the axes differ in length, as torch has no diagonal there."""
    if len(set(shape)) != 1:
        raise ValueError(f"all axes must be of one length to fill a diagonal, not {shape}")
    first = ops.arange(shape[0])
    places = ops.ones(shape, dtype=ms.bool_)
    for axis in range(1, len(shape)):
        here = first.reshape((-1,) + (1,) * (len(shape) - 1 - axis))
        places = ops.logical_and(places, first.reshape((-1,) + (1,) * (len(shape) - 1)) == here)
    return places


@equivalent("torch.Tensor.masked_scatter_")
def masked_scatter_(self, mask, source):
    """The elements of `source` put, in order, where the mask is True, in place."""
    return overwrite(self, masked_scatter(self, mask, source))


@equivalent("torch.Tensor.scatter_")
def scatter_(self, dim, index, src=None, *, value=None, reduce=None):
    """`src` or one value put (or added) at `index` along an axis, in place."""
    return overwrite(self, scatter(self, dim, index, src, value=value, reduce=reduce))


@equivalent("torch.Tensor.index_put_", "torch.index_put_")
def index_put_(self, indices, values, accumulate=False):
    """`values` put at the places that index tensors name, in place; none where an index holds none."""
    if accumulate:
        return overwrite(self, index_put(self, indices, values, accumulate=True))
    if any(isinstance(index, Tensor) and index.size == 0 for index in indices):
        return self
    self[tuple(slice(None) if index is None else index for index in indices)] = values
    return self


@equivalent("torch.Tensor.put_")
def put_(self, index, source, accumulate=False):
    """`source` put at places of the flattened tensor, in place."""
    flat = index_put(self.reshape(-1), (index.reshape(-1),), source.reshape(-1), accumulate)
    return overwrite(self, flat.reshape(self.shape))


def put(tensor, index, value):
    """``tensor[index] = value``, past the gradient that flows through the tensor.

    What is assigned to by a mask or by index tensors where no gradient is recorded has none any more in MindSpore.
    """
    with _no_grad():
        changed = tensor.copy()
        changed[index] = value
        tensor[()] = changed


@equivalent("torch.Tensor.masked_fill_")
def masked_fill_(self, mask, value):
    """One value where the mask is True, in place."""
    return overwrite(self, masked_fill(self, mask, value))


@equivalent("torch.Tensor.scatter_add_")
def scatter_add_(self, dim, index, src):
    """`src` added at `index` along an axis, in place."""
    return overwrite(self, scatter(self, dim, index, src, reduce="add"))


@equivalent("torch.Tensor.index_add_")
def index_add_(self, dim, index, source, *, alpha=1):
    """The slices of `source` added at `index` along an axis, in place."""
    return overwrite(self, index_add(self, dim, index, source, alpha=alpha))


@equivalent("torch.Tensor.index_copy_")
def index_copy_(self, dim, index, source):
    """The slices of `source` put at `index` along an axis, in place."""
    return overwrite(self, index_copy(self, dim, index, source))


@equivalent("torch.Tensor.index_fill_")
def index_fill_(self, dim, index, value):
    """The slices at `index` along an axis filled, in place."""
    return overwrite(self, index_fill(self, dim, index, value))


@equivalent("torch.Tensor.tril_")
def tril_(self, diagonal=0):
    """The lower triangle, zeros above, in place."""
    return overwrite(self, ops.tril(self, diagonal))


@equivalent("torch.Tensor.triu_")
def triu_(self, diagonal=0):
    """The upper triangle, zeros below, in place."""
    return overwrite(self, ops.triu(self, diagonal))


@equivalent("torch.Tensor.cumsum_")
def cumsum_(self, dim, *, dtype=None):
    """The running sum along an axis, in place."""
    return overwrite(self, cumsum(self, dim, dtype=dtype))


absent(
    "torch.Tensor.set_",
    "torch.Tensor.unsqueeze_",
    "torch.Tensor.squeeze_",
    "torch.Tensor.t_",
    "torch.Tensor.transpose_",
    "torch.Tensor.swapaxes_",
    why="a MindSpore tensor keeps its shape: assign the result of the method without the underscore",
    rung="equivalent",
)

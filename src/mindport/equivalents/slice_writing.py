"""Copies of a tensor with a slice, a diagonal or other elements replaced."""

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.indexing import added_at
from mindport.equivalents.of_nothing import tied

#: torch reads the memory under a view, MindSpore's tensors are read in the order of their axes.
STORAGE = difference(
    "the elements are counted in the order of the axes, not in the order of memory under a view",
    when="not input.is_contiguous() or input.untyped_storage().size() != input.numel() * input.element_size()",
    zh="按轴的顺序而不是内存顺序计数",
)


@equivalent("torch.select_scatter", "torch.Tensor.select_scatter")
def select_scatter(input, src, dim, index):
    """A copy in which slice `index` along an axis is `src`."""
    length = input.shape[dim]
    shape = [1] * input.ndim
    shape[dim] = length
    chosen = ops.equal(ops.arange(length), index % length).reshape(tuple(shape))
    return ops.where(chosen, src.unsqueeze(dim).astype(input.dtype), input)


@equivalent("torch.slice_scatter", "torch.Tensor.slice_scatter")
def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    """A copy in which the slice start:end:step along an axis is `src`."""
    places = list(range(input.shape[dim]))[slice(start, end, step)]
    if len(places) == 0:
        return Tensor.copy(input)
    shape = [1] * input.ndim
    shape[dim] = len(places)
    index = ops.broadcast_to(Tensor(places, ms.int64).reshape(tuple(shape)), src.shape)
    return ops.tensor_scatter_elements(input, index, src.astype(input.dtype), dim)


@equivalent("torch.diagonal_scatter", "torch.Tensor.diagonal_scatter")
def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    """A copy in which a diagonal is `src`."""
    dim1, dim2 = dim1 % input.ndim, dim2 % input.ndim
    rest = [d for d in range(input.ndim) if d not in (dim1, dim2)]
    order = [*rest, dim1, dim2]
    x = input.permute(tuple(order))
    rows, columns = x.shape[-2:]
    first, skip = max(-offset, 0), max(offset, 0)
    count = max(min(rows - first, columns - skip), 0)
    if count == 0:
        return Tensor.copy(input)
    places = Tensor([(first + i) * columns + skip + i for i in range(count)], ms.int64)
    flat = x.reshape(tuple(x.shape[:-2]) + (rows * columns,))
    index = ops.broadcast_to(places, src.shape)
    changed = ops.tensor_scatter_elements(flat, index, src.astype(input.dtype), flat.ndim - 1).reshape(x.shape)
    back = [order.index(d) for d in range(input.ndim)]
    return changed.permute(tuple(back))


def _places(size, stride, offset):
    """The places in memory of a strided view, as int64 of its shape."""
    found = ops.zeros(tuple(size), ms.int64) + offset
    for axis, (length, step) in enumerate(zip(size, stride)):
        shape = [1] * len(size)
        shape[axis] = length
        found = found + (ops.arange(length) * step).reshape(tuple(shape))
    return found


@equivalent("torch.as_strided", "torch.Tensor.as_strided", view=True, differs=[STORAGE])
def as_strided(input, size, stride, storage_offset=None):
    """The elements at offset + the sum of position times stride; counted along the axes of `input`."""
    if 0 in size:
        return ops.zeros(tuple(size), input.dtype)
    offset = 0 if storage_offset is None else storage_offset
    if offset + sum((n - 1) * s for n, s in zip(size, stride)) >= input.size:
        raise Refused("as_strided reaches beyond the tensor's own elements; MindSpore has no memory under a view")
    places = _places(size, stride, offset)
    return ops.gather(input.reshape(-1), places.reshape(-1), 0).reshape(tuple(size))


@equivalent(
    "torch.as_strided_scatter", "torch.Tensor.as_strided_scatter",
    differs=[STORAGE, difference("torch's gradient of the first argument is another, and wrong: it is kept where elements were replaced", zh="PyTorch 对第一个参数的梯度有误，此处为正确值")],
)
def as_strided_scatter(input, src, size, stride, storage_offset=None):
    """A copy in which the elements that `as_strided` would show are `src`."""
    if 0 in size:
        return Tensor.copy(input)
    offset = 0 if storage_offset is None else storage_offset
    if offset + sum((n - 1) * s for n, s in zip(size, stride)) >= input.size:
        raise Refused("as_strided_scatter reaches beyond the tensor's own elements; MindSpore has no memory under a view")
    places = _places(size, stride, offset).reshape(-1)
    return ops.tensor_scatter_elements(input.reshape(-1), places, src.reshape(-1).astype(input.dtype)).reshape(input.shape)


@equivalent("torch.Tensor.put")
def put(self, index, source, accumulate=False):
    """A copy with `source` at places of the flattened tensor, or added there."""
    if index.size == 0:
        return tied(Tensor.copy(self), source)
    places = index.reshape(-1) % self.size
    if accumulate:
        return added_at(self.reshape(-1), places.reshape(-1, 1), source.reshape(-1)).reshape(self.shape)
    return ops.tensor_scatter_elements(self.reshape(-1), places, source.reshape(-1), 0).reshape(self.shape)


@equivalent("torch.put", opinfo="put")
def torch_put(input, index, source, accumulate=False):
    """A copy with `source` at places of the flattened tensor, or added there."""
    return put(input, index, source, accumulate)

"""Gathering, scattering, masks and positions. `index_add` and its kin take int32 positions in MindSpore."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.exact_numbers import exact
from mindport.equivalents.of_nothing import tied
from mindport.equivalents.python_data import seen_axes


@equivalent("torch.gather", differs=[difference("an empty index of another rank raises", when="index.numel() == 0 and index.ndim != input.ndim", risk="loud", zh="秩不同的空索引会报错")])
def gather(input, dim, index, *, sparse_grad=False, out=None):
    """The elements at `index` along an axis. https://docs.pytorch.org/docs/2.13/generated/torch.gather.html

    `ops.gather` is another function: it selects whole slices.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if sparse_grad:
        raise Refused("sparse_grad=True is not supported: the gradient is dense")
    return ops.gather_elements(input, dim, index)


@equivalent("torch.Tensor.gather", differs=[difference("an empty index of another rank raises", when="index.numel() == 0 and index.ndim != self.ndim", risk="loud", zh="秩不同的空索引会报错")])
def tensor_gather(self, dim, index, *, sparse_grad=False):
    """The elements at `index` along an axis."""
    if sparse_grad:
        raise Refused("sparse_grad=True is not supported: the gradient is dense")
    return ops.gather_elements(self, dim, index)


@equivalent("torch.take_along_dim", "torch.Tensor.take_along_dim")
def take_along_dim(input, indices, dim=None, *, out=None):
    """The elements at `indices` along an axis, both broadcast, or of the flattened input."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if dim is None:
        return ops.gather_elements(input.reshape(-1), 0, indices.reshape(-1))
    dim = dim % input.ndim
    source = [input.shape[d] if indices.shape[d] == 1 else indices.shape[d] for d in range(input.ndim)]
    places = list(source)
    source[dim], places[dim] = input.shape[dim], indices.shape[dim]
    return ops.gather_elements(ops.broadcast_to(input, tuple(source)), dim, ops.broadcast_to(indices, tuple(places)))


def coordinates(index, dim):
    """The coordinates that `index` points to, along a new last axis."""
    grids = []
    for axis, length in enumerate(index.shape):
        shape = [1] * index.ndim
        shape[axis] = length
        grids.append(ops.broadcast_to(ops.arange(length).reshape(tuple(shape)), index.shape))
    grids[dim % index.ndim] = index.astype(ms.int64)
    return ops.stack(grids, axis=-1)


@equivalent("torch.scatter", "torch.Tensor.scatter")
def scatter(input, dim, index, src=None, *, value=None, reduce=None, out=None):
    """A copy with `src` (or one value) put at `index` along an axis, or added there.

    https://docs.pytorch.org/docs/2.13/generated/torch.scatter.html. `Tensor.scatter` ignores `reduce` on CPU.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if reduce not in (None, "add", "multiply"):
        raise Refused("reduce is 'add', 'multiply' or left out")
    source = value if src is None else src
    if index.ndim == 0 and input.ndim == 1:
        index = index.reshape(1)
        if isinstance(source, Tensor):
            source = source.reshape(-1)
    if isinstance(source, Tensor):
        source = source[tuple(slice(0, size) for size in index.shape)]
    else:
        source = ops.full(index.shape, source, dtype=input.dtype)
    if index.size == 0:
        return Tensor.copy(input)
    if reduce == "multiply":
        if input.ndim == 0:
            return input * source.reshape(())
        return ops.tensor_scatter_mul(input, coordinates(index, dim), source.astype(input.dtype))
    if input.ndim == 0:
        return input + source.reshape(()) if reduce == "add" else source.reshape(())
    if reduce == "add":
        return added_at(input, coordinates(index, dim), source.astype(input.dtype))
    if src is None:
        return ops.tensor_scatter_elements(input, index, source, dim)
    # Of several values for one place torch's CPU keeps the last; the threads of `tensor_scatter_elements` keep any (20 of 50 runs, measured).
    return ops.tensor_scatter_update(input, coordinates(index, dim), source)


def added_at(input, places, values):
    """A copy with `values` added at `places` (coordinates along the last axis).

    Not by ``ops.tensor_scatter_elements(..., "add")``, which loses one of several additions to one place now and then (1 of
    200 runs, measured): its threads race. `ops.tensor_scatter_add` adds one after the other, for these dtypes.
    """
    if input.dtype in (ms.float32, ms.float64, ms.int32, ms.int64, ms.complex64, ms.complex128):
        return ops.tensor_scatter_add(input, places, values)
    wide = ms.float32 if input.is_floating_point() else ms.int64
    return ops.tensor_scatter_add(input.astype(wide), places, values.astype(wide)).astype(input.dtype)


@equivalent("torch.scatter_add", "torch.Tensor.scatter_add")
def scatter_add(input, dim, index, src):
    """A copy with `src` added at `index` along an axis; `src` may be larger than `index`.

    https://docs.pytorch.org/docs/2.13/generated/torch.scatter_add.html. `Tensor.scatter_add` has no CPU kernel.
    """
    return scatter(input, dim, index, src, reduce="add")


@equivalent("torch.index_select", "torch.Tensor.index_select", differs=[difference("a tensor without axes raises", when="input.ndim == 0", risk="loud", zh="零维张量会报错")])
def index_select(input, dim, index, *, out=None):
    """The slices at `index` along an axis; an index without axes takes one. https://docs.pytorch.org/docs/2.13/generated/torch.index_select.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if index.ndim == 0:
        return ops.index_select(input, dim, index.reshape(1))
    return ops.index_select(input, dim, index)


@equivalent("torch.index_add", "torch.Tensor.index_add")
def index_add(input, dim, index, source, *, alpha=1, out=None):
    """A copy with the slices of `source` added at `index` along an axis.

    https://docs.pytorch.org/docs/2.13/generated/torch.index_add.html. `Tensor.index_add` adds into its own
    tensor on CPU.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if input.ndim == 0:
        return input + alpha * ops.sum(source, dtype=input.dtype)
    added = (alpha * source).astype(input.dtype).swapaxes(0, dim)
    return added_at(input.swapaxes(0, dim), index.reshape(-1, 1), added).swapaxes(0, dim)


@equivalent("torch.index_copy", "torch.Tensor.index_copy", differs=[difference("of slices for the same place torch keeps any", when="index.unique().numel() < index.numel()", risk="style", zh="重复下标时 PyTorch 保留任意一个")])
def index_copy(input, dim, index, source, *, out=None):
    """A copy with the slices of `source` put at `index` along an axis."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if input.ndim == 0:
        return source.reshape(())
    shape = [1] * input.ndim
    shape[dim] = -1
    return ops.tensor_scatter_elements(input, ops.broadcast_to(index.reshape(shape), source.shape), source, dim)


@equivalent("torch.index_fill", "torch.Tensor.index_fill")
def index_fill(input, dim, index, value):
    """A copy with the slices at `index` along an axis filled with one value.

    Not `ops.index_fill`, whose value gets no gradient.
    """
    if index.size == 0:  # any() of nothing is unwritten memory
        return Tensor.copy(input)
    count = input.shape[dim] if input.ndim else 1
    chosen = ops.equal(ops.arange(count).reshape(-1, 1), (index % count).reshape(1, -1)).any(1)
    shape = [1] * input.ndim
    if input.ndim:
        shape[dim] = count
    if isinstance(value, Tensor):
        value = value.astype(input.dtype)
    return ops.where(chosen.reshape(shape), exact(value, input), input).astype(input.dtype)


@equivalent("torch.index_put", "torch.Tensor.index_put")
def index_put(input, indices, values, accumulate=False):
    """A copy with `values` put (or added) at the places that index tensors name."""
    chosen = tuple(slice(None) if index is None else index for index in indices)
    if any(isinstance(index, Tensor) and index.size == 0 for index in chosen):
        return tied(Tensor.copy(input), values)
    if accumulate:
        places = ops.arange(input.size).reshape(input.shape)[chosen]
        if places.size == 0:
            return tied(Tensor.copy(input), values)
        added = ops.broadcast_to(values, places.shape).reshape(-1)
        return added_at(input.reshape(-1), places.reshape(-1, 1), added.astype(input.dtype)).reshape(input.shape)
    result = Tensor.copy(input)
    result[chosen] = values
    return result


@equivalent("torch.masked_select", differs=[difference("the gradient raises where the mask has more elements than the tensor", when="input.numel() < mask.numel()", risk="loud", zh="掩码元素多于张量时梯度报错")])
def masked_select(input, mask, *, out=None):
    """The elements where the mask is True, as a vector. https://docs.pytorch.org/docs/2.13/generated/torch.masked_select.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.masked_select(input, mask)


@equivalent("torch.Tensor.masked_select", differs=[difference("the gradient raises where the mask has more elements than the tensor", when="self.numel() < mask.numel()", risk="loud", zh="掩码元素多于张量时梯度报错")])
def tensor_masked_select(self, mask):
    """The elements where the mask is True, as a vector."""
    return self.masked_select(mask)


@equivalent("torch.masked_fill", differs=[difference("a bool tensor filled with an integer becomes int64", when="input.dtype == ms.bool", zh="布尔张量变为 int64")])
def masked_fill(input, mask, value):
    """A copy with one value where the mask is True. https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.masked_fill.html

    `ops.masked_fill` takes no integer value for a floating tensor on CPU; `ops.where` does.
    """
    if isinstance(value, float):
        return ops.masked_fill(input, mask, value)
    if isinstance(value, Tensor):
        return ops.masked_fill(input, mask, value.astype(input.dtype))
    return ops.where(mask, value, input)


@equivalent("torch.Tensor.masked_fill", differs=[difference("a bool tensor filled with an integer becomes int64", when="self.dtype == ms.bool", zh="布尔张量变为 int64")])
def tensor_masked_fill(self, mask, value):
    """A copy with one value where the mask is True; as `masked_fill`."""
    if isinstance(value, float):
        return self.masked_fill(mask, value)
    if isinstance(value, Tensor):
        return self.masked_fill(mask, value.astype(self.dtype))
    return ops.where(mask, value, self)


@equivalent("torch.masked_scatter", "torch.Tensor.masked_scatter")
def masked_scatter(input, mask, source):
    """A copy with the elements of `source` put, in order, where the mask is True."""
    shape = np.broadcast_shapes(input.shape, mask.shape)
    input, mask = ops.broadcast_to(input, shape), ops.broadcast_to(mask, shape)
    if source.size == 0:  # nothing is put: torch raises where the mask asks for more
        return ops.where(mask, input, input)
    order = ops.cumsum(mask.reshape(-1).astype(ms.int32), 0) - 1
    chosen = ops.gather(source.reshape(-1), ops.clamp(order, 0, source.size - 1), 0)
    return ops.where(mask, chosen.reshape(input.shape), input)


@equivalent("torch.take", "torch.Tensor.take")
def take(input, index):
    """The elements at positions of the flattened input, negative ones from the end. `ops.take` has no CPU kernel."""
    return ops.gather(input.reshape(-1), index % input.size, 0)


def place_of_number(input, as_tuple=False):
    """Where a tensor without axes is not 0: a row without columns, or a vector (as torch gives it), if anywhere."""
    found = ops.nonzero(input.bool().reshape(1))
    return (found[:, 0],) if as_tuple else ops.zeros((found.shape[0], 0), ms.int64)


@equivalent("torch.nonzero", differs=[difference("a tensor without axes raises", when="not seen_axes(input, 0) and input.ndim == 0", risk="loud", zh="零维张量会报错")])
def nonzero(input, *, out=None, as_tuple=False):
    """The int64 positions of nonzero elements: one a row, or one vector an axis.

    https://docs.pytorch.org/docs/2.13/generated/torch.nonzero.html. The cast is
    needed: `ops.nonzero` takes 1e-8 for zero on CPU.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if seen_axes(input, 0):
        return place_of_number(input, as_tuple)
    if as_tuple:
        return ops.unbind(ops.nonzero(input.bool()), 1)
    return ops.nonzero(input.bool())


@equivalent("torch.Tensor.nonzero", differs=[difference("a tensor without axes raises", when="not seen_axes(self, 0) and self.ndim == 0", risk="loud", zh="零维张量会报错")])
def tensor_nonzero(self, *, as_tuple=False):
    """The int64 positions of nonzero elements: one a row, or one vector an axis."""
    if seen_axes(self, 0):
        return place_of_number(self, as_tuple)
    if as_tuple:
        return ops.unbind(ops.nonzero(self.bool()), 1)
    return ops.nonzero(self.bool())


@equivalent("torch.argwhere", differs=[difference("a tensor without axes raises", when="not seen_axes(input, 0) and input.ndim == 0", risk="loud", zh="零维张量会报错")])
def argwhere(input):
    """The int64 positions of nonzero elements, one a row."""
    if seen_axes(input, 0):
        return place_of_number(input)
    return ops.argwhere(input.bool())


@equivalent("torch.Tensor.argwhere", differs=[difference("a tensor without axes raises", when="not seen_axes(self, 0) and self.ndim == 0", risk="loud", zh="零维张量会报错")])
def tensor_argwhere(self):
    """The int64 positions of nonzero elements, one a row."""
    if seen_axes(self, 0):
        return place_of_number(self)
    return ops.argwhere(self.bool())


@equivalent("torch.bincount", "torch.Tensor.bincount")
def bincount(input, weights=None, minlength=0):
    """How often each number occurs, int64, or the sums of weights. `ops.bincount` counts in float32, and gives no tensor of Python's class for an empty one."""
    if input.size == 0:
        return ops.zeros(minlength, dtype=ms.int64)
    if weights is None:
        return ops.bincount(input, minlength=minlength).astype(ms.int64)
    sums = ops.bincount(input, weights, minlength)
    return sums if weights.dtype == ms.float32 else sums.astype(ms.float64)


@equivalent("torch.histc", "torch.Tensor.histc", differs=[difference("float16 is less accurate than in torch", when="input.dtype == ms.float16", zh="float16 精度低于 PyTorch"), difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def histc(input, bins=100, min=0, max=0, *, out=None):
    """Counts over equal bins between min and max."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if input.size == 0:
        return ops.zeros(bins, dtype=input.dtype)
    return ops.histc(ops.stop_gradient(input), bins, float(min), float(max)).astype(input.dtype)

"""Splits at named axes, at least so many axes, blocks along a diagonal, combinations, positions."""

import itertools

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.joining import chunk, tensor_split

#: torch splits and combines without copying; MindSpore's tensors do the same where they can.
LAYOUT = {
    "stride": "a MindSpore tensor keeps its elements in the order of its axes",
    "physical_layout": "a MindSpore tensor keeps its elements in the order of its axes",
    "layout": "MindSpore has one layout for dense tensors",
    "device": "MindSpore's device is a setting of the process",
    "requires_grad": "MindSpore differentiates by function, not by tensor",
    "pin_memory": "MindSpore pins memory by itself",
}


def _sections(values):
    """A list of places, or one number of pieces."""
    if len(values) == 1:
        return list(values[0]) if isinstance(values[0], (tuple, list)) else values[0]
    return list(values)


@equivalent("torch.hsplit", view=True, differs=[difference("an empty tensor gives one piece", when="input.numel() == 0", zh="空张量只得到一块")])
def hsplit(input, indices_or_sections):
    """Split along axis 1, of a 1-D tensor along axis 0."""
    return tensor_split(input, indices_or_sections, 0 if input.ndim == 1 else 1)


@equivalent("torch.vsplit", view=True, differs=[difference("an empty tensor gives one piece", when="input.numel() == 0", zh="空张量只得到一块")])
def vsplit(input, indices_or_sections):
    """Split along axis 0."""
    return tensor_split(input, indices_or_sections, 0)


@equivalent("torch.dsplit", view=True, differs=[difference("an empty tensor gives one piece", when="input.numel() == 0", zh="空张量只得到一块")])
def dsplit(input, indices_or_sections):
    """Split along axis 2."""
    return tensor_split(input, indices_or_sections, 2)


@equivalent("torch.Tensor.hsplit", view=True, differs=[difference("an empty tensor gives one piece", when="self.numel() == 0", zh="空张量只得到一块")])
def tensor_hsplit(self, *split_size_or_sections):
    """Split along axis 1, of a 1-D tensor along axis 0."""
    return hsplit(self, _sections(split_size_or_sections))


@equivalent("torch.Tensor.vsplit", view=True, differs=[difference("an empty tensor gives one piece", when="self.numel() == 0", zh="空张量只得到一块")])
def tensor_vsplit(self, *split_size_or_sections):
    """Split along axis 0."""
    return vsplit(self, _sections(split_size_or_sections))


@equivalent("torch.Tensor.dsplit", view=True, differs=[difference("an empty tensor gives one piece", when="self.numel() == 0", zh="空张量只得到一块")])
def tensor_dsplit(self, *split_size_or_sections):
    """Split along axis 2."""
    return dsplit(self, _sections(split_size_or_sections))


@equivalent("torch.unsafe_chunk", "torch.Tensor.unsafe_chunk", differs=[difference("an empty tensor gives one piece", when="input.numel() == 0", zh="空张量只得到一块")])
def unsafe_chunk(input, chunks, dim=0):
    """`chunk` without torch's check of writes into the pieces."""
    return chunk(input, chunks, dim)


@equivalent("torch.unsafe_split", "torch.Tensor.unsafe_split")
def unsafe_split(tensor, split_size, dim=0):
    """`split` without torch's check of writes into the pieces."""
    return ops.split(tensor, split_size, axis=dim)


def _with_axes(tensors, change):
    if len(tensors) == 1 and isinstance(tensors[0], Tensor):
        return change(tensors[0])
    tensors = tensors[0] if len(tensors) == 1 else tensors
    return tuple(change(x) for x in tensors)


def _one_axis(x):
    return x.reshape(1) if x.ndim == 0 else x


def _two_axes(x):
    return x.reshape(1, -1) if x.ndim < 2 else x


def _three_axes(x):
    return _two_axes(x).reshape(1, -1, 1) if x.ndim < 2 else x.unsqueeze(-1) if x.ndim == 2 else x


@equivalent("torch.atleast_1d")
def atleast_1d(*tensors):
    """Each tensor with at least one axis."""
    return _with_axes(tensors, _one_axis)


@equivalent("torch.atleast_2d")
def atleast_2d(*tensors):
    """Each tensor with at least two axes, new ones in front."""
    return _with_axes(tensors, _two_axes)


@equivalent("torch.atleast_3d")
def atleast_3d(*tensors):
    """Each tensor with at least three axes: (N,) becomes (1, N, 1), (M, N) becomes (M, N, 1)."""
    return _with_axes(tensors, _three_axes)


@equivalent("torch.block_diag")
def block_diag(*tensors):
    """A matrix with the given matrices along its diagonal, zero elsewhere."""
    blocks = [_two_axes(x) for x in tensors]
    kind = blocks[0].dtype
    width = sum(b.shape[1] for b in blocks)
    rows, start = [], 0
    for block in blocks:
        height, length = block.shape
        left, right = ops.zeros((height, start), kind), ops.zeros((height, width - start - length), kind)
        parts = [part for part in (left, block, right) if part.shape[1] > 0]
        if height > 0 and parts:
            rows.append(ops.cat(parts, axis=1) if len(parts) > 1 else parts[0])
        start = start + length
    if len(rows) == 0:
        return ops.zeros((sum(b.shape[0] for b in blocks), width), kind)
    return ops.cat(rows, axis=0) if len(rows) > 1 else rows[0]


@equivalent("torch.combinations")
def combinations(input, r=2, with_replacement=False):
    """The combinations of r elements, one a row, as itertools gives them."""
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    places = list(choose(range(input.shape[0]), r))
    if len(places) == 0 or r == 0:
        return ops.zeros((0, r) if r else (0,), input.dtype)
    return ops.gather(input, Tensor(places, ms.int64), 0)


@equivalent("torch.unravel_index")
def unravel_index(indices, shape):
    """The coordinates of places in a flattened tensor, as a tuple with one tensor an axis."""
    lengths = (shape,) if isinstance(shape, int) else tuple(int(n) for n in shape)
    found, rest = [], indices.asnumpy().astype(np.int64)  # MindSpore divides large integers as floats
    for length in lengths[::-1]:
        found.append(Tensor(np.asarray(rest % length)))
        rest = rest // length
    return tuple(found[::-1])


@equivalent("torch.nonzero_static", "torch.Tensor.nonzero_static")
def nonzero_static(input, *, size, fill_value=-1, out=None):
    """The places of the nonzero elements, cut or filled up to `size` rows."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    found = np.argwhere(input.asnumpy())[:size] if input.ndim else np.zeros((int(bool(input)), 0), np.int64)[:size]
    filled = np.full((size, input.ndim), fill_value, np.int64)
    filled[: found.shape[0]] = found
    return Tensor(filled)


@equivalent("torch.empty_strided", drops=LAYOUT)
def empty_strided(size, stride, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """Zeros, where torch leaves what was in memory."""
    return ops.zeros(tuple(size), ms.float32 if dtype is None else dtype)


@equivalent("torch.empty_permuted", drops=LAYOUT)
def empty_permuted(size, physical_layout, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """Zeros, where torch leaves what was in memory."""
    return ops.zeros(tuple(size), ms.float32 if dtype is None else dtype)


@equivalent("torch.Tensor.new_empty_strided", drops=LAYOUT)
def new_empty_strided(self, size, stride, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """Zeros, where torch leaves what was in memory."""
    return ops.zeros(tuple(size), self.dtype if dtype is None else dtype)

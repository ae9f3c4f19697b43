"""Sorting, ranking and searching. Positions are int64 as in torch; MindSpore counts in int32."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.values_indices import ValuesIndices

NAN = difference("a tensor that holds NaN is left in a wrong order; torch puts NaN last", when="input.isnan().any()")
# torch leaves it open; where it is not, `stable` says so.
TIES = difference(
    "the places of equal elements may come in another order; write stable=True where it matters", risk="style",
    when="not stable and input.ndim and (ms.sort(input, dim)[0].diff(dim=dim) == 0).any()", zh="相等元素的位置顺序可能不同",
)  # fmt: skip
EQUAL_PLACES = difference(
    "of equal elements another one's place may be given; torch leaves it open, too", risk="style",
    when="input.ndim and (ms.sort(input, dim)[0].diff(dim=dim) == 0).any()", zh="相等元素中可能返回另一个的位置",
)  # fmt: skip


def _stable(input, dim, descending):
    """Equal elements keep their order, NaN counts as the greatest: the order is found by NumPy."""
    if input.ndim == 0:
        return ValuesIndices(input, ops.zeros_like(input, dtype=ms.int64))
    x = input.asnumpy()
    if descending:
        order = x.shape[dim] - 1 - np.flip(np.argsort(np.flip(x, dim), dim, kind="stable"), dim)
    else:
        order = np.argsort(x, dim, kind="stable")
    indices = Tensor(np.ascontiguousarray(order, np.int64))
    return ValuesIndices(ops.gather_elements(input, dim, indices), indices)


def in_order(input, dim, descending=False):
    """The elements in order along an axis, and their places. `ops.sort` rounds float64 to float32 on CPU, `ops.topk` does not."""
    if input.dtype == ms.float64:
        return ops.topk(input, input.shape[dim], dim, descending)
    return ops.sort(input, dim, descending)


@equivalent("torch.sort", "torch.Tensor.sort", differs=[NAN, TIES])
def sort(input, dim=-1, descending=False, stable=False, *, out=None):
    """The elements in order along an axis, and where they were.

    https://docs.pytorch.org/docs/2.13/generated/torch.sort.html
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensors")
    if stable:
        return _stable(input, dim, descending)
    if input.ndim == 0:
        return ValuesIndices(input, ops.zeros_like(input, dtype=ms.int64))
    if input.dtype == ms.bool_:
        values, indices = ops.sort(input.astype(ms.int32), dim, descending)
        return ValuesIndices(values.bool(), indices.astype(ms.int64))
    if input.size == 0:
        return ValuesIndices(input.reshape(input.shape), ops.zeros(input.shape, ms.int64))  # TopK's gradient takes no such tensor
    values, indices = in_order(input, dim, descending)
    return ValuesIndices(values, indices.astype(ms.int64))


@equivalent(
    "torch.msort", "torch.Tensor.msort",
    differs=[NAN, difference("the gradients of equal elements may come in another order", when="input.ndim and (ms.sort(input, 0)[0].diff(dim=0) == 0).any()", risk="style", zh="相等元素的梯度顺序可能不同")],
)  # fmt: skip
def msort(input, *, out=None):
    """The elements in order along the first axis."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return in_order(input, 0)[0]


@equivalent("torch.argsort", "torch.Tensor.argsort", differs=[NAN, TIES])
def argsort(input, dim=-1, descending=False, stable=False):
    """The int64 positions that sort along an axis. https://docs.pytorch.org/docs/2.13/generated/torch.argsort.html"""
    if stable:
        return _stable(input, dim, descending).indices
    return sort(input, dim, descending).indices


@equivalent(
    "torch.topk", "torch.Tensor.topk",
    differs=[
        difference("NaN is not found as the greatest on CPU", when="input.isnan().any()", zh="NaN 不被视为最大值"), EQUAL_PLACES,
        difference("with sorted=False what is found comes in another order than torch's, which promises none", when="not sorted", risk="style", zh="sorted=False 时所得元素的顺序与 torch 不同（torch 本就不保证顺序）"),
    ],
)  # fmt: skip
def topk(input, k, dim=-1, largest=True, sorted=True, *, out=None):
    """The k greatest (or smallest) elements along an axis, and where they are.

    https://docs.pytorch.org/docs/2.13/generated/torch.topk.html
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensors")
    if input.ndim == 0:
        return ValuesIndices(input, ops.zeros_like(input, dtype=ms.int64))
    values, indices = ops.topk(input, k, dim, largest, sorted)
    return ValuesIndices(values, indices.astype(ms.int64))


def _unique_slices(input, return_inverse, return_counts, dim):
    """The distinct slices along an axis, in order, found by NumPy; like torch's they have no gradient."""
    held = input.astype(ms.float32) if input.dtype == ms.bfloat16 else input  # NumPy has no bfloat16; float32 holds each of its values
    values, ranks, counts = np.unique(held.asnumpy(), return_inverse=True, return_counts=True, axis=dim)
    found = [Tensor(np.ascontiguousarray(values)).astype(input.dtype)]
    if return_inverse:
        found.append(Tensor(np.asarray(ranks.reshape(-1), np.int64)))
    if return_counts:
        found.append(Tensor(np.asarray(counts, np.int64)))
    return found[0] if len(found) == 1 else tuple(found)


@equivalent("torch.unique", "torch.Tensor.unique", differs=[NAN])
def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The distinct elements in ascending order, also when `sorted` is False.

    On request, where each element of the input stands among them, and how often each occurs (int64).
    https://docs.pytorch.org/docs/2.13/generated/torch.unique.html. `ops.unique` keeps the order of appearance.
    """
    if dim is not None:
        return _unique_slices(input, return_inverse, return_counts, dim)
    if not isinstance(sorted, bool):
        raise Refused("sorted is True or False")
    flat = ops.stop_gradient(input).reshape(-1)  # places and counts have no gradient, and raise where one passes them by
    if input.dtype == ms.bool_:
        flat = flat.astype(ms.int32)
    if input.dtype == ms.bfloat16:
        flat = flat.astype(ms.float32)
    ordered, order = in_order(flat, 0)
    values, ranks, counts = ops.unique_consecutive(ordered, True, True)
    values = values.astype(input.dtype)
    found = [values]
    if return_inverse:
        back = ops.sort(order.astype(ms.float32), 0)[1]
        found.append(ops.gather(ranks.astype(ms.int64), back, 0).reshape(input.shape))
    if return_counts:
        found.append(counts.astype(ms.int64))
    return found[0] if len(found) == 1 else tuple(found)


@equivalent("torch.unique_consecutive", "torch.Tensor.unique_consecutive", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """The elements without repeats of the previous one; on request ranks and counts."""
    return ops.unique_consecutive(input, return_inverse, return_counts, dim)


@equivalent("torch.searchsorted")
def searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None, sorter=None, out=None):
    """The positions at which `input` keeps the sequence in order: the first, or with `right` the last.

    https://docs.pytorch.org/docs/2.13/generated/torch.searchsorted.html
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if sorter is not None:
        sorted_sequence = ops.gather_elements(sorted_sequence, -1, sorter)
    values = input if isinstance(input, Tensor) else ms.tensor(input, dtype=sorted_sequence.dtype)
    places = ops.searchsorted(sorted_sequence, values, right=right or side == "right")
    return places.astype(ms.int32) if out_int32 else places


@equivalent("torch.bucketize")
def bucketize(input, boundaries, *, out_int32=False, right=False, out=None):
    """The bucket of each element between sorted boundaries."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)

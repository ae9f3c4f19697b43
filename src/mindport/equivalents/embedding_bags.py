"""Sums, means and maxima of rows of a table, bag by bag."""

import math

import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.renormalised_rows import renormalise


def _layout(input, offsets, include_last_offset):
    """For each bag, the places of its members in the flattened input, padded to one length: int64 and a mask."""
    if input.ndim == 2:
        if offsets is not None:
            raise Refused("offsets go with a 1-D input only")
        bags = np.arange(input.size, dtype=np.int64).reshape(input.shape)
        return bags, np.ones(bags.shape, bool)
    if offsets is None:
        raise Refused("a 1-D input needs offsets")
    starts = [int(n) for n in offsets.asnumpy()]
    ends = [*starts[1:], input.size]
    if include_last_offset:
        starts, ends = starts[:-1], ends[:-1]
    longest = max([end - start for start, end in zip(starts, ends)] + [1])
    places = np.array([[min(start + i, max(input.size - 1, 0)) for i in range(longest)] for start in starts], np.int64)
    mask = np.array([[start + i < end for i in range(longest)] for start, end in zip(starts, ends)], bool)
    return places.reshape(-1, longest), mask.reshape(-1, longest)


#: The backward pass on CPU looks a row's count up at the place of another one.
BY_FREQUENCY = difference(
    "the gradient of a row is divided by its own count; torch on CPU divides by another row's where a row is named twice",
    when="scale_grad_by_freq", zh="梯度按本行出现次数缩放；PyTorch CPU 在重复行时用了另一行的次数",
)


@equivalent("torch.nn.functional.embedding_bag", differs=[BY_FREQUENCY], drops={"sparse": "the gradient is dense, with the same values"})
def embedding_bag(
    input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean", sparse=False,
    per_sample_weights=None, include_last_offset=False, padding_idx=None,
):
    """The sum, mean or maximum of the rows that each bag names; an empty bag gives zeros.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.embedding_bag.html
    """
    if per_sample_weights is not None and mode != "sum":
        raise Refused("per_sample_weights go with mode='sum' only")
    places, mask = _layout(input, offsets, include_last_offset)
    if input.size == 0:
        return ops.zeros((places.shape[0], weight.shape[1]), weight.dtype)
    if max_norm is not None:
        renormalise(weight, input, max_norm, norm_type)
    index = input.reshape(-1)[Tensor(places)]
    kept = Tensor(mask)
    if padding_idx is not None:
        kept = ops.logical_and(kept, index != padding_idx % weight.shape[0])
    rows = ops.gather(weight, index, 0)
    if scale_grad_by_freq:
        often = (input.reshape(-1, 1) == input.reshape(1, -1)).astype(weight.dtype).sum(1)[Tensor(places)]
        scaled = rows / often.unsqueeze(-1)
        rows = scaled + ops.stop_gradient(rows - scaled)
    member = kept.unsqueeze(-1)
    if mode == "max":
        some = kept.any(1).unsqueeze(-1)
        best = ops.max(ops.where(member, rows, Tensor(-math.inf, weight.dtype)), axis=1)[0]
        return ops.where(some, best, ops.zeros_like(best))
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.reshape(-1)[Tensor(places)].unsqueeze(-1)
    total = ops.where(member, rows, ops.zeros_like(rows)).sum(1)
    if mode == "sum":
        return total
    return total / ops.maximum(kept.astype(weight.dtype).sum(1, keepdims=True), Tensor(1, weight.dtype))



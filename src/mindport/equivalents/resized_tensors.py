"""Tensors that get another size in place: `resize_` and `resize_as_`.

https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.resize_.html
"""

import math

from mindspore import Parameter, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.inplace import overwrite

LAYOUT = {"memory_format": "MindSpore's tensors are contiguous"}


def resized(tensor, shape):
    """Give a tensor new memory of that shape, which begins with what it held; what is new is zero."""
    if isinstance(tensor, Parameter):
        raise Refused("a parameter cannot be resized: make a new one")
    if tuple(tensor.shape) == shape:
        return tensor
    count, flat = math.prod(shape), tensor.reshape((-1,))
    kept = flat[:count] if count <= flat.shape[0] else ops.cat((flat, ops.zeros((count - flat.shape[0],), flat.dtype)))
    tensor.assign_value(kept.reshape(shape).copy())
    return tensor


@equivalent(
    "torch.Tensor.resize_", drops=LAYOUT,
    differs=[difference("what shares the tensor's memory (views, NumPy arrays) keeps the old memory, new elements are zero, and `x.data.resize_(…)` gives x itself the new size", zh="与其共享内存的视图和数组保留旧内存，新元素为零，`x.data.resize_` 也改变 x 本身")],
)
def resize_(self, *sizes, memory_format=None):
    """The tensor with another shape: its elements in their order, then zeros."""
    shape = tuple(sizes[0]) if len(sizes) == 1 and not isinstance(sizes[0], int) else tuple(sizes)
    return resized(self, tuple(int(size) for size in shape))


@equivalent(
    "torch.Tensor.resize_as_", "torch.resize_as_", drops=LAYOUT,
    differs=[difference("what shares the tensor's memory (views, NumPy arrays) keeps the old memory, new elements are zero, and `x.data.resize_(…)` gives x itself the new size", zh="与其共享内存的视图和数组保留旧内存，新元素为零，`x.data.resize_` 也改变 x 本身")],
)
def resize_as_(input, tensor, *, memory_format=None):
    """The tensor with the shape of another one."""
    return resized(input, tuple(tensor.shape))


@equivalent("torch.Tensor.copy__as_out", drops={"non_blocking": "MindSpore orders its own copies"})
def into_out(self, src, non_blocking=False):
    """A result written into the tensor that is the argument `out`, which takes its size; the result itself where `out` is None."""
    if self is None:
        return src
    return overwrite(resized(self, tuple(src.shape)), src)


@equivalent("torch.Tensor.copy__where_asked")
def into_where(self, src, inplace):
    """A function's result, written into its input where `inplace` asks for that."""
    return overwrite(self, src) if inplace else src

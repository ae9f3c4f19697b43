"""New tensors from a shape, a range or data. MindSpore's tensors have no layout, device or gradient flag of their own."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.python_data import holds_numbers, of_elements, with_axes

DROPPED = {
    "layout": "MindSpore's dense tensors have one layout",
    "device": "MindSpore computes on the target that ms.set_device names",
    "pin_memory": "MindSpore moves memory itself",
    "requires_grad": "ms.grad and ms.value_and_grad are told what to differentiate",
    "memory_format": "MindSpore chooses the memory order itself",
}


@equivalent("torch.zeros", drops=DROPPED)
def zeros(
    *sizes, size=None, out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    """Zeros, float32 unless told otherwise. https://docs.pytorch.org/docs/2.13/generated/torch.zeros.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if size is not None:
        if dtype is None and not with_axes(size):
            return ops.zeros(size, dtype=ms.float32)
        return ops.zeros(size, dtype=dtype)
    if len(sizes) == 1:
        if dtype is None and not with_axes(sizes[0]):
            return ops.zeros(sizes[0], dtype=ms.float32)
        return ops.zeros(sizes[0], dtype=dtype)
    return ops.zeros(sizes, dtype=dtype)


@equivalent("torch.ones", drops=DROPPED)
def ones(
    *sizes, size=None, out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    """Ones, float32 unless told otherwise. https://docs.pytorch.org/docs/2.13/generated/torch.ones.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if size is not None:
        if dtype is None and not with_axes(size):
            return ops.ones(size, dtype=ms.float32)
        return ops.ones(size, dtype=dtype)
    if len(sizes) == 1:
        if dtype is None and not with_axes(sizes[0]):
            return ops.ones(sizes[0], dtype=ms.float32)
        return ops.ones(sizes[0], dtype=dtype)
    return ops.ones(sizes, dtype=dtype)


@equivalent("torch.empty", drops=DROPPED, random=True)
def empty(
    *sizes, size=None, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False,
    memory_format=None,
):
    """Zeros: torch leaves the contents open. https://docs.pytorch.org/docs/2.13/generated/torch.empty.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if size is not None:
        if dtype is None and not with_axes(size):
            return ops.zeros(size, dtype=ms.float32)
        return ops.zeros(size, dtype=dtype)
    if len(sizes) == 1:
        if dtype is None and not with_axes(sizes[0]):
            return ops.zeros(sizes[0], dtype=ms.float32)
        return ops.zeros(sizes[0], dtype=dtype)
    return ops.zeros(sizes, dtype=dtype)


@equivalent("torch.full", drops=DROPPED)
def full(size, fill_value, *, out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """One value in every place; its type gives the dtype. https://docs.pytorch.org/docs/2.13/generated/torch.full.html

    `ops.full` without a dtype makes int64 of 0.3.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if dtype is not None:
        return ops.full(size, fill_value, dtype=dtype)
    if isinstance(fill_value, Tensor):
        return ops.full(size, fill_value, dtype=fill_value.dtype)
    if isinstance(fill_value, bool):
        return ops.full(size, fill_value, dtype=ms.bool_)
    if isinstance(fill_value, int):
        return ops.full(size, fill_value, dtype=ms.int64)
    return ops.full(size, fill_value, dtype=ms.float32)


@equivalent("torch.zeros_like", drops=DROPPED)
def zeros_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None):
    """Zeros of the input's shape and dtype. https://docs.pytorch.org/docs/2.13/generated/torch.zeros_like.html"""
    return ops.zeros_like(input, dtype=dtype)


@equivalent("torch.ones_like", drops=DROPPED)
def ones_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None):
    """Ones of the input's shape and dtype. https://docs.pytorch.org/docs/2.13/generated/torch.ones_like.html"""
    return ops.ones_like(input, dtype=dtype)


@equivalent("torch.empty_like", drops=DROPPED, random=True)
def empty_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None):
    """Zeros of the input's shape and dtype: torch leaves the contents open."""
    return ops.zeros_like(input, dtype=dtype)


@equivalent("torch.full_like", drops=DROPPED)
def full_like(input, fill_value, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None):
    """One value in the input's shape and dtype. https://docs.pytorch.org/docs/2.13/generated/torch.full_like.html"""
    return ops.full_like(input, fill_value, dtype=dtype)


@equivalent("torch.Tensor.new_zeros", drops=DROPPED)
def tensor_new_zeros(self, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """Zeros of the tensor's dtype."""
    if len(size) == 1:
        return self.new_zeros(size[0], dtype=dtype)
    return self.new_zeros(size, dtype=dtype)


@equivalent("torch.Tensor.new_ones", drops=DROPPED)
def tensor_new_ones(self, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """Ones of the tensor's dtype."""
    if len(size) == 1:
        return self.new_ones(size[0], dtype=dtype)
    return self.new_ones(size, dtype=dtype)


@equivalent("torch.Tensor.new_empty", drops=DROPPED, random=True)
def tensor_new_empty(self, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """Zeros of the tensor's dtype: torch leaves the contents open."""
    if len(size) == 1:
        return self.new_zeros(size[0], dtype=dtype)
    return self.new_zeros(size, dtype=dtype)


@equivalent("torch.Tensor.new_full", drops=DROPPED)
def tensor_new_full(
    self, size, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False
):
    """One value in the tensor's dtype. `Tensor.new_full` exists on Ascend only."""
    if dtype is not None:
        return ops.full(size, fill_value, dtype=dtype)
    return ops.full(size, fill_value, dtype=self.dtype)


@equivalent("torch.Tensor.new_tensor", drops=DROPPED)
def tensor_new_tensor(self, data, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """The data in the tensor's dtype: a copy, also of a tensor, whose memory `ms.tensor` shares."""
    if isinstance(data, Tensor):
        return ops.stop_gradient(data).astype(self.dtype if dtype is None else dtype).copy()
    if dtype is not None:
        return tensor(data, dtype=dtype)
    if isinstance(data, (int, float)):
        return ms.tensor(data, dtype=self.dtype)
    if holds_numbers(data):
        return ms.tensor(data, dtype=self.dtype)
    if isinstance(data, np.ndarray):
        return ms.tensor(data, dtype=self.dtype)
    return of_elements(data, self.dtype)


@equivalent("torch.tensor", drops=DROPPED)
def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """A copy of numbers, nested lists, an array or a tensor, whose memory `ms.tensor` shares.

    https://docs.pytorch.org/docs/2.13/generated/torch.tensor.html
    """
    if isinstance(data, Tensor):
        return ops.stop_gradient(data).copy() if dtype is None else ops.stop_gradient(data).astype(dtype).copy()
    if isinstance(data, (int, float)):
        return ms.tensor(data, dtype=dtype)
    if holds_numbers(data):
        return ms.tensor(data, dtype=dtype)
    if isinstance(data, np.ndarray):
        return ms.tensor(data, dtype=dtype)
    return of_elements(data, dtype)


@equivalent("torch.as_tensor", "torch.asarray", drops=DROPPED)
def as_tensor(data, dtype=None, device=None):
    """The data as a tensor; a tensor of the right dtype as it is.

    https://docs.pytorch.org/docs/2.13/generated/torch.as_tensor.html
    """
    if isinstance(data, Tensor):
        return data if dtype is None else data.astype(dtype)
    if isinstance(data, (int, float)):
        return ms.tensor(data, dtype=dtype)
    if holds_numbers(data):
        return ms.tensor(data, dtype=dtype)
    if isinstance(data, np.ndarray):
        return ms.from_numpy(data) if dtype is None else ms.from_numpy(data).astype(dtype)
    return of_elements(data, dtype)


@equivalent("torch.scalar_tensor", drops=DROPPED)
def scalar_tensor(s, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """A 0-d tensor, float32 unless told otherwise."""
    if dtype is None:
        return ms.tensor(s, dtype=ms.float32)
    return ms.tensor(s, dtype=dtype)


@equivalent(
    "torch.frombuffer", drops={"requires_grad": "ms.grad and ms.value_and_grad are told what to differentiate"},
    differs=[difference("a copy: what changes in the buffer afterwards does not change the tensor", risk="style", zh="复制数据：之后修改缓冲区不影响张量")],
)
def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    """The numbers that stand in bytes. https://docs.pytorch.org/docs/2.13/generated/torch.frombuffer.html"""
    return Tensor(np.frombuffer(buffer, ms.dtype_to_nptype(dtype), count, offset).copy())


@equivalent(
    "torch.ByteStorage.from_buffer", drops={"byte_order": "a byte has no order"},
    differs=[difference("a tensor of the bytes, which has a tensor's methods", risk="loud", zh="得到字节的张量，只有张量的方法")],
)
def bytes_from_buffer(buffer, byte_order=None, count=-1, offset=0):
    """A copy of the bytes, for `torch.ByteTensor` to take. https://docs.pytorch.org/docs/2.13/storage.html"""
    return Tensor(np.frombuffer(buffer, np.uint8, count, offset).copy())


@equivalent("torch.from_numpy")
def from_numpy(ndarray):
    """A tensor on the array's memory. https://docs.pytorch.org/docs/2.13/generated/torch.from_numpy.html"""
    return ms.from_numpy(ndarray)

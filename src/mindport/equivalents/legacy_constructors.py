"""``torch.Tensor(2, 3)``, ``torch.FloatTensor(array)``: constructors named after a dtype, for sizes or for data.

Integers are sizes, and what torch leaves open holds zeros; anything else is data. https://docs.pytorch.org/docs/2.13/tensors.html#torch.Tensor
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, constant, difference, equivalent

DEVICE = {"device": "MindSpore has one device for all"}

#: Whether a tuple of integers may be a size: not in projects that hand none on (`tuples_of_data`).
MAY_BE_SIZES = [True]


def is_size(item):
    """One of several sizes: an integer, or a tensor that holds one (``lengths.max()``)."""
    if isinstance(item, Tensor):
        return item.size == 1 and item.dtype in (ms.int64, ms.int32, ms.int16, ms.int8, ms.uint8)
    return isinstance(item, (int, np.integer)) and not isinstance(item, bool)


def construct(data, dtype):
    """The tensor of the sizes or of the data, in the dtype of the class."""
    if not data:
        return ops.zeros((0,), dtype=dtype)
    if all(is_size(item) for item in data) and (len(data) > 1 or not isinstance(data[0], Tensor)):
        return ops.zeros(tuple(int(item) for item in data), dtype=dtype)
    if len(data) > 1:
        raise Refused("several arguments that are not all integers")
    if isinstance(data[0], Tensor):
        if data[0].dtype != dtype:
            raise TypeError(f"expected a tensor of {dtype}, not of {data[0].dtype}, as torch does")
        return data[0]
    if MAY_BE_SIZES[0] and isinstance(data[0], tuple) and all(type(item) is int for item in data[0]):
        raise Refused("a tuple of integers alone is data, but torch.Size, which is a tuple in MindSpore, is a size: write torch.empty(size) or torch.tensor(data)")
    if isinstance(data[0], list) and any(isinstance(item, Tensor) for item in data[0]):
        return ms.tensor([item.item() if isinstance(item, Tensor) else item for item in data[0]], dtype=dtype)
    return ms.tensor(np.asarray(data[0]), dtype=dtype)


@equivalent("torch.Tensor", "torch.FloatTensor", "torch.cuda.FloatTensor", drops=DEVICE)
def float_tensor(*data, device=None):
    """float32."""
    return construct(data, ms.float32)


@equivalent("torch.DoubleTensor", "torch.cuda.DoubleTensor", drops=DEVICE)
def double_tensor(*data, device=None):
    """float64."""
    return construct(data, ms.float64)


@equivalent("torch.HalfTensor", "torch.cuda.HalfTensor", drops=DEVICE)
def half_tensor(*data, device=None):
    """float16."""
    return construct(data, ms.float16)


@equivalent("torch.LongTensor", "torch.cuda.LongTensor", drops=DEVICE)
def long_tensor(*data, device=None):
    """int64."""
    return construct(data, ms.int64)


@equivalent("torch.IntTensor", "torch.cuda.IntTensor", drops=DEVICE)
def int_tensor(*data, device=None):
    """int32."""
    return construct(data, ms.int32)


@equivalent("torch.ShortTensor", "torch.cuda.ShortTensor", drops=DEVICE)
def short_tensor(*data, device=None):
    """int16."""
    return construct(data, ms.int16)


@equivalent("torch.CharTensor", "torch.cuda.CharTensor", drops=DEVICE)
def char_tensor(*data, device=None):
    """int8."""
    return construct(data, ms.int8)


@equivalent("torch.ByteTensor", "torch.cuda.ByteTensor", drops=DEVICE)
def byte_tensor(*data, device=None):
    """uint8."""
    return construct(data, ms.uint8)


@equivalent("torch.BoolTensor", "torch.cuda.BoolTensor", drops=DEVICE)
def bool_tensor(*data, device=None):
    """bool."""
    return construct(data, ms.bool_)


@equivalent("torch.Tensor.new", drops=DEVICE)
def tensor_new(self, *data, device=None):
    """A tensor of the sizes, or of the data, in the dtype of this one. The form before `new_zeros` and `new_tensor`, as torch/_C/__init__.pyi declares it."""
    return construct(data, self.dtype)


class TensorClass(type):
    """The kind of `FloatTensor` and its like: a call makes a tensor, and instances are the tensors of its dtype."""

    def __call__(cls, *data, device=None):
        return construct(data, cls.dtype)

    def __instancecheck__(cls, instance):
        return isinstance(instance, Tensor) and instance.dtype == cls.dtype


class DefaultTensor(TensorClass):
    """The kind of `TorchTensor`: a call makes float32, and instances are all tensors."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, Tensor)


class TorchTensor(metaclass=DefaultTensor):
    """`torch.Tensor` handed on as a class, to be called elsewhere."""

    dtype = ms.float32


class FloatTensor(metaclass=TensorClass):
    """float32, as a class that is handed on, compared or given to `Tensor.type`."""

    dtype = ms.float32


class DoubleTensor(metaclass=TensorClass):
    """float64, as a class that is handed on, compared or given to `Tensor.type`."""

    dtype = ms.float64


class HalfTensor(metaclass=TensorClass):
    """float16, as a class that is handed on, compared or given to `Tensor.type`."""

    dtype = ms.float16


class LongTensor(metaclass=TensorClass):
    """int64, as a class that is handed on, compared or given to `Tensor.type`."""

    dtype = ms.int64


class IntTensor(metaclass=TensorClass):
    """int32, as a class that is handed on, compared or given to `Tensor.type`."""

    dtype = ms.int32


class ShortTensor(metaclass=TensorClass):
    """int16, as a class that is handed on, compared or given to `Tensor.type`."""

    dtype = ms.int16


class CharTensor(metaclass=TensorClass):
    """int8, as a class that is handed on, compared or given to `Tensor.type`."""

    dtype = ms.int8


class ByteTensor(metaclass=TensorClass):
    """uint8, as a class that is handed on, compared or given to `Tensor.type`."""

    dtype = ms.uint8


class BoolTensor(metaclass=TensorClass):
    """bool, as a class that is handed on, compared or given to `Tensor.type`."""

    dtype = ms.bool_


ONE_MEMORY = difference("every tensor of the dtype is an instance, wherever it lies: in torch those of the CPU are not", zh="该数据类型的所有张量都会被判断为该类型，不论所在设备")
constant("torch.FloatTensor", FloatTensor)
constant("torch.cuda.FloatTensor", FloatTensor, differs=[ONE_MEMORY])
constant("torch.DoubleTensor", DoubleTensor)
constant("torch.cuda.DoubleTensor", DoubleTensor, differs=[ONE_MEMORY])
constant("torch.HalfTensor", HalfTensor)
constant("torch.cuda.HalfTensor", HalfTensor, differs=[ONE_MEMORY])
constant("torch.LongTensor", LongTensor)
constant("torch.cuda.LongTensor", LongTensor, differs=[ONE_MEMORY])
constant("torch.IntTensor", IntTensor)
constant("torch.cuda.IntTensor", IntTensor, differs=[ONE_MEMORY])
constant("torch.ShortTensor", ShortTensor)
constant("torch.cuda.ShortTensor", ShortTensor, differs=[ONE_MEMORY])
constant("torch.CharTensor", CharTensor)
constant("torch.cuda.CharTensor", CharTensor, differs=[ONE_MEMORY])
constant("torch.ByteTensor", ByteTensor)
constant("torch.cuda.ByteTensor", ByteTensor, differs=[ONE_MEMORY])
constant("torch.BoolTensor", BoolTensor)
constant("torch.cuda.BoolTensor", BoolTensor, differs=[ONE_MEMORY])
constant("torch.autograd.Variable", Tensor)


@equivalent(
    "torch.autograd.Variable", view=True,
    drops={"requires_grad": "ms.grad and ms.value_and_grad are told what to differentiate", "volatile": "torch itself ignores it since version 0.4"},
)
def variable(data, requires_grad=False, volatile=False):
    """A tensor over the memory of `data`, cut off from its gradient, as `data.detach()` is."""
    return ops.stop_gradient(data)

"""``torch.Tensor(2, 3)``, ``torch.FloatTensor(array)``: constructors named after a dtype, for sizes or for data.

Integers are sizes, and what torch leaves open holds zeros; anything else is data. https://docs.pytorch.org/docs/2.13/tensors.html#torch.Tensor
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, equivalent

DEVICE = {"device": "MindSpore has one device for all"}


def construct(data, dtype):
    """The tensor of the sizes or of the data, in the dtype of the class."""
    if not data:
        return ops.zeros((0,), dtype=dtype)
    if all(isinstance(item, (int, np.integer)) and not isinstance(item, bool) for item in data):
        return ops.zeros(tuple(int(item) for item in data), dtype=dtype)
    if len(data) > 1:
        raise Refused("several arguments that are not all integers")
    if isinstance(data[0], Tensor):
        if data[0].dtype != dtype:
            raise TypeError(f"expected a tensor of {dtype}, not of {data[0].dtype}, as torch does")
        return data[0]
    if isinstance(data[0], tuple):
        raise Refused("a tuple alone is data, but torch.Size, which is a tuple in MindSpore, is a size: write torch.empty(size) or torch.tensor(data)")
    if isinstance(data[0], list) and any(isinstance(item, Tensor) for item in data[0]):
        return ms.tensor([item.item() for item in data[0]], dtype=dtype)
    return ms.tensor(np.asarray(data[0]), dtype=dtype)


@equivalent("torch.Tensor", "torch.FloatTensor", drops=DEVICE)
def float_tensor(*data, device=None):
    """float32."""
    return construct(data, ms.float32)


@equivalent("torch.DoubleTensor", drops=DEVICE)
def double_tensor(*data, device=None):
    """float64."""
    return construct(data, ms.float64)


@equivalent("torch.HalfTensor", drops=DEVICE)
def half_tensor(*data, device=None):
    """float16."""
    return construct(data, ms.float16)


@equivalent("torch.LongTensor", drops=DEVICE)
def long_tensor(*data, device=None):
    """int64."""
    return construct(data, ms.int64)


@equivalent("torch.IntTensor", drops=DEVICE)
def int_tensor(*data, device=None):
    """int32."""
    return construct(data, ms.int32)


@equivalent("torch.ShortTensor", drops=DEVICE)
def short_tensor(*data, device=None):
    """int16."""
    return construct(data, ms.int16)


@equivalent("torch.CharTensor", drops=DEVICE)
def char_tensor(*data, device=None):
    """int8."""
    return construct(data, ms.int8)


@equivalent("torch.ByteTensor", drops=DEVICE)
def byte_tensor(*data, device=None):
    """uint8."""
    return construct(data, ms.uint8)


@equivalent("torch.BoolTensor", drops=DEVICE)
def bool_tensor(*data, device=None):
    """bool."""
    return construct(data, ms.bool_)

"""torch names that stand for values and types."""

import math

import mindspore as ms
from mindspore import Tensor

from mindport.declare import constant

#: The torch whose behaviour these functions have: programs compare it to choose between old and new calls.
TORCH_VERSION = "2.13.0"

constant("torch.__version__", TORCH_VERSION)
constant("torch.Tensor", Tensor)
constant("torch.Size", tuple)
constant("torch.dtype", ms.dtype.Type)
constant("torch.device", str)

constant("torch.float64", ms.float64)
constant("torch.double", ms.float64)
constant("torch.float32", ms.float32)
constant("torch.float", ms.float32)
constant("torch.float16", ms.float16)
constant("torch.half", ms.float16)
constant("torch.bfloat16", ms.bfloat16)
constant("torch.int64", ms.int64)
constant("torch.long", ms.int64)
constant("torch.int32", ms.int32)
constant("torch.int", ms.int32)
constant("torch.int16", ms.int16)
constant("torch.short", ms.int16)
constant("torch.int8", ms.int8)
constant("torch.uint8", ms.uint8)
constant("torch.uint16", ms.uint16)
constant("torch.uint32", ms.uint32)
constant("torch.uint64", ms.uint64)
constant("torch.bool", ms.bool_)
constant("torch.complex64", ms.complex64)
constant("torch.cfloat", ms.complex64)
constant("torch.complex128", ms.complex128)
constant("torch.cdouble", ms.complex128)

constant("torch.inf", math.inf)
constant("torch.nan", math.nan)
constant("torch.pi", math.pi)
constant("torch.e", math.e)
constant("torch.newaxis", None)


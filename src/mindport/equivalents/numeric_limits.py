"""torch.finfo and torch.iinfo: the limits of a dtype, as Python's numbers.

NumPy's own would be NumPy numbers, which make arrays of MindSpore's tensors when they stand before an operator. They are
looked up, not computed, so that a compiled function may ask for them.
"""

from types import SimpleNamespace

import mindspore as ms
import numpy as np

from mindport.declare import difference, equivalent

FIELDS = difference(
    "the result has the fields bits, dtype, eps, max, min, tiny, smallest_normal and resolution, and is of no class of its own",
    risk="style", zh="返回只含字段的普通对象",
)


def floating(bits, mantissa, digits, name):
    """The limits of a binary floating format of so many bits, with so many after the point and so many right decimals."""
    bias = 2 ** (bits - mantissa - 2) - 1
    eps, tiny, largest = 2.0**-mantissa, 2.0 ** (1 - bias), (2 - 2.0**-mantissa) * 2.0**bias
    return SimpleNamespace(
        bits=bits, dtype=name, eps=eps, max=largest, min=-largest, tiny=tiny, smallest_normal=tiny, resolution=10.0**-digits
    )


def whole(dtype):
    """The limits of NumPy's integer dtype."""
    limits = np.iinfo(dtype)
    return SimpleNamespace(bits=limits.bits, dtype=str(limits.dtype), max=int(limits.max), min=int(limits.min))


SINGLE = floating(32, 23, 6, "float32")
DOUBLE = floating(64, 52, 15, "float64")
FLOATING = {
    ms.float16: floating(16, 10, 3, "float16"), ms.bfloat16: floating(16, 7, 2, "bfloat16"), ms.float32: SINGLE, ms.float64: DOUBLE,
    ms.complex64: SINGLE, ms.complex128: DOUBLE,
}
WHOLE = {
    ms.int8: whole(np.int8), ms.uint8: whole(np.uint8), ms.int16: whole(np.int16), ms.uint16: whole(np.uint16), ms.int32: whole(np.int32),
    ms.uint32: whole(np.uint32), ms.int64: whole(np.int64), ms.uint64: whole(np.uint64),
}


@equivalent("torch.finfo", differs=[FIELDS])
def finfo(type=ms.float32):
    """The limits of a floating dtype. https://docs.pytorch.org/docs/2.13/type_info.html"""
    return FLOATING[type]


@equivalent("torch.iinfo", differs=[FIELDS])
def iinfo(type):
    """The limits of an integer dtype. https://docs.pytorch.org/docs/2.13/type_info.html"""
    return WHOLE[type]

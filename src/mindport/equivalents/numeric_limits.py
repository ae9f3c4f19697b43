"""torch.finfo and torch.iinfo: the limits of a dtype, as NumPy gives them."""

import mindspore as ms
import numpy as np

from mindport.declare import Refused, difference, equivalent

FIELDS = difference(
    "the result has NumPy's fields: smallest_normal and resolution are as in torch, bits too; dtype is a NumPy dtype",
    risk="style", zh="返回 NumPy 的 finfo/iinfo 对象",
)


@equivalent("torch.finfo", differs=[FIELDS])
def finfo(type=ms.float32):
    """The limits of a floating dtype. https://docs.pytorch.org/docs/2.13/type_info.html"""
    if type == ms.bfloat16:
        raise Refused("NumPy knows no bfloat16: write the limit as a number")
    return np.finfo(ms.dtype_to_nptype(type))


@equivalent("torch.iinfo", differs=[FIELDS])
def iinfo(type):
    """The limits of an integer dtype. https://docs.pytorch.org/docs/2.13/type_info.html"""
    return np.iinfo(ms.dtype_to_nptype(type))

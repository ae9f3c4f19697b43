"""torch names that stand for values and types."""

import math
import re

import mindspore as ms
from mindspore import Tensor

from mindport.declare import constant, difference


class TorchVersion(str):
    """A version's text that compares by its numbers, with texts and tuples, as ``torch.__version__`` does: "2.13" > "2.2"."""

    def _order(self, other):
        """-1, 0 or 1; None where the other is no version. A pre-release stands before its release."""
        keys = []
        for version in (self, other):
            text = ".".join(map(str, version)) if isinstance(version, (tuple, list)) else str(version)
            found = re.fullmatch(r"v?(\d+(?:\.\d+)*)[-_.]?((?:a|b|c|rc|alpha|beta|pre|preview|dev)[-_.]?\d*)?(.*)", text.strip().lower())
            if found is None:
                return None
            numbers = [int(number) for number in found[1].split(".")]
            while numbers and not numbers[-1]:
                numbers.pop()
            keys.append((numbers, not found[2], found[3]))
        return (keys[0] > keys[1]) - (keys[0] < keys[1])

    def __eq__(self, other):
        order = self._order(other)
        return str.__eq__(self, other) if order is None else order == 0

    def __lt__(self, other):
        order = self._order(other)
        return str.__lt__(self, other) if order is None else order < 0

    def __gt__(self, other):
        order = self._order(other)
        return str.__gt__(self, other) if order is None else order > 0

    def __le__(self, other):
        order = self._order(other)
        return str.__le__(self, other) if order is None else order <= 0

    def __ge__(self, other):
        order = self._order(other)
        return str.__ge__(self, other) if order is None else order >= 0

    __hash__ = str.__hash__


#: The torch whose behaviour these functions have: programs compare it to choose between old and new calls.
TORCH_VERSION = TorchVersion("2.13.0")

constant("torch.__version__", TORCH_VERSION)
constant("torchvision.__version__", "0.28.0", differs=[difference("the build behind the version is left out (+cpu, +cu130)", risk="style", zh="省略了版本号后的构建标识（+cpu、+cu130）")])
constant("torch.Tensor", Tensor)
constant("torch.Size", tuple, differs=[difference("a plain tuple is an instance, too: the shapes of MindSpore's tensors are tuples", zh="普通元组也会被判断为该类型：MindSpore 张量的形状就是元组")])
constant("torch.dtype", ms.dtype.Type)
constant("torch.device", str, differs=[difference("any text is an instance, too: devices are texts", zh="任何字符串都会被判断为该类型：设备用字符串表示")])

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


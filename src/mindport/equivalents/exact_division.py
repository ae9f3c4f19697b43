"""``%`` and ``//`` of int64 tensors beyond 2**53, which MindSpore's kernels on CPU compute by way of float64: ``(ids * 2654435761) % buckets`` is another bucket.

What is left over behind the quotient of the kernel is a few times the divisor, and exact, as int64 products wrap around: it is divided once more.
"""

import mindspore as ms
from mindspore import Tensor


def exact_remainder(number, divisor, quotient, remainder):
    """number % divisor by the kernels that are exact for small numbers."""
    return remainder(number - quotient(number, divisor) * divisor, divisor)


def exact_quotient(number, divisor, quotient, remainder):
    """number // divisor by the kernels that are exact for small numbers."""
    found = quotient(number, divisor)
    return found + quotient(number - found * divisor, divisor)


def are_whole(number, divisor):
    """Whether it is int64 by whole numbers."""
    if not isinstance(number, Tensor) or number.dtype != ms.int64 or isinstance(divisor, bool):
        return False
    return isinstance(divisor, int) or isinstance(divisor, Tensor) and divisor.dtype in (ms.int64, ms.int32, ms.int16, ms.int8, ms.uint8)


def divide_exactly():
    """int64 tensors' operators give the exact numbers; the others keep MindSpore's."""
    quotient, remainder = Tensor.__floordiv__, Tensor.__mod__
    Tensor.__floordiv__ = lambda self, other: exact_quotient(self, other, quotient, remainder) if are_whole(self, other) else quotient(self, other)
    Tensor.__mod__ = lambda self, other: exact_remainder(self, other, quotient, remainder) if are_whole(self, other) else remainder(self, other)
    return True


DIVIDES_EXACTLY = divide_exactly()

"""Arithmetic of two tensors, or of a tensor and a number.

MindSpore promotes tensors and Python numbers as torch does (int64 + 1.5 is float32), so the operators need no
casts here. One exception: + and - let a 0-d tensor widen the result (float16 + a 0-d float32 tensor is float32,
in torch float16), * and / do not.
"""

import math

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.exact_numbers import exact
from mindport.equivalents.near_zero import log1p_near_zero
from mindport.equivalents.pointwise import signbit
from mindport.equivalents.python_data import seen_dtype
from mindport.equivalents.queries import result_type
from mindport.equivalents.truncated_division import rounded

DIVISION = difference(
    "where the quotient is not finite, or the divisor is infinite, the sign or NaN differs: x / -0.0 has the sign of x / 0.0, NaN / 0 is infinite",
    when="isinstance(other, Tensor) and not (ms.isfinite(input / other) & ms.isfinite(other)).all()", zh="商或除数非有限时，符号或 NaN 不同",
)
TENSOR_DIVISION = difference(
    "where the quotient is not finite, or the divisor is infinite, the sign or NaN differs: x / -0.0 has the sign of x / 0.0, NaN / 0 is infinite",
    when="isinstance(other, Tensor) and not (ms.isfinite(self / other) & ms.isfinite(other)).all()", zh="商或除数非有限时，符号或 NaN 不同",
)


@equivalent("torch.add")
def add(input, other, *, alpha=1, out=None):
    """input + alpha * other. https://docs.pytorch.org/docs/2.13/generated/torch.add.html

    Written with the operator: `ops.add` has no boolean kernel.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if alpha == 1:
        return input + other
    return input + alpha * other


@equivalent("torch.Tensor.add")
def tensor_add(self, other, *, alpha=1):
    """self + alpha * other."""
    if alpha == 1:
        return self.add(other)
    if seen_dtype(self, ms.float64):
        return self + exact(alpha, self) * other
    return self.add(other, alpha=alpha)


@equivalent("torch.sub", "torch.subtract")
def sub(input, other, *, alpha=1, out=None):
    """input - alpha * other. https://docs.pytorch.org/docs/2.13/generated/torch.sub.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if alpha == 1:
        return ops.sub(input, other)
    return input - alpha * other


@equivalent("torch.Tensor.sub", "torch.Tensor.subtract")
def tensor_sub(self, other, *, alpha=1):
    """self - alpha * other."""
    if alpha == 1:
        return self.sub(other)
    if seen_dtype(self, ms.float64):
        return self - exact(alpha, self) * other
    return self.sub(other, alpha=alpha)


@equivalent("torch.rsub")
def rsub(input, other, *, alpha=1):
    """other - alpha * input."""
    if alpha == 1:
        return other - input
    return other - alpha * input


@equivalent("torch.mul", "torch.multiply")
def mul(input, other, *, out=None):
    """input * other. https://docs.pytorch.org/docs/2.13/generated/torch.mul.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return input * other  # `ops.mul(uint8, 2)` makes every later uint8 * int64 wrong: docs/differences/functions.md


@equivalent("torch.Tensor.mul", "torch.Tensor.multiply")
def tensor_mul(self, other):
    """self * other."""
    return self.mul(other)


@equivalent("torch.div", "torch.divide", differs=[DIVISION])
def div(input, other, *, rounding_mode=None, out=None):
    """input / other, floored ("floor") or truncated ("trunc") on request; integers divide to float32.

    Floored, int32 by a number has no kernel in the function for both ("KernelMod Init Failed: FloorDiv"), in that for one it has.
    https://docs.pytorch.org/docs/2.13/generated/torch.div.html
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if rounding_mode is None:
        return ops.div(input, other)
    if rounding_mode == "floor":
        return ops.floor_divide(input, other)
    return rounded(input, other, rounding_mode)


@equivalent("torch.Tensor.div", "torch.Tensor.divide", differs=[TENSOR_DIVISION])
def tensor_div(self, other, *, rounding_mode=None):
    """self / other, floored ("floor") or truncated ("trunc") on request; integers divide to float32.

    The method with a number and a rounding mode has no kernel ("Trunc should have 1 outputs, but got 2"), the function has.
    """
    if rounding_mode is None:
        return self.div(other)
    if rounding_mode == "floor":
        return ops.floor_divide(self, other)
    return rounded(self, other, rounding_mode)


@equivalent("torch.true_divide", "torch.Tensor.true_divide", differs=[DIVISION])
def true_divide(input, other, *, out=None):
    """input / other; integers divide to float32."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.true_divide(input, other)


@equivalent("torch.floor_divide", differs=[DIVISION, difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def floor_divide(input, other, *, out=None):
    """The quotient rounded towards minus infinity. https://docs.pytorch.org/docs/2.13/generated/torch.floor_divide.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.floor_divide(input, other)


@equivalent("torch.Tensor.floor_divide", differs=[TENSOR_DIVISION, difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(self).all()", zh="输入含 NaN 或无穷时结果不同")])
def tensor_floor_divide(self, other):
    """The quotient rounded towards minus infinity; by MindSpore's own method, whole numbers and a number raise on CPU.

    https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.floor_divide.html
    """
    return ops.floor_divide(self, other)


@equivalent("torch.remainder", differs=[DIVISION])
def remainder(input, other, *, out=None):
    """The remainder with the divisor's sign, exact as an operator: `ops.remainder` is input - floor(input / other) * other.

    https://docs.pytorch.org/docs/2.13/generated/torch.remainder.html
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return input % other


@equivalent("torch.Tensor.remainder", differs=[TENSOR_DIVISION])
def tensor_remainder(self, other):
    """The remainder with the divisor's sign."""
    return self % other


@equivalent("torch.fmod", "torch.Tensor.fmod", differs=[DIVISION])
def fmod(input, other, *, out=None):
    """The remainder with the dividend's sign: of sizes, by the operator, which is exact; `ops.fmod` loses digits far from zero.

    https://docs.pytorch.org/docs/2.13/generated/torch.fmod.html
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(other, int) and input.dtype == ms.uint8:
        other = other % 256  # -3 is 253 among bytes
    size = ops.where(input < 0, -input, input) % abs(other)
    return ops.where(input < 0, -size, size)


@equivalent("torch.ldexp", "torch.Tensor.ldexp", differs=[difference("torch's gradient is 0 where a whole exponent is negative (2 ** -1 of whole numbers); here it is 2 ** other", when="not other.is_floating_point() and (other < 0).any()", risk="style", zh="指数为负整数时 torch 的梯度为 0，此处为 2 ** other")])
def ldexp(input, other, *, out=None):
    """input * 2 ** other."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.ldexp(input, other).astype(input.dtype) if input.is_floating_point() and not other.is_floating_point() else ops.ldexp(input, other)


@equivalent("torch.addcmul", "torch.Tensor.addcmul")
def addcmul(input, tensor1, tensor2, *, value=1, out=None):
    """input + value * tensor1 * tensor2. https://docs.pytorch.org/docs/2.13/generated/torch.addcmul.html

    By operators, which promote: `ops.addcmul` takes three tensors of one dtype, and computes float64 with the digits of float32.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(value, int) and value == 1:
        return input + tensor1 * tensor2
    if seen_dtype(input, ms.float64):
        return input + exact(value, input) * tensor1 * tensor2
    return input + value * tensor1 * tensor2


OF_QUOTIENT = difference("where the quotient is not finite, or the divisor is infinite, the sign or NaN differs: x / -0.0 has the sign of x / 0.0, NaN / 0 is infinite", when="not (ms.isfinite(tensor1 / tensor2) & ms.isfinite(tensor2)).all()", zh="商或除数非有限时，符号或 NaN 不同")


@equivalent("torch.addcdiv", "torch.Tensor.addcdiv", differs=[OF_QUOTIENT])
def addcdiv(input, tensor1, tensor2, *, value=1, out=None):
    """input + value * tensor1 / tensor2. https://docs.pytorch.org/docs/2.13/generated/torch.addcdiv.html

    MindSpore's own `addcdiv` takes divisors below 1e-5 or so for zero (CPU): an Adam with ``sqrt(v) + 1e-8`` gets infinity and NaN.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return with_quotient(input, value, tensor1, tensor2)


def with_quotient(x, value, above, below):
    """x + value * above / below, computed in the dtype of the result."""
    if above.dtype != x.dtype or below.dtype != x.dtype:
        kind = (x + above / below).dtype
        x, above, below = x.astype(kind), above.astype(kind), below.astype(kind)
    return x + above / below if isinstance(value, int) and value == 1 else x + exact(value, x) * above / below


@equivalent("torch.lerp")
def lerp(input, end, weight, *, out=None):
    """input + weight * (end - input). https://docs.pytorch.org/docs/2.13/generated/torch.lerp.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if seen_dtype(input, ms.float64):  # no kernel
        return input + exact(weight, input) * (end - input)
    return ops.lerp(input, end, weight)


@equivalent("torch.Tensor.lerp")
def tensor_lerp(self, end, weight):
    """self + weight * (end - self)."""
    if seen_dtype(self, ms.float64):  # no kernel
        return self + exact(weight, self) * (end - self)
    return self.lerp(end, weight)


@equivalent("torch.maximum", "torch.Tensor.maximum", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def maximum(input, other, *, out=None):
    """The greater element; NaN where either is NaN. https://docs.pytorch.org/docs/2.13/generated/torch.maximum.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.maximum(input, other)


@equivalent("torch.minimum", "torch.Tensor.minimum", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def minimum(input, other, *, out=None):
    """The smaller element; NaN where either is NaN. https://docs.pytorch.org/docs/2.13/generated/torch.minimum.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.minimum(input, other)


@equivalent("torch.fmax", "torch.Tensor.fmax")
def fmax(input, other, *, out=None):
    """The greater element; the number where the other one is NaN."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.fmax(input, other)


@equivalent("torch.fmin", "torch.Tensor.fmin")
def fmin(input, other, *, out=None):
    """The smaller element; the number where the other one is NaN. `ops.fmin` has no CPU kernel."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if not input.is_floating_point() and not other.is_floating_point():
        return ops.minimum(input, other)
    if input.dtype != other.dtype:  # minus a byte is a byte
        return fmin(*_alike(input, other))
    return -ops.fmax(-input, -other)


@equivalent("torch.hypot", "torch.Tensor.hypot")
def hypot(input, other, *, out=None):
    """sqrt(input ** 2 + other ** 2)."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.hypot(input, other)


@equivalent("torch.atan2", "torch.arctan2", "torch.Tensor.atan2", "torch.Tensor.arctan2")
def atan2(input, other, *, out=None):
    """The angle of the point (other, input), in (-pi, pi]. https://docs.pytorch.org/docs/2.13/generated/torch.atan2.html

    Its gradient is 0 at the origin, as in torch.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    origin = ops.logical_and(input == 0, other == 0)
    return ops.atan2(ops.where(origin, ops.stop_gradient(input), input), ops.where(origin, ops.stop_gradient(other), other))


def below(high, low):
    """low - high, 0 for two equal infinities; elsewhere equal numbers keep their gradient."""
    return ops.where(ops.logical_and(low == high, ops.isinf(high)), 0.0, low - high)


@equivalent("torch.logaddexp", "torch.Tensor.logaddexp")
def logaddexp(input, other, *, out=None):
    """log(exp(input) + exp(other)), without overflow; `ops.logaddexp` gives NaN of two equal infinities."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    first = input > other
    high, low = ops.where(first, input, other), ops.where(first, other, input)
    return high + log1p_near_zero(ops.exp(below(high, low)))


@equivalent("torch.logaddexp2", "torch.Tensor.logaddexp2")
def logaddexp2(input, other, *, out=None):
    """log2(2 ** input + 2 ** other), without overflow; `ops.logaddexp2` gives NaN of two equal infinities."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    first = input > other
    high, low = ops.where(first, input, other), ops.where(first, other, input)
    return high + log1p_near_zero(ops.exp2(below(high, low))) / exact(math.log(2), high)


@equivalent("torch.xlogy", "torch.special.xlogy", "torch.Tensor.xlogy")
def xlogy(input, other, *, out=None):
    """input * log(other), 0 where input is 0 unless other is NaN. `ops.xlogy(0, 0)` is NaN on CPU."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    product = input * other
    kind = product.dtype if product.is_floating_point() else ms.float32
    other = other.astype(kind) if isinstance(other, Tensor) else Tensor(float(other), kind)
    harmless = ops.logical_and(input == 0, ops.logical_or(other <= 0, other == math.inf))
    return input * ops.log(ops.where(harmless, 1.0, other))


@equivalent("torch.copysign", "torch.Tensor.copysign")
def copysign(input, other, *, out=None):
    """|input| with other's sign."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if not isinstance(other, Tensor):
        size = ops.abs(input).astype(input.dtype if input.is_floating_point() else ms.float32)
        return -size if math.copysign(1.0, other) < 0 else size
    if other.dtype != input.dtype:
        return copysign(*_alike(input, other))
    if not other.is_floating_point():
        return ops.copysign(input, other)
    size = ops.abs(input)
    return ops.where(signbit(other), -size, size)  # `ops.copysign` takes -0.0 for positive


def _alike(input, other):
    """Both in the dtype that their sum has."""
    kind = (ops.zeros_like(input) + ops.zeros_like(other)).dtype
    return input.astype(kind), other.astype(kind)


@equivalent("torch.heaviside", "torch.Tensor.heaviside")
def heaviside(input, values, *, out=None):
    """0 below zero, 1 above it, `values` at zero; `ops.heaviside` takes 1e-30 for zero."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.where(input == 0, values, (input > 0).astype(input.dtype))


NO_BYTES = difference("uint8 has no kernel on CPU: convert to int32 before, and back", when="input.dtype == ms.uint8", risk="loud", zh="CPU 无 uint8 内核：请先转换为 int32")


@equivalent("torch.gcd", "torch.Tensor.gcd", differs=[NO_BYTES])
def gcd(input, other, *, out=None):
    """The greatest common divisor."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.gcd(input, other)


@equivalent("torch.lcm", "torch.Tensor.lcm", differs=[NO_BYTES])
def lcm(input, other, *, out=None):
    """The least common multiple."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.lcm(input, other)


@equivalent("torch.nextafter", "torch.Tensor.nextafter", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(input).all()", zh="输入含 NaN 或无穷时结果不同")])
def nextafter(input, other, *, out=None):
    """The next floating number after input towards other, by NumPy: `ops.nextafter` of float32 gives its input back."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if ms.bfloat16 in (input.dtype, other.dtype):
        raise Refused("NumPy knows no bfloat16")
    if input.dtype != other.dtype:  # NumPy would go to float64
        common = result_type(input, other)
        input, other = input.astype(common), other.astype(common)
    found = Tensor(np.asarray(np.nextafter(input.asnumpy(), other.asnumpy())))
    # The gradient is input's, none where the two are equal, as in torch.
    return found + ops.where(input == other, ops.zeros_like(found), input - ops.stop_gradient(input))

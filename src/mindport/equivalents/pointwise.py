"""Signs, rounding, limits and other functions of one tensor, elementwise.

An integer tensor raises on CPU in most of these, where torch returns float32: the CPU backend registers
floating kernels only. Ascend has them.
"""

import math
import sys

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.python_data import seen_dtype, seen_tensor

LARGEST = sys.float_info.max


@equivalent("torch.abs", "torch.absolute", differs=[difference("a complex input gives a complex result, whose imaginary part is 0", when="input.is_complex()", zh="复数输入得到复数结果")])
def torch_abs(input, *, out=None):
    """|x|, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.abs.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.abs(input)


@equivalent("torch.Tensor.abs", "torch.Tensor.absolute", differs=[difference("a complex input gives a complex result, whose imaginary part is 0", when="self.is_complex()", zh="复数输入得到复数结果")])
def tensor_abs(self):
    """|x|, elementwise."""
    return self.abs()


@equivalent("torch.neg", "torch.negative")
def neg(input, *, out=None):
    """-x, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.neg.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.neg(input)


@equivalent("torch.Tensor.neg", "torch.Tensor.negative")
def tensor_neg(self):
    """-x, elementwise."""
    return self.neg()


@equivalent("torch.sign")
def sign(input, *, out=None):
    """The sign of x, elementwise, in x's dtype. https://docs.pytorch.org/docs/2.13/generated/torch.sign.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if seen_dtype(input, ms.uint8, ms.int8, ms.int16, ms.bool_):  # no kernel
        return ops.sign(input.astype(ms.int32)).astype(input.dtype)
    return ops.sign(input)


@equivalent("torch.Tensor.sign")
def tensor_sign(self):
    """The sign of x, elementwise, in x's dtype."""
    if seen_dtype(self, ms.uint8, ms.int8, ms.int16, ms.bool_):  # no kernel
        return self.astype(ms.int32).sign().astype(self.dtype)
    return self.sign()


@equivalent("torch.ceil")
def ceil(input, *, out=None):
    """The smallest integer not below x, elementwise, in x's dtype. https://docs.pytorch.org/docs/2.13/generated/torch.ceil.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.ceil(input)


@equivalent("torch.Tensor.ceil")
def tensor_ceil(self):
    """The smallest integer not below x, elementwise, in x's dtype."""
    return self.ceil()


@equivalent("torch.floor")
def floor(input, *, out=None):
    """The largest integer not above x, elementwise, in x's dtype. https://docs.pytorch.org/docs/2.13/generated/torch.floor.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.floor(input)


@equivalent("torch.Tensor.floor")
def tensor_floor(self):
    """The largest integer not above x, elementwise, in x's dtype."""
    return self.floor()


@equivalent("torch.trunc", "torch.fix")
def trunc(input, *, out=None):
    """x without its fractional part, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.trunc.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.trunc(input)


@equivalent("torch.Tensor.trunc", "torch.Tensor.fix")
def tensor_trunc(self):
    """x without its fractional part, elementwise."""
    return self.trunc()


@equivalent("torch.frac")
def frac(input, *, out=None):
    """The fractional part of x, with x's sign. https://docs.pytorch.org/docs/2.13/generated/torch.frac.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.frac(input)


@equivalent("torch.Tensor.frac")
def tensor_frac(self):
    """The fractional part of x, with x's sign."""
    return self.frac()


@equivalent("torch.round", "torch.special.round")
def torch_round(input, *, decimals=0, out=None):
    """x rounded to `decimals` digits, halves to even; MindSpore's decimals run on Ascend only. https://docs.pytorch.org/docs/2.13/generated/torch.round.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if decimals == 0:
        return ops.round(input)
    if decimals < 0:  # 0.001 is no float: half a thousand would not lie between two thousands
        return ops.round(input / 10**-decimals) * 10**-decimals
    return ops.round(input * 10**decimals) / 10**decimals


@equivalent("torch.Tensor.round")
def tensor_round(self, *, decimals=0):
    """x rounded to `decimals` digits, halves to even."""
    if decimals == 0:
        return self.round()
    if decimals < 0:
        return ops.round(self / 10**-decimals) * 10**-decimals
    return ops.round(self * 10**decimals) / 10**decimals


@equivalent("torch.sgn", "torch.Tensor.sgn")
def sgn(input, *, out=None):
    """The sign of a real x, elementwise; x / |x| for complex x."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if seen_dtype(input, ms.uint8, ms.int8, ms.int16, ms.bool_):  # no kernel
        return ops.sign(input.astype(ms.int32)).astype(input.dtype)
    return ops.sgn(input)


@equivalent("torch.signbit", "torch.Tensor.signbit", differs=[difference("the sign of NaN is not kept in bfloat16", when="input.dtype == ms.bfloat16 and ms.isnan(input).any()", risk="style", zh="bfloat16 中 NaN 的符号不保留")])
def signbit(input, *, out=None):
    """True where the sign bit is set, also for -0.0, which `ops.signbit` takes for positive."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if input.dtype == ms.float32:
        return input.view(ms.int32) < 0
    if input.dtype == ms.float64:
        return input.view(ms.int64) < 0
    if input.dtype in (ms.float16, ms.bfloat16):
        return input.view(ms.int16) < 0
    return ops.signbit(input)


@equivalent("torch.positive", "torch.Tensor.positive")
def positive(input):
    """x itself."""
    return input


@equivalent("torch.nan_to_num", "torch.Tensor.nan_to_num")
def nan_to_num(input, nan=0.0, posinf=None, neginf=None, *, out=None):
    """NaN and the infinities replaced; None means the largest and the lowest number of the dtype; of complex numbers each part. Whole numbers and truth values have neither: a copy."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if input.is_complex():
        return ops.Complex()(nan_to_num(ops.real(input), nan, posinf, neginf), nan_to_num(ops.imag(input), nan, posinf, neginf))
    if not input.is_floating_point():
        return ops.stop_gradient(input.copy())  # MindSpore gives truth values gradients, and fails to add two of them
    if input.dtype == ms.float64:  # the kernel has none
        top, bottom = LARGEST if posinf is None else posinf, -LARGEST if neginf is None else neginf
        finite = ops.where(input == math.inf, Tensor(top, ms.float64), ops.where(input == -math.inf, Tensor(bottom, ms.float64), input))
        return ops.where(ops.isnan(input), Tensor(nan or 0.0, ms.float64), finite)  # a number given to masked_fill goes through float32
    return ops.nan_to_num(input, nan, posinf, neginf)


@equivalent("torch.clamp", "torch.clip", differs=[difference("NaN or infinity in the input or a bound gives another result on CPU", when="not ms.isfinite(input).all() or isinstance(min, Tensor) and ms.isnan(min).any() or isinstance(max, Tensor) and ms.isnan(max).any()", zh="输入或界限含 NaN 或无穷时结果不同")])
def clamp(input, min=None, max=None, *, out=None):
    """x limited to [min, max]; numbers or tensors, and beside a number a tensor without axes is one, too. https://docs.pytorch.org/docs/2.13/generated/torch.clamp.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if seen_tensor(max) and isinstance(min, (int, float)):
        return ops.clamp(input, min, max.item())
    if seen_tensor(min) and isinstance(max, (int, float)):
        return ops.clamp(input, min.item(), max)
    return ops.clamp(input, min, max)


@equivalent("torch.Tensor.clamp", "torch.Tensor.clip", differs=[difference("NaN or infinity in the input or a bound gives another result on CPU", when="not ms.isfinite(self).all() or isinstance(min, Tensor) and ms.isnan(min).any() or isinstance(max, Tensor) and ms.isnan(max).any()", zh="输入或界限含 NaN 或无穷时结果不同")])
def tensor_clamp(self, min=None, max=None):
    """x limited to [min, max]; numbers or tensors, and beside a number a tensor without axes is one, too."""
    if seen_tensor(max) and isinstance(min, (int, float)):
        return self.clamp(min, max.item())
    if seen_tensor(min) and isinstance(max, (int, float)):
        return self.clamp(min.item(), max)
    return self.clamp(min, max)


@equivalent("torch.clamp_min", "torch.Tensor.clamp_min", differs=[difference("NaN or infinity in the input or a bound gives another result on CPU", when="not ms.isfinite(input).all() or isinstance(min, Tensor) and ms.isnan(min).any()", zh="输入或界限含 NaN 或无穷时结果不同")])
def clamp_min(input, min, *, out=None):
    """x where it is at least min, else min."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(min, Tensor):
        return ops.where(input < min, min, input)
    return ops.clamp(input, min)


@equivalent("torch.clamp_max", "torch.Tensor.clamp_max", differs=[difference("NaN or infinity in the input or a bound gives another result on CPU", when="not ms.isfinite(input).all() or isinstance(max, Tensor) and ms.isnan(max).any()", zh="输入或界限含 NaN 或无穷时结果不同")])
def clamp_max(input, max, *, out=None):
    """x where it is at most max, else max."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(max, Tensor):
        return ops.where(input > max, max, input)
    return ops.clamp(input, None, max)

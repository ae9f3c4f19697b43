"""Powers. Where base and exponent are both 0 the gradient of MindSpore's operator is NaN and torch's is 0: `power` is for what may be so."""

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent

WHOLE_POWER = difference("0 to a negative power is the least integer, and powers of bytes that overflow are 0", when="isinstance(input, Tensor) and isinstance(exponent, Tensor) and not input.is_floating_point() and not exponent.is_floating_point()", zh="整数 0 的负数次幂不同")
TENSOR_WHOLE_POWER = difference("0 to a negative power is the least integer, and powers of bytes that overflow are 0", when="isinstance(exponent, Tensor) and not self.is_floating_point() and not exponent.is_floating_point()", zh="整数 0 的负数次幂不同")


def power(input, exponent):
    """``input ** exponent``, with torch's gradient of 0 to the power of 0."""
    if not isinstance(input, Tensor) or not input.is_floating_point() or (isinstance(exponent, Tensor) and exponent.is_complex()):
        return input**exponent
    return ops.where((input == 0) & (exponent == 0), ops.ones_like(input), input) ** exponent


@equivalent("torch.pow", differs=[WHOLE_POWER])
def torch_pow(input, exponent, *, out=None):
    """input to the power of exponent; either may be a number. https://docs.pytorch.org/docs/2.13/generated/torch.pow.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(exponent, float) or (isinstance(exponent, int) and exponent != 0):
        return ops.pow(input, exponent)
    if isinstance(input, int) or isinstance(input, float):
        return ops.pow(input, exponent)
    return power(input, exponent)


@equivalent("torch.Tensor.pow", differs=[TENSOR_WHOLE_POWER])
def tensor_pow(self, exponent):
    """self to the power of exponent."""
    if isinstance(exponent, float) or (isinstance(exponent, int) and exponent != 0):
        return self.pow(exponent)
    return power(self, exponent)


@equivalent("torch.float_power", "torch.Tensor.float_power")
def float_power(input, exponent, *, out=None):
    """input to the power of exponent, computed and returned in float64."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if isinstance(exponent, float) or (isinstance(exponent, int) and exponent != 0):
        return ops.float_power(input, exponent)
    if isinstance(input, int) or isinstance(input, float):
        return ops.float_power(input, exponent)
    return _float_power(input, exponent)


def _float_power(input, exponent):
    if not isinstance(input, Tensor) or input.is_complex() or (isinstance(exponent, Tensor) and exponent.is_complex()):
        return ops.float_power(input, exponent)
    return power(input.astype(ms.float64), exponent.astype(ms.float64) if isinstance(exponent, Tensor) else exponent)

"""tanh that keeps its digits where it is near 1.

MindSpore's kernel on CPU is off by 1e-4 near 5, where its gradient is 0 for torch's 2e-4, and passes 1 by 1e-5, so that the density of a squashed
action, ``log(1 - tanh(x) ** 2)``, is NaN. The tangent of the double, 2 t / (1 + t²) with t = tanh(x / 2), is flat in t where t is near 1: nothing of
the error is left (1.3e-7 from -20 to 20, its gradient 1.7e-7; docs/differences/whole-range.md). It costs four operations more, on every device.
"""

import mindspore as ms
from mindspore import ops

from mindport.declare import Refused, equivalent


@equivalent("torch.tanh", "torch.Tensor.tanh", "torch.nn.functional.tanh", opinfo="tanh")
def tanh(input, *, out=None):
    """The hyperbolic tangent, elementwise. https://docs.pytorch.org/docs/2.13/generated/torch.tanh.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return tanh_of(input)


def tanh_of(x):
    """tanh(x), elementwise; float32 for whole numbers. Kernels of the other dtypes are exact: they compute by themselves."""
    if x.dtype in (ms.float16, ms.bfloat16, ms.float64, ms.complex64, ms.complex128):
        return ops.tanh(x)
    t = ops.tanh(x * 0.5)
    return 2 * t / (1 + t * t)

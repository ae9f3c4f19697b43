"""tanh that keeps its digits where it is near 1.

MindSpore's kernel of float32 on CPU is off by 1e-4 near 5, where its gradient is 0 for torch's 2e-4, and passes 1 by 1e-5, so that the density of a
squashed action, ``log(1 - tanh(x) ** 2)``, is NaN. Its kernel of float64 is exact, so float32 goes through it there; on other devices nothing changes
(docs/differences/whole-range.md).
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


#: Asked once: graphs cannot ask. A build for another device starts with that device.
ON_CPU = ms.get_context("device_target") == "CPU"


def tanh_of(x):
    """tanh(x), elementwise; float32 for whole numbers."""
    if ON_CPU and x.dtype not in (ms.float16, ms.bfloat16, ms.float64, ms.complex64, ms.complex128):
        return ops.tanh(x.astype(ms.float64)).astype(ms.float32)
    return ops.tanh(x)

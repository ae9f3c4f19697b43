"""Logarithms whose whole part counts: MindSpore's CPU kernels give log2(8) as 2.9999993, whose floor is 2; torch's is 3."""

import mindspore as ms
from mindspore import ops


def exact_log(x):
    """The natural logarithm, computed in float64 and given in the dtype of `x`. https://docs.pytorch.org/docs/2.13/generated/torch.log.html"""
    return ops.log(x.astype(ms.float64)).astype(x.dtype if x.is_floating_point() else ms.float32)


def exact_log2(x):
    """The logarithm to base 2, computed in float64. https://docs.pytorch.org/docs/2.13/generated/torch.log2.html"""
    return ops.log2(x.astype(ms.float64)).astype(x.dtype if x.is_floating_point() else ms.float32)


def exact_log10(x):
    """The logarithm to base 10, computed in float64. https://docs.pytorch.org/docs/2.13/generated/torch.log10.html"""
    return ops.log10(x.astype(ms.float64)).astype(x.dtype if x.is_floating_point() else ms.float32)

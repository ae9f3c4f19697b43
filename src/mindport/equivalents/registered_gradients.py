"""Gradients of gradients that MindSpore lacks: rules for the backward passes of functions, and a label that is picked by a mask.

``ms.jit`` of a gradient of a gradient raises "bprop not defined" for these primitives. Their rules are put where MindSpore's own
rules in Python stand (`bprop_getters`: not documented, in 2.10), by projects that differentiate gradients.
Each rule gives the gradients by the primitive's arguments; `dout` is the gradient by its result.
"""

import mindspore as ms
from mindspore import ops
from mindspore.ops._grad_experimental.grad_base import bprop_getters
from mindspore.ops.auto_generate import (
    BinaryCrossEntropyWithLogitsBackward,
    EluGrad,
    GeLUGrad,
    HSwishGrad,
    LogSoftmaxGrad,
    ReLU6Grad,
)
from mindspore.ops.function import array_func, nn_func
from mindspore.ops.operations import GatherD

from mindport.equivalents.registered_norms import OF_NORMS
from mindport.equivalents.registered_pieces import MEAN, NONE, OF_PIECES
from mindport.equivalents.registered_pooling import OF_POOLING

#: gelu with tanh: x / 2 · (1 + tanh(SLOPE · (x + CUBE · x³))).
SLOPE = 0.7978845608028654
CUBE = 0.044715
#: Elements of the largest mask that indices are gathered by.
MOST_MASKED = 2**22
GATHER = GatherD()
#: What has gradients, and whose sums keep their dtype.
NUMBERS = (ms.float32, ms.float16, ms.float64, ms.bfloat16)


def of_log_softmax(primitive):
    """dx = dy − exp(y) · Σ dy, with y the logarithms."""

    def bprop(y, dy, axis, out, dout):
        p = ops.exp(y)
        return -p * dout * dy.sum(axis, keepdims=True), dout - (p * dout).sum(axis, keepdims=True), 0

    return bprop


def of_binary_cross_entropy(primitive):
    """dx = go · w · ((1 + (pos − 1) · t) · σ(x) − pos · t), over the number of elements for a mean."""

    def bprop(go, x, t, weight, pos, reduction, out, dout):
        p = ops.sigmoid(x)
        positive = ops.ones_like(t) if pos is None else pos
        rise = 1 + (positive - 1) * t
        w = dout if weight is None else dout * weight
        w = w / x.size if reduction == MEAN else w
        each = w * (rise * p - positive * t)
        by_go = each if reduction == NONE else each.sum().reshape(go.shape)
        by_weight = weight if weight is None else ops.zeros_like(weight)
        by_pos = pos if pos is None else ops.zeros_like(pos)
        return by_go, go * w * rise * p * (1 - p), go * w * ((positive - 1) * p - positive), by_weight, by_pos, 0

    return bprop


def of_elu(primitive):
    """dx = dy where y > 0, dy · (1 + y) elsewhere, with y the result."""

    def bprop(dy, y, out, dout):
        low = (y <= 0).astype(y.dtype)
        return dout * (1 + low * y), dout * dy * low

    return bprop


def of_relu6(primitive):
    """dx = dy between 0 and 6."""

    def bprop(dy, x, out, dout):
        return dout * ops.logical_and(x > 0, x < 6).astype(x.dtype), ops.zeros_like(x)

    return bprop


def of_hardswish(primitive):
    """dx = dy · (2x + 3) / 6 between −3 and 3, dy above."""

    def bprop(dy, x, out, dout):
        inner = (ops.abs(x) < 3).astype(x.dtype)
        return dout * (inner * (2 * x + 3) / 6 + (x >= 3).astype(x.dtype)), dout * dy * inner / 3

    return bprop


def of_gelu(primitive):
    """dx = dy · ((1 + t) / 2 + x / 2 · s · u), with t = tanh(SLOPE · (x + CUBE · x³)), s = 1 − t², u the slope inside of tanh."""

    def bprop(dy, x, y, out, dout):
        high = ops.sigmoid(2 * SLOPE * (x + CUBE * x * x * x))  # tanh is off by 1e-4 on CPU, and s by more
        t, s = 2 * high - 1, 4 * high * (1 - high)
        u, bend = SLOPE * (1 + 3 * CUBE * x * x), 6 * SLOPE * CUBE * x
        first = 0.5 * (1 + t) + 0.5 * x * s * u
        second = s * u + 0.5 * x * (s * bend - 2 * t * s * u * u)
        return dout * first, dout * dy * second, ops.zeros_like(y)

    return bprop


def picked(x, axis, index):
    """`x` at one index an axis: MindSpore's gather has a backward pass that cannot be differentiated."""
    places = ops.arange(x.shape[axis]).astype(index.dtype)
    places = places.reshape((-1,) + (1,) * (x.ndim - 1 - axis % x.ndim))
    return ops.where(places == index, x, ops.zeros_like(x)).sum(axis, keepdims=True)


def gathered(x, dim, index):
    """`x` at indices along an axis, by a mask where that is small: `GatherD`'s backward pass cannot be differentiated in graph mode."""
    if x.ndim == 0 or index.ndim == 0:
        return gathered(x.reshape((1,)) if x.ndim == 0 else x, 0, index.reshape((-1,))).reshape(index.shape)
    if x.dtype not in NUMBERS or x.ndim != index.ndim or x.shape[dim] * index.size > MOST_MASKED:
        return GATHER(x, dim, index)
    axis = dim % x.ndim
    whole = x
    for other in range(x.ndim):
        if other != axis and index.shape[other] != x.shape[other]:
            whole = ops.narrow(whole, other, 0, index.shape[other])
    places = ops.arange(x.shape[axis]).astype(index.dtype)
    spread = ops.movedim(whole, axis, -1).unsqueeze(axis)
    return ops.where(index.unsqueeze(-1) == places, spread, ops.zeros_like(spread)).sum(-1)


def register():
    """Puts the rules where MindSpore looks for them, in this process."""
    rules = (
        (LogSoftmaxGrad, of_log_softmax), (BinaryCrossEntropyWithLogitsBackward, of_binary_cross_entropy), (EluGrad, of_elu),
        (ReLU6Grad, of_relu6), (HSwishGrad, of_hardswish), (GeLUGrad, of_gelu), *OF_POOLING, *OF_NORMS, *OF_PIECES,
    )  # fmt: skip
    for primitive, rule in rules:
        bprop_getters.register(primitive)(rule)
    nn_func.gather_d_ = picked
    array_func.gather_d_ = gathered
    return True


SECOND_GRADIENTS = register()

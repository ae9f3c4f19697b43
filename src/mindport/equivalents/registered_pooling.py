"""Second gradients of pooling and resizing, which MindSpore lacks: their backward passes are linear, so what goes back through these is the forward pass.

Only primitives whose settings are among their arguments, or follow from shapes: a rule is asked for by its primitive's name and sees no attributes.
Each rule gives the gradients by the primitive's arguments; `dout` is the gradient by its result.
"""

from mindspore import ops
from mindspore.ops.auto_generate import (
    AvgPool,
    AvgPoolGrad,
    ResizeBilinearGrad,
    ResizeBilinearV2,
    ResizeNearestNeighborV2,
    ResizeNearestNeighborV2Grad,
)
from mindspore.ops.operations._grad_ops import AdaptiveAvgPool2DGrad, MaxPoolGradWithArgmaxV2
from mindspore.ops.primitive import _primexpr

#: How primitives call the borders.
SAME = 1


@_primexpr
def averaging(kernel, strides, mode):
    """The windows' means, for settings as primitives have them."""
    return AvgPool(kernel[-2:], strides[-2:], "same" if mode == SAME else "valid")


def of_average_pooling(primitive):
    """What the windows' means are of `dout`."""

    def bprop(x, y, dy, kernel, strides, mode, layout, out, dout):
        return ops.zeros_like(x), ops.zeros_like(y), averaging(kernel, strides, mode)(dout), 0, 0, 0, 0

    return bprop


def of_adaptive_average_pooling(primitive):
    """The same with as many windows as `dy` has places."""

    def bprop(dy, shape, out, dout):
        return ops.adaptive_avg_pool2d(dout, dy.shape[-2:]), ops.zeros_like(shape)

    return bprop


def taken(dout, argmax):
    """`dout` of (…, H, W) at the places in each plane that `argmax` of (…, h, w) counts through."""
    flat = argmax.shape[:-2] + (-1,)
    return ops.gather_elements(dout.reshape(dout.shape[:-2] + (-1,)), len(flat) - 1, argmax.reshape(flat)).reshape(argmax.shape)


def of_max_pooling(primitive):
    """`dout` where the greatest elements stood."""

    def bprop(x, dy, argmax, out, dout):
        return ops.zeros_like(x), taken(dout, argmax), ops.zeros_like(argmax)

    return bprop


def of_nearest(primitive):
    """`dout`, resized."""

    def bprop(dy, size, corners, centers, out, dout):
        return ResizeNearestNeighborV2(corners, centers)(dout, dy.shape[2:]), 0, False, False

    return bprop


def of_bilinear(primitive):
    """`dout`, resized."""

    def bprop(dy, image, corners, centers, out, dout):
        return ResizeBilinearV2(corners, centers)(dout, dy.shape[2:]), ops.zeros_like(image), False, False

    return bprop


#: Primitive → rule.
OF_POOLING = (
    (AvgPoolGrad, of_average_pooling), (AdaptiveAvgPool2DGrad, of_adaptive_average_pooling), (MaxPoolGradWithArgmaxV2, of_max_pooling),
    (ResizeNearestNeighborV2Grad, of_nearest), (ResizeBilinearGrad, of_bilinear),
)  # fmt: skip

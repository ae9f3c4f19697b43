"""torch.nn.functional.pad in all its modes."""

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent

EMPTY = difference("a result without elements raises", when="input.numel() == 0", risk="loud", zh="结果为空时报错")


def cropped(x, widths):
    """x without what negative widths take away, and the widths with zeros in their place.

    MindSpore 2.10's constant padding gives other values on each call when a width is negative.
    """
    for index in range(len(widths) // 2):
        before, after = max(-widths[2 * index], 0), max(-widths[2 * index + 1], 0)
        if before or after:
            axis = x.ndim - 1 - index
            x = x.narrow(axis, before, x.shape[axis] - before - after)
    return x, tuple(max(width, 0) for width in widths)


def without_crop(pad):
    """Whether no width is negative. As a guard it holds only where conversion sees all widths."""
    return len(pad) == 0 or min(pad) >= 0  # graph mode knows no default of min


def bordered(x, pad, value):
    """One value around the last axes, negative widths cropped first."""
    size = list(x.shape)
    for place, width in enumerate(pad):
        size[x.ndim - 1 - place // 2] += width
    if 0 in size:
        return ops.zeros(tuple(size), x.dtype)  # neither `narrow` nor padding ends in nothing
    x, widths = cropped(x, pad)
    return ops.pad(x, widths, value=value)


@equivalent("torch.nn.functional.pad", differs=[EMPTY])
def pad(input, pad, mode="constant", value=None):
    """Values around the last axes, the last axis first: (left, right, top, bottom, …).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.pad.html
    """
    if mode == "constant" and without_crop(pad):
        return ops.pad(input, pad, value=0 if value is None else value)
    if mode == "constant":
        return bordered(input, pad, 0 if value is None else value)
    if mode == "circular":
        return _circular(input, pad)
    if value is not None and value != 0:
        raise Refused("value goes with mode='constant' only")
    if mode == "reflect":
        return ops.pad(input, pad, mode) if len(pad) < 6 else _reflected(input, pad)
    return ops.pad(input, pad, mode)


def _reflected(x, pad):
    """Axis by axis; `ops.pad` reflects two at most."""
    for place in range(len(pad) // 2):
        axis = x.ndim - 1 - place
        length = x.shape[axis]
        places = [abs(i) for i in range(-pad[2 * place], length + pad[2 * place + 1])]
        places = [i if i < length else 2 * (length - 1) - i for i in places]
        x = ops.gather(x, Tensor(places, ms.int64), axis)
    return x


def _circular(x, pad):
    for place in range(len(pad) // 2):
        axis = x.ndim - 1 - place
        left, right = pad[2 * place], pad[2 * place + 1]
        before = (slice(None),) * axis
        length = x.shape[axis]
        parts = [x[(*before, slice(length - left, length))]] if left > 0 else []
        parts.append(x[(*before, slice(max(-left, 0), length + min(right, 0)))])
        if right > 0:
            parts.append(x[(*before, slice(0, right))])
        x = ops.cat(parts, axis=axis) if len(parts) > 1 else parts[0]
    return x


@equivalent("torch.constant_pad_nd", differs=[EMPTY])
def constant_pad_nd(input, pad, value=0):
    """One value around the last axes."""
    if without_crop(pad):
        return ops.pad(input, pad, value=value)
    return bordered(input, pad, value)

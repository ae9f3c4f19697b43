"""torchvision's deformable convolution: each element of the kernel reads where an offset moves it to."""

import mindspore as ms
from mindspore import ops

from mindport.declare import Refused, equivalent


def pair(value):
    """One number stands for both."""
    return (value, value) if isinstance(value, int) else (value[0], value[1])


def bilinear(planes, y, x):
    """Values of planes (B, C, H, W) at real positions (B, P), zero beyond the border: (B, C, P)."""
    batch, channels, height, width = planes.shape
    flat = planes.reshape((batch, channels, height * width))
    top, left = ops.floor(y), ops.floor(x)
    total = None
    for down in (0, 1):
        for right in (0, 1):
            row, column = ops.stop_gradient(top + down), ops.stop_gradient(left + right)
            weight = (1 - ops.abs(y - row)) * (1 - ops.abs(x - column))
            inside = ops.logical_and(ops.logical_and(row >= 0, row < height), ops.logical_and(column >= 0, column < width))
            place = ops.clamp(row, 0, height - 1).astype(ms.int32) * width + ops.clamp(column, 0, width - 1).astype(ms.int32)
            place = ops.broadcast_to(place.unsqueeze(1), (batch, channels, place.shape[1]))
            found = ops.gather_elements(flat, 2, place) * (weight * inside.astype(planes.dtype)).unsqueeze(1)
            total = found if total is None else total + found
    return total


@equivalent("torch.ops.torchvision.deform_conv2d")
def deform_conv2d(
    input, weight, offset, mask, bias, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, groups, offset_groups, use_mask
):  # fmt: skip
    """A convolution whose kernel element k reads at its place plus offset k (rows, then columns), times mask k.

    input (N, C, H, W), offset (N, 2·offset_groups·kh·kw, height, width), mask without the 2: (N, O, height, width).
    """
    batch, channels, height, width = input.shape
    kernel_h, kernel_w = weight.shape[2], weight.shape[3]
    out_h = (height + 2 * pad_h - dilation_h * (kernel_h - 1) - 1) // stride_h + 1
    out_w = (width + 2 * pad_w - dilation_w * (kernel_w - 1) - 1) // stride_w + 1
    taps = kernel_h * kernel_w
    if tuple(offset.shape) != (batch, 2 * offset_groups * taps, out_h, out_w):
        raise RuntimeError(f"offset has shape {tuple(offset.shape)}, not {(batch, 2 * offset_groups * taps, out_h, out_w)}")
    if channels % offset_groups != 0:
        raise Refused("the channels are no multiple of the groups of offsets")
    moved = offset.reshape((batch, offset_groups, kernel_h, kernel_w, 2, out_h, out_w))
    rows = (ops.arange(out_h) * stride_h - pad_h).reshape((1, 1, out_h, 1)) + (ops.arange(kernel_h) * dilation_h).reshape((kernel_h, 1, 1, 1))
    columns = (ops.arange(out_w) * stride_w - pad_w).reshape((1, 1, 1, out_w)) + (ops.arange(kernel_w) * dilation_w).reshape((1, kernel_w, 1, 1))
    y = (moved[:, :, :, :, 0] + rows.astype(input.dtype)).reshape((batch * offset_groups, -1))
    x = (moved[:, :, :, :, 1] + columns.astype(input.dtype)).reshape((batch * offset_groups, -1))
    share = channels // offset_groups
    read = bilinear(input.reshape((batch * offset_groups, share, height, width)), y, x)
    read = read.reshape((batch, offset_groups, share, taps, out_h * out_w))
    if use_mask:
        read = read * mask.reshape((batch, offset_groups, 1, taps, out_h * out_w))
    read = read.reshape((batch, groups, channels // groups * taps, out_h * out_w))
    kernels = weight.reshape((groups, weight.shape[0] // groups, channels // groups * taps))
    found = ops.matmul(kernels.unsqueeze(0), read).reshape((batch, weight.shape[0], out_h, out_w))
    return found if bias is None else found + bias.reshape((1, -1, 1, 1))


@equivalent("torchvision.ops.deform_conv2d", "torchvision.ops.deform_conv.deform_conv2d")
def deform_conv2d_of_pairs(input, offset, weight, bias=None, stride=(1, 1), padding=(0, 0), dilation=(1, 1), mask=None):
    """A convolution whose kernel elements read where offsets move them to, times a mask where there is one."""
    stride, padding, dilation = pair(stride), pair(padding), pair(dilation)
    offset_groups = offset.shape[1] // (2 * weight.shape[2] * weight.shape[3])
    if offset_groups == 0:
        raise RuntimeError("offset.shape[1] should be a multiple of 2 * weight.size[2] * weight.size[3]")
    return deform_conv2d(
        input, weight, offset, mask, bias, stride[0], stride[1], padding[0], padding[1], dilation[0], dilation[1],
        input.shape[1] // weight.shape[1], offset_groups, mask is not None,
    )  # fmt: skip

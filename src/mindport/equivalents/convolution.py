"""Convolutions. MindSpore's functions need pad_mode="pad" for any padding but none."""

from mindspore import ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.python_data import seen_axes

BATCH = difference("an input without the batch axis raises", when="not seen_axes(input, 2) and input.ndim == 2", risk="loud", zh="输入缺少批次维会报错")
WEIGHT = difference("a NaN or infinite weight does not reach what is padded", when="not ms.isfinite(weight).all()", risk="style", zh="NaN 或无穷权重不影响填充处")


def of_one(convolve, input, weight, bias, stride, padding, dilation, groups):
    """A convolution of an input without the batch axis."""
    if isinstance(padding, str):
        return convolve(input.unsqueeze(0), weight, bias, stride, padding, 0, dilation, groups).squeeze(0)
    return convolve(input.unsqueeze(0), weight, bias, stride, "pad", padding, dilation, groups).squeeze(0)


@equivalent("torch.nn.functional.conv1d", "torch.conv1d", opinfo="nn.functional.conv1d", differs=[BATCH, WEIGHT])
def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Cross-correlation over (N, C, L). https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.conv1d.html"""
    if seen_axes(input, 2):
        return of_one(ops.conv1d, input, weight, bias, stride, padding, dilation, groups)
    if padding == "same":
        return ops.conv1d(input, weight, bias, stride, "same", 0, dilation, groups)
    if padding == "valid":
        return ops.conv1d(input, weight, bias, stride, "valid", 0, dilation, groups)
    return ops.conv1d(input, weight, bias, stride=stride, pad_mode="pad", padding=padding, dilation=dilation, groups=groups)


@equivalent(
    "torch.nn.functional.conv2d", "torch.conv2d", opinfo="nn.functional.conv2d",
    differs=[difference("an input without the batch axis raises", when="not seen_axes(input, 3) and input.ndim == 3", risk="loud", zh="输入缺少批次维会报错"), WEIGHT],
)
def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Cross-correlation over (N, C, H, W). https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.conv2d.html"""
    if seen_axes(input, 3):
        return of_one(ops.conv2d, input, weight, bias, stride, padding, dilation, groups)
    if padding == "same":
        return ops.conv2d(input, weight, bias, stride, "same", 0, dilation, groups)
    if padding == "valid":
        return ops.conv2d(input, weight, bias, stride, "valid", 0, dilation, groups)
    return ops.conv2d(input, weight, bias, stride=stride, pad_mode="pad", padding=padding, dilation=dilation, groups=groups)


@equivalent(
    "torch.nn.functional.conv3d", "torch.conv3d", opinfo="nn.functional.conv3d",
    differs=[difference("an input without the batch axis raises", when="not seen_axes(input, 4) and input.ndim == 4", risk="loud", zh="输入缺少批次维会报错"), WEIGHT],
)
def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Cross-correlation over (N, C, D, H, W). https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.conv3d.html"""
    if seen_axes(input, 4):
        return of_one(ops.conv3d, input, weight, bias, stride, padding, dilation, groups)
    if padding == "same":
        return ops.conv3d(input, weight, bias, stride, "same", 0, dilation, groups)
    if padding == "valid":
        return ops.conv3d(input, weight, bias, stride, "valid", 0, dilation, groups)
    return ops.conv3d(input, weight, bias, stride=stride, pad_mode="pad", padding=padding, dilation=dilation, groups=groups)


@equivalent("torch.nn.functional.unfold")
def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """Sliding windows as columns, (N, C · window, positions).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.unfold.html
    """
    pairs = [(v, v) if isinstance(v, int) else tuple(v) for v in (kernel_size, dilation, padding, stride)]
    (kh, kw), (dh, dw), (ph, pw), (sh, sw) = pairs
    batched = input if input.ndim == 4 else input.expand_dims(0)
    n, c, height, width = batched.shape
    rows = (height + 2 * ph - dh * (kh - 1) - 1) // sh + 1
    columns = (width + 2 * pw - dw * (kw - 1) - 1) // sw + 1
    if rows < 1 or columns < 1:
        raise Refused("the window does not fit into the input")
    if n == 0:
        return input.reshape(0, c * kh * kw, rows * columns)  # still computed from the input
    x = ops.pad(batched, (pw, pw, ph, ph)) if ph or pw else batched
    # Gathered, not sliced: the gradient of slices with steps in two axes fails on CPU.
    down = ops.arange(0, kh * dh, dh).expand_dims(1) + ops.arange(0, rows * sh, sh)
    across = ops.arange(0, kw * dw, dw).expand_dims(1) + ops.arange(0, columns * sw, sw)
    windows = ops.gather(ops.gather(x, down, 2), across, 4).permute(0, 1, 2, 4, 3, 5)
    result = windows.reshape(n, c * kh * kw, rows * columns)
    return result if input.ndim == 4 else result[0]

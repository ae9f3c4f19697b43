"""Convolution layers.

MindSpore's cells take zero padding as ``pad_mode="pad"`` and call `groups` `group`, `bias` `has_bias`;
the default initialisation is torch's (uniform within 1/sqrt(fan_in), weight and bias).
"""

import mindspore as ms
from mindspore import nn, ops

from mindport.declare import Refused, difference, insert_axis, layer
from mindport.equivalents.python_data import each_axis, seen_list
from mindport.layers.padding import circular_border

DEVICE = {"device": "MindSpore places every parameter on the device of the context"}
WITHOUT_BATCH_1D = difference("an input without the batch axis raises", when="inputs and isinstance(inputs[0], Tensor) and not seen_axes(inputs[0], 2) and inputs[0].ndim == 2", risk="loud", zh="输入缺少批次维会报错")
WITHOUT_BATCH_2D = difference("an input without the batch axis raises", when="inputs and isinstance(inputs[0], Tensor) and not seen_axes(inputs[0], 3) and inputs[0].ndim == 3", risk="loud", zh="输入缺少批次维会报错")
WITHOUT_BATCH_3D = difference("an input without the batch axis raises", when="inputs and isinstance(inputs[0], Tensor) and not seen_axes(inputs[0], 4) and inputs[0].ndim == 4", risk="loud", zh="输入缺少批次维会报错")


def _border(padding, kernel_size, dilation):
    """torch's (left, right, top, bottom, ...) of a padding argument: last axis first."""
    widths = []
    for axis in range(len(kernel_size) - 1, -1, -1):
        if padding == "same":
            total = dilation[axis] * (kernel_size[axis] - 1)
            widths += [total // 2, total - total // 2]
        elif padding == "valid":
            widths += [0, 0]
        else:
            width = padding[axis] if isinstance(padding, (tuple, list)) else padding
            widths += [width, width]
    return tuple(widths)


def _bordered(x, widths, mode):
    """x with a border made from its own values; mode is torch's padding_mode."""
    if mode == "circular":
        return circular_border(x, widths)
    return ops.pad(x, widths, mode=mode)


@layer("torch.nn.Conv1d", state={"weight": insert_axis("weight", 2)}, attributes={"groups": "group"}, drops=DEVICE,
       base_suffices=True, differs=[WITHOUT_BATCH_1D])
class Conv1d(nn.Conv1d):
    """Cross-correlation over (N, C, L). The weight is stored as (out, in, 1, k).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Conv1d.html
    """

    border = None
    made_once = ("border", "border_mode")  # as torch's layer keeps its own: a padding that is set later counts for zeros alone

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1,
        bias=True, padding_mode="zeros", device=None, dtype=None,
    ):
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        if isinstance(kernel_size, tuple | list):
            kernel_size = kernel_size[0]
        if isinstance(stride, tuple | list):
            stride = stride[0]
        if isinstance(dilation, tuple | list):
            dilation = dilation[0]
        if isinstance(padding, tuple | list):
            padding = padding[0]
        if padding_mode == "zeros":
            if isinstance(padding, str):
                super().__init__(
                    in_channels, out_channels, kernel_size, stride, pad_mode=padding, dilation=dilation,
                    group=groups, has_bias=bias,
                )
            else:
                super().__init__(
                    in_channels, out_channels, kernel_size, stride, pad_mode="pad", padding=padding,
                    dilation=dilation, group=groups, has_bias=bias,
                )
        else:
            self.border = _border(padding, (kernel_size,), (dilation,))
            self.border_mode = padding_mode
            super().__init__(
                in_channels, out_channels, kernel_size, stride, pad_mode="valid", dilation=dilation,
                group=groups, has_bias=bias,
            )

    def construct(self, x):
        if x.ndim == 2:
            return self.construct(x.expand_dims(0)).squeeze(0)
        if self.border is not None:
            x = _bordered(x, self.border, self.border_mode)
        output = self.conv2d(x.expand_dims(2), self.weight)
        if self.has_bias:
            output = self.bias_add(output, self.bias)
        return output.squeeze(2)

    @property
    def groups(self):
        return self.group


@layer("torch.nn.Conv2d", attributes={"groups": "group"}, drops=DEVICE, base_suffices=True, differs=[WITHOUT_BATCH_2D])
class Conv2d(nn.Conv2d):
    """Cross-correlation over (N, C, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Conv2d.html
    """

    border = None
    made_once = ("border", "border_mode")  # as torch's layer keeps its own: a padding that is set later counts for zeros alone

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1,
        bias=True, padding_mode="zeros", device=None, dtype=None,
    ):
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        if seen_list(kernel_size) or seen_list(stride) or seen_list(dilation):
            kernel_size, stride, dilation = each_axis(2, kernel_size, stride, dilation)
        if padding_mode == "zeros":
            if isinstance(padding, tuple | list):
                super().__init__(
                    in_channels, out_channels, kernel_size, stride, pad_mode="pad",
                    padding=(padding[0], padding[0], padding[1], padding[1]),
                    dilation=dilation, group=groups, has_bias=bias,
                )
            elif isinstance(padding, str):
                super().__init__(
                    in_channels, out_channels, kernel_size, stride, pad_mode=padding, dilation=dilation,
                    group=groups, has_bias=bias,
                )
            else:
                super().__init__(
                    in_channels, out_channels, kernel_size, stride, pad_mode="pad", padding=padding,
                    dilation=dilation, group=groups, has_bias=bias,
                )
        else:
            self.border_mode = padding_mode
            super().__init__(
                in_channels, out_channels, kernel_size, stride, pad_mode="valid", dilation=dilation,
                group=groups, has_bias=bias,
            )
            self.border = _border(padding, self.kernel_size, self.dilation)

    def construct(self, x):
        if x.ndim == 3:
            return self.construct(x.expand_dims(0)).squeeze(0)
        if self.border is not None:
            x = _bordered(x, self.border, self.border_mode)
        output = self.conv2d(x, self.weight)
        if self.has_bias:
            output = self.bias_add(output, self.bias)
        return output

    @property
    def groups(self):
        return self.group


@layer("torch.nn.Conv3d", attributes={"groups": "group"}, drops=DEVICE, base_suffices=True, differs=[WITHOUT_BATCH_3D])
class Conv3d(nn.Conv3d):
    """Cross-correlation over (N, C, D, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Conv3d.html
    """

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1,
        bias=True, padding_mode="zeros", device=None, dtype=None,
    ):
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        if seen_list(kernel_size) or seen_list(stride) or seen_list(dilation):
            kernel_size, stride, dilation = each_axis(3, kernel_size, stride, dilation)
        if padding_mode != "zeros":
            raise Refused("padding_mode other than 'zeros': pad the input first with ops.pad")
        if isinstance(padding, tuple | list):
            super().__init__(
                in_channels, out_channels, kernel_size, stride, pad_mode="pad",
                padding=(padding[0], padding[0], padding[1], padding[1], padding[2], padding[2]),
                dilation=dilation, group=groups, has_bias=bias,
            )
        elif isinstance(padding, str):
            super().__init__(
                in_channels, out_channels, kernel_size, stride, pad_mode=padding, dilation=dilation,
                group=groups, has_bias=bias,
            )
        else:
            super().__init__(
                in_channels, out_channels, kernel_size, stride, pad_mode="pad", padding=padding,
                dilation=dilation, group=groups, has_bias=bias,
            )

    def construct(self, x):
        if x.ndim == 4:
            return super(Conv3d, self).construct(x.expand_dims(0)).squeeze(0)
        return super(Conv3d, self).construct(x)

    @property
    def groups(self):
        return self.group

"""Transposed convolutions.

`nn.Conv2dTranspose(output_padding=1)` appends zeros where torch computes a row, so `output_padding`
is never handed to it: what torch adds at the far end is a crop that is smaller there, which MindSpore
takes as asymmetric padding; where that would be negative, the class crops the full output itself.
"""

import mindspore as ms
from mindspore import nn, ops

from mindport.declare import Refused, insert_axis, layer
from mindport.equivalents.python_data import each_axis, seen_list
from mindport.equivalents.transposed_convolution import conv_transpose1d, conv_transpose2d, conv_transpose3d
from mindport.layers.convolution import DEVICE, WITHOUT_BATCH_2D, WITHOUT_BATCH_3D


def _axes(value, rank):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * rank


def _cropped(full, padding, extra):
    """The far ends of `full` lose `padding - extra` (or gain zeros), the near ends `padding`."""
    growth = ()
    for index in range(len(padding) - 1, -1, -1):
        growth += (0, max(extra[index] - padding[index], 0))
    if sum(growth) > 0:
        full = ops.pad(full, growth)
    for index in range(len(padding)):
        near, far = padding[index], max(padding[index] - extra[index], 0)
        full = full.narrow(index + 2, near, full.shape[index + 2] - near - far)
    return full


def _extra(output_size, x, reach, steps, widths, crop):
    """torch's output_padding for a wanted output size."""
    spatial = x.shape[2:]
    wanted = tuple(output_size)[-len(spatial):]
    extra = ()
    for axis, size in enumerate(wanted):
        smallest = (spatial[axis] - 1) * steps[axis] - 2 * crop[axis] + widths[axis] * (reach[axis] - 1) + 1
        if not smallest <= size < smallest + steps[axis]:
            raise ValueError(f"output_size {size} of axis {axis} is not within {smallest} and {steps[axis]} more")
        extra += (size - smallest,)
    return extra


def _of_size(convolve, layer, rank, x, output_size):
    """The transposed convolution of a layer that MindSpore's own cell computes, in a wanted size."""
    reach, steps, widths, crop = (_axes(sizes, rank) for sizes in (layer.kernel_size, layer.stride, layer.dilation, layer.padding))
    crop = crop[:: len(crop) // rank]  # MindSpore's are of both ends
    return convolve(x, layer.weight, layer.bias, steps, crop, _extra(output_size, x, reach, steps, widths, crop), layer.group, widths)


@layer("torch.nn.ConvTranspose1d", state={"weight": insert_axis("weight", 2)}, attributes={"groups": "group"}, drops=DEVICE,
       base_suffices=True)
class ConvTranspose1d(nn.Conv1dTranspose):
    """Gradient of a convolution with respect to its input, over (N, C, L).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ConvTranspose1d.html
    """

    crop = None

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1,
        bias=True, dilation=1, padding_mode="zeros", device=None, dtype=None,
    ):
        if padding_mode != "zeros":
            raise Refused("padding_mode: torch itself knows only 'zeros' for transposed convolutions")
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        # Its own sizes: where a program reads `kernel_size`, `stride` or `dilation`, they are torch's, of one axis, and MindSpore's cell computes with two.
        self.reach, self.steps, self.widths = _axes(kernel_size, 1), _axes(stride, 1), _axes(dilation, 1)
        self.inside, self.cut = 0, _axes(padding, 1)
        if output_padding == 0 and isinstance(kernel_size, int) and isinstance(padding, int):
            self.inside = padding
        else:
            self.crop, self.extra = _axes(padding, 1), _axes(output_padding, 1)
        super().__init__(
            in_channels, out_channels, self.reach[0], self.steps[0], pad_mode="pad", padding=self.inside,
            dilation=self.widths[0], group=groups, has_bias=bias,
        )

    def construct(self, x, output_size=None):
        if x.ndim == 2:
            return self.construct(x.expand_dims(0), output_size).squeeze(0)
        if self.crop is None and output_size is not None:
            return conv_transpose1d(x, self.weight.squeeze(2), self.bias, self.steps, self.cut, _extra(output_size, x, self.reach, self.steps, self.widths, self.cut), self.group, self.widths)
        length = (x.shape[2] - 1) * self.steps[0] + self.widths[0] * (self.reach[0] - 1) + 1 - 2 * self.inside
        output = self.conv2d_transpose(x.expand_dims(2), self.weight, (x.shape[0], self.out_channels, 1, length)).squeeze(2)
        if self.crop is not None:
            output = _cropped(output, self.crop, self.extra if output_size is None else _extra(output_size, x, self.reach, self.steps, self.widths, self.crop))
        return output if self.bias is None else output + self.bias.reshape((1, -1, 1))


@layer("torch.nn.ConvTranspose2d", attributes={"groups": "group"}, drops=DEVICE, base_suffices=True, differs=[WITHOUT_BATCH_2D])
class ConvTranspose2d(nn.Conv2dTranspose):
    """Gradient of a convolution with respect to its input, over (N, C, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ConvTranspose2d.html
    """

    crop = None

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1,
        bias=True, dilation=1, padding_mode="zeros", device=None, dtype=None,
    ):
        if padding_mode != "zeros":
            raise Refused("padding_mode: torch itself knows only 'zeros' for transposed convolutions")
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        if seen_list(kernel_size) or seen_list(stride) or seen_list(dilation):
            kernel_size, stride, dilation = each_axis(2, kernel_size, stride, dilation)
        if isinstance(padding, int) and output_padding == 0:
            super().__init__(
                in_channels, out_channels, kernel_size, stride, pad_mode="pad", padding=padding,
                dilation=dilation, group=groups, has_bias=bias,
            )
        elif isinstance(padding, int) and isinstance(output_padding, int) and padding >= output_padding:
            super().__init__(
                in_channels, out_channels, kernel_size, stride, pad_mode="pad",
                padding=(padding, padding - output_padding, padding, padding - output_padding),
                dilation=dilation, group=groups, has_bias=bias,
            )
        else:
            self.crop, self.extra = _axes(padding, 2), _axes(output_padding, 2)
            super().__init__(
                in_channels, out_channels, kernel_size, stride, pad_mode="pad", padding=0,
                dilation=dilation, group=groups, has_bias=bias,
            )

    def construct(self, x, output_size=None):
        if x.ndim == 3:
            return self.construct(x.expand_dims(0), output_size).squeeze(0)
        if self.crop is None and output_size is not None:
            return _of_size(conv_transpose2d, self, 2, x, output_size)
        # Not MindSpore's own `construct`, which appends what an attribute `output_padding` holds.
        weight = self.weight  # once: normalisations of weights compute it
        reach, steps, widths = weight.shape[2:], _axes(self.stride, 2), _axes(self.dilation, 2)
        height = (x.shape[2] - 1) * steps[0] + widths[0] * (reach[0] - 1) + 1 - self.padding_top - self.padding_bottom
        width = (x.shape[3] - 1) * steps[1] + widths[1] * (reach[1] - 1) + 1 - self.padding_left - self.padding_right
        output = self.conv2d_transpose(x, weight, (x.shape[0], self.out_channels, height, width))
        if self.crop is not None:
            output = _cropped(output, self.crop, self.extra if output_size is None else _extra(output_size, x, reach, steps, widths, self.crop))
        return output if self.bias is None else output + self.bias.reshape((1, -1, 1, 1))


@layer("torch.nn.ConvTranspose3d", attributes={"groups": "group"}, drops=DEVICE, base_suffices=True, differs=[WITHOUT_BATCH_3D])
class ConvTranspose3d(nn.Conv3dTranspose):
    """Gradient of a convolution with respect to its input, over (N, C, D, H, W).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ConvTranspose3d.html
    """

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1,
        bias=True, dilation=1, padding_mode="zeros", device=None, dtype=None,
    ):
        if padding_mode != "zeros":
            raise Refused("padding_mode: torch itself knows only 'zeros' for transposed convolutions")
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        if seen_list(kernel_size) or seen_list(stride) or seen_list(dilation):
            kernel_size, stride, dilation = each_axis(3, kernel_size, stride, dilation)
        if isinstance(padding, tuple | list):
            super().__init__(
                in_channels, out_channels, kernel_size, stride, pad_mode="pad",
                padding=(padding[0], padding[0], padding[1], padding[1], padding[2], padding[2]),
                dilation=dilation, group=groups, output_padding=output_padding, has_bias=bias,
            )
        else:
            super().__init__(
                in_channels, out_channels, kernel_size, stride, pad_mode="pad", padding=padding,
                dilation=dilation, group=groups, output_padding=output_padding, has_bias=bias,
            )

    def construct(self, x, output_size=None):
        if x.ndim == 4:
            return self.construct(x.expand_dims(0), output_size).squeeze(0)
        if output_size is None:
            return super(ConvTranspose3d, self).construct(x)
        return _of_size(conv_transpose3d, self, 3, x, output_size)

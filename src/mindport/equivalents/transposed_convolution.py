"""Transposed convolutions: the gradient of a convolution with respect to its input.

MindSpore's primitive is told the output's size, which holds `output_padding` (`nn.Conv2dTranspose` appends zeros
for it where torch computes values).
"""

from mindspore import ops

from mindport.declare import equivalent


def _axes(value, rank):
    """One number per axis, from a number, or from one or `rank` numbers."""
    if not isinstance(value, (tuple, list)):
        return (int(value),) * rank
    return tuple(value) * rank if len(value) == 1 else tuple(value)


def _sizes(lengths, kernel, stride, padding, extra, dilation):
    """The output's spatial lengths."""
    sizes = ()
    for axis, length in enumerate(lengths):
        sizes += ((length - 1) * stride[axis] - 2 * padding[axis] + dilation[axis] * (kernel[axis] - 1) + extra[axis] + 1,)
    return sizes


def _cropped(full, sizes, padding, extra):
    """The output as it is asked for, of the one that nothing was cut from."""
    growth = ()
    for more, pad in zip(extra, padding):
        growth = (0, max(more - pad, 0)) + growth
    if sum(growth) > 0:
        full = ops.pad(full, growth)
    for axis, size in enumerate(sizes):
        full = full.narrow(axis + 2, padding[axis], size)
    return full


def _transposed_volume(x, weight, stride, dilation):
    """The 3-D case for one group, nothing cut; a dilated depth as the sum of what each plane of the filters gives."""
    depth, planes, pieces = weight.shape[2], (weight.shape[2] if dilation[0] == 1 else 1), []
    operator = ops.Conv3DTranspose(
        x.shape[1], weight.shape[1], (planes, weight.shape[3], weight.shape[4]), pad_mode="valid", stride=stride,
        dilation=(1, dilation[1], dilation[2]),
    )
    if planes == depth:
        return operator(x, weight)
    for place in range(depth):
        piece = operator(x, weight.narrow(2, place, 1))
        pieces.append(ops.pad(piece, (0, 0, 0, 0, place * dilation[0], (depth - 1 - place) * dilation[0])))
    return sum(pieces[1:], pieces[0])


def _transposed_planes(x, weight, stride, padding, extra, groups, dilation):
    """The 2-D case, without bias."""
    kernel = tuple(weight.shape[2:])
    if any(more >= step for more, step in zip(extra, stride)) and sum(extra) > 0:  # the kernel fails
        full = _transposed_planes(x, weight, stride, (0, 0), (0, 0), groups, dilation)
        return _cropped(full, _sizes(x.shape[2:], kernel, stride, padding, extra, dilation), padding, extra)
    size = (x.shape[0], weight.shape[1] * groups) + _sizes(x.shape[2:], kernel, stride, padding, extra, dilation)
    sides = (padding[0], padding[0], padding[1], padding[1])
    operator = ops.Conv2DTranspose(
        weight.shape[0], kernel, pad_mode="pad", pad=sides, stride=stride, dilation=dilation, group=groups
    )
    return operator(x, weight, size)


def _with_bias(output, bias, rank):
    return output if bias is None else output + bias.astype(output.dtype).reshape((-1,) + (1,) * rank)


@equivalent("torch.nn.functional.conv_transpose2d", "torch.conv_transpose2d", opinfo="nn.functional.conv_transpose2d")
def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """A transposed 2-D convolution; the batch axis may be missing.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.conv_transpose2d.html
    """
    x = input if input.ndim == 4 else input.unsqueeze(0)
    found = _transposed_planes(
        x, weight, _axes(stride, 2), _axes(padding, 2), _axes(output_padding, 2), groups, _axes(dilation, 2)
    )
    found = _with_bias(found, bias, 2)
    return found if input.ndim == 4 else found.squeeze(0)


@equivalent("torch.nn.functional.conv_transpose1d", "torch.conv_transpose1d", opinfo="nn.functional.conv_transpose1d")
def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """A transposed 1-D convolution; the batch axis may be missing.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.conv_transpose1d.html
    """
    x = input if input.ndim == 3 else input.unsqueeze(0)
    found = _transposed_planes(
        x.unsqueeze(2), weight.unsqueeze(2), (1, *_axes(stride, 1)), (0, *_axes(padding, 1)), (0, *_axes(output_padding, 1)),
        groups, (1, *_axes(dilation, 1)),
    )  # fmt: skip
    found = _with_bias(found.squeeze(2), bias, 1)
    return found if input.ndim == 3 else found.squeeze(0)


@equivalent("torch.nn.functional.conv_transpose3d", "torch.conv_transpose3d", opinfo="nn.functional.conv_transpose3d")
def conv_transpose3d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """A transposed 3-D convolution; the batch axis may be missing.

    MindSpore's primitive has one group on CPU, no dilated depth, and zeros for `output_padding`, so groups run one after
    the other over an output that is not cropped, and the crop follows.
    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.conv_transpose3d.html
    """
    x = input if input.ndim == 5 else input.unsqueeze(0)
    stride, dilation, padding, extra = _axes(stride, 3), _axes(dilation, 3), _axes(padding, 3), _axes(output_padding, 3)
    kernel = tuple(weight.shape[2:])
    pieces = []
    for part, filters in zip(ops.split(x, x.shape[1] // groups, axis=1), ops.split(weight, weight.shape[0] // groups, axis=0)):
        pieces.append(_transposed_volume(part, filters, stride, dilation))
    full = pieces[0] if groups == 1 else ops.cat(pieces, axis=1)
    full = _cropped(full, _sizes(x.shape[2:], kernel, stride, padding, extra, dilation), padding, extra)
    found = _with_bias(full, bias, 3)
    return found if input.ndim == 5 else found.squeeze(0)

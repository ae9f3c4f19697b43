"""Max unpooling: values back at the places that max pooling took them from."""

from mindspore import ops

from mindport.declare import equivalent


def _each(value, rank):
    """One number for each axis."""
    return (int(value),) * rank if not isinstance(value, (tuple, list)) else tuple(value) * (rank if len(value) == 1 else 1)


def _unpooled(input, indices, kernel_size, stride, padding, output_size, rank):
    """`indices` count in the flattened axes behind the channel."""
    kernel = _each(kernel_size, rank)
    step = kernel if stride is None or stride == () else _each(stride, rank)
    pad = _each(padding, rank)
    if output_size is None:
        spatial = tuple((n - 1) * s - 2 * p + k for n, s, p, k in zip(input.shape[-rank:], step, pad, kernel))
    else:
        spatial = tuple(output_size)[-rank:]
    lead = tuple(input.shape[: input.ndim - rank])
    count = 1
    for n in spatial:
        count = count * n
    flat, places = input.reshape(lead + (-1,)), indices.reshape(lead + (-1,))
    return ops.tensor_scatter_elements(ops.zeros(lead + (count,), input.dtype), places, flat, len(lead)).reshape(lead + spatial)


@equivalent("torch.nn.functional.max_unpool1d")
def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """The inverse of max_pool1d, zero between. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.max_unpool1d.html"""
    return _unpooled(input, indices, kernel_size, stride, padding, output_size, 1)


@equivalent("torch.nn.functional.max_unpool2d")
def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """The inverse of max_pool2d, zero between. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.max_unpool2d.html"""
    return _unpooled(input, indices, kernel_size, stride, padding, output_size, 2)


@equivalent("torch.nn.functional.max_unpool3d")
def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """The inverse of max_pool3d, zero between. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.max_unpool3d.html"""
    return _unpooled(input, indices, kernel_size, stride, padding, output_size, 3)

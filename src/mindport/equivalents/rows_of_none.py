"""Pooling, padding, extremes, slopes and copies of a batch without rows (``head(pooled[kept])``), as torch computes them: nothing, in the right shape.

MindSpore's CPU kernels raise, some of them only when the gradient is taken. What they make of one row of zeros says the shape. No torch name.
"""

from mindspore import nn, ops

from mindport.equivalents.of_nothing import tied


def without_rows(x):
    """Whether a tensor has no rows, while each row would have elements."""
    return x.ndim > 0 and x.shape[0] == 0 and min(x.shape[1:], default=1) > 0


def emptied(one, *sources):
    """What one row gave, without the row; several results where there are several."""
    if isinstance(one, (tuple, list)):
        return tuple(emptied(part, *sources) for part in one)
    return tied(ops.zeros((0, *one.shape[1:]), one.dtype), *sources)


def one_row(x):
    """A row of zeros of the same shape."""
    return ops.zeros((1, *x.shape[1:]), x.dtype)


def compute_without_rows():
    """Has MindSpore's functions and layers that are asked for nothing give nothing."""
    _pool_rows()
    _adapt_rows()
    _extremes_of_rows()
    _call_layers_without_rows()
    _copy_no_times()
    _call_operators_without_rows()


# explicit parameters, here and below: graphs compile these functions, too
def _pool_rows():
    plain_two, plain_three, plain_pad, plain_max_two, plain_max_three = ops.avg_pool2d, ops.avg_pool3d, ops.pad, ops.max_pool2d, ops.max_pool3d

    def avg_pool2d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0):
        if without_rows(input_x):
            return emptied(plain_two(one_row(input_x), kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override), input_x)
        return plain_two(input_x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)

    def avg_pool3d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0):
        if without_rows(input_x):
            return emptied(plain_three(one_row(input_x), kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override), input_x)
        return plain_three(input_x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)

    def max_pool2d(x, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        if without_rows(x):
            return emptied(plain_max_two(one_row(x), kernel_size, stride, padding, dilation, return_indices, ceil_mode), x)
        return plain_max_two(x, kernel_size, stride, padding, dilation, return_indices, ceil_mode)

    def max_pool3d(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
        if without_rows(x):
            return emptied(plain_max_three(one_row(x), kernel_size, stride, padding, dilation, ceil_mode, return_indices), x)
        return plain_max_three(x, kernel_size, stride, padding, dilation, ceil_mode, return_indices)

    def pad(input_x, padding, mode="constant", value=None):
        if without_rows(input_x) and len(padding) < 2 * input_x.ndim:
            return emptied(plain_pad(one_row(input_x), padding, mode, value), input_x)
        return plain_pad(input_x, padding, mode, value)

    ops.avg_pool2d, ops.avg_pool3d, ops.pad, ops.max_pool2d, ops.max_pool3d = avg_pool2d, avg_pool3d, pad, max_pool2d, max_pool3d


def _adapt_rows():
    plain_mean, plain_max_two, plain_max_three = ops.adaptive_avg_pool2d, ops.adaptive_max_pool2d, ops.adaptive_max_pool3d

    def adaptive_avg_pool2d(input, output_size):
        return emptied(plain_mean(one_row(input), output_size), input) if without_rows(input) else plain_mean(input, output_size)

    def adaptive_max_pool2d(input, output_size, return_indices=False):
        if without_rows(input):
            return emptied(plain_max_two(one_row(input), output_size, return_indices), input)
        return plain_max_two(input, output_size, return_indices)

    def adaptive_max_pool3d(input, output_size, return_indices=False):
        if without_rows(input):
            return emptied(plain_max_three(one_row(input), output_size, return_indices), input)
        return plain_max_three(input, output_size, return_indices)

    ops.adaptive_avg_pool2d, ops.adaptive_max_pool2d, ops.adaptive_max_pool3d = adaptive_avg_pool2d, adaptive_max_pool2d, adaptive_max_pool3d


def _extremes_of_rows():
    plain_max, plain_min = ops.max, ops.min

    def of_rows(plain, input, axis, keepdims):
        return emptied(plain(one_row(input), axis, keepdims), input)

    def max(input, axis=None, keepdims=False, *, initial=None, where=None):
        if axis is not None and without_rows(input) and axis % input.ndim > 0:
            return of_rows(plain_max, input, axis, keepdims)
        return plain_max(input, axis, keepdims, initial=initial, where=where)

    def min(input, axis=None, keepdims=False, *, initial=None, where=None):
        if axis is not None and without_rows(input) and axis % input.ndim > 0:
            return of_rows(plain_min, input, axis, keepdims)
        return plain_min(input, axis, keepdims, initial=initial, where=where)

    ops.max, ops.min = max, min


def _call_layers_without_rows():
    def construct(self, x):
        if without_rows(x):
            weight = getattr(self, "w", None)  # the slopes of PReLU
            return emptied(self.of_rows(one_row(x)), *((x,) if weight is None else (x, weight)))
        return self.of_rows(x)

    kinds = [nn.AvgPool1d, nn.AvgPool2d, nn.AvgPool3d, nn.MaxPool1d, nn.MaxPool2d, nn.MaxPool3d, nn.PReLU]
    kinds += [nn.AdaptiveAvgPool1d, nn.AdaptiveAvgPool2d, nn.AdaptiveAvgPool3d, nn.AdaptiveMaxPool1d, nn.AdaptiveMaxPool2d, nn.AdaptiveMaxPool3d]
    for kind in kinds:
        if "of_rows" not in vars(kind):  # another converted program in this process may have done it
            kind.of_rows, kind.construct = kind.construct, construct


def _copy_no_times():
    plain = ops.tile

    def tile(input, dims):
        made = plain(input, dims)
        return tied(ops.stop_gradient(made), input) if made.size == 0 else made  # the gradient would be what lay in memory

    ops.tile = tile


def _call_operators_without_rows():
    """The operators below recurrent layers and layers that normalise by themselves."""
    plain_norm, plain_recurrent = ops.LayerNorm.__call__, ops.LSTM.__call__

    def normalised(self, input_x, gamma, beta):
        if input_x.size > 0:
            return plain_norm(self, input_x, gamma, beta)
        made = tied(input_x * 1, input_x, gamma, beta)
        return made, made, made

    def recurrent(self, x, h, c, w):
        if x.size > 0:
            return plain_recurrent(self, x, h, c, w)
        made = tied(ops.zeros((*x.shape[:2], self.hidden_size * self.num_directions), x.dtype), x, h, c, w)
        return made, h, c, made, made

    ops.LayerNorm.__call__, ops.LSTM.__call__ = normalised, recurrent

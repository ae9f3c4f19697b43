"""Normalisations as functions, composed: `ops.layer_norm` has no kernel on CPU."""

import mindspore as ms
from mindspore import Parameter, Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.exact_numbers import exact

#: Their squares overflow: torch, too, adds them up in float32 (a row of 100s would be normalised to 0).
SHORT = (ms.float16, ms.bfloat16)


def _axes(normalized_shape):
    count = 1 if isinstance(normalized_shape, int) else len(normalized_shape)
    return tuple(range(-count, 0))


@equivalent("torch.nn.functional.layer_norm", opinfo="nn.functional.layer_norm")
def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """Normalised over the last axes, then scaled and shifted.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.layer_norm.html
    """
    if input.dtype in SHORT:
        return layer_norm(input.astype(ms.float32), normalized_shape, weight, bias, eps).astype(input.dtype)
    axes = _axes(normalized_shape)
    centred = input - ops.mean(input, axes, keep_dims=True)
    result = centred / ops.sqrt(ops.mean(centred * centred, axes, keep_dims=True) + exact(eps, input))
    result = result if weight is None else result * weight
    result = result if bias is None else result + bias
    return result.astype(input.dtype)


@equivalent("torch.layer_norm", opinfo="nn.functional.layer_norm", drops={"cudnn_enable": "chooses a CUDA kernel"})
def torch_layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05, cudnn_enable=True):
    """Normalised over the last axes."""
    return layer_norm(input, normalized_shape, weight, bias, eps)


@equivalent("torch.nn.functional.rms_norm", "torch.rms_norm", opinfo="nn.functional.rms_norm")
def rms_norm(input, normalized_shape, weight=None, eps=None):
    """Divided by the root of the mean square over the last axes; eps is that of the dtype it is computed in where None."""
    if eps is None:
        eps = 2.220446049250313e-16 if input.dtype == ms.float64 else 1.1920928955078125e-07
    if input.is_complex():
        raise Refused("complex input: normalise by ops.abs(input) yourself")
    # The squares of short floats overflow; torch, too, adds them up in float32.
    wide = input if input.dtype == ms.float64 else input.astype(ms.float32)
    result = (wide / ops.sqrt(ops.mean(wide * wide, _axes(normalized_shape), keep_dims=True) + exact(eps, input))).astype(input.dtype)
    return result if weight is None else (result * weight).astype(input.dtype)


@equivalent("torch.nn.functional.group_norm", differs=[difference("a NaN or infinite weight gives another one of the two", when="weight is not None and not ms.isfinite(weight).all()", risk="style", zh="权重含 NaN 或无穷时结果不同")])
def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    """Normalised over groups of channels. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.group_norm.html"""
    n, c = input.shape[:2]
    if c % num_groups:
        raise Refused("the channels must be a multiple of num_groups")
    if input.dtype in SHORT:
        return group_norm(input.astype(ms.float32), num_groups, weight, bias, eps).astype(input.dtype)
    grouped = input.reshape(n, num_groups, -1)
    centred = grouped - ops.mean(grouped, -1, keep_dims=True)
    result = (centred / ops.sqrt(ops.mean(centred * centred, -1, keep_dims=True) + exact(eps, input))).reshape(input.shape)
    broad = (1, c, *([1] * (input.ndim - 2)))
    result = result if weight is None else result * weight.reshape(broad)
    result = result if bias is None else result + bias.reshape(broad)
    return result.astype(input.dtype)


def _statistics(x, axes):
    mean = ops.mean(x, axes, keep_dims=True)
    centred = x - mean
    return mean, ops.mean(centred * centred, axes, keep_dims=True)


def _move(running_mean, running_var, mean, variance):
    """Write the running statistics' next values: in a graph an assignment by index reaches no Parameter, and `copy_` reaches no view of another tensor."""
    if isinstance(running_mean, Parameter):
        running_mean.copy_(mean)
        running_var.copy_(variance)
    else:
        running_mean[...] = mean
        running_var[...] = variance


@equivalent("torch.nn.functional.batch_norm", opinfo="nn.functional.batch_norm")
def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    """Normalised over all axes but the channels' (axis 1); in training the running statistics move.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.batch_norm.html
    """
    if input.dtype in SHORT:
        return batch_norm(input.astype(ms.float32), running_mean, running_var, weight, bias, training, momentum, eps).astype(input.dtype)
    if input.ndim < 2 and input.size == 0:  # which torch takes
        return Tensor.copy(input)
    broad = (1, input.shape[1], *([1] * (input.ndim - 2)))
    if training:
        axes = (0, *range(2, input.ndim))
        mean, variance = _statistics(input, axes)
        if running_mean is not None:
            count = input.size // input.shape[1]
            means, unbiased = ops.stop_gradient(mean).reshape(-1), ops.stop_gradient(variance).reshape(-1) * (count / (count - 1))
            _move(running_mean, running_var, (1 - momentum) * running_mean + momentum * means, (1 - momentum) * running_var + momentum * unbiased)
    else:
        mean, variance = running_mean.reshape(broad), running_var.reshape(broad)
    result = (input - mean) / ops.sqrt(variance + exact(eps, input))
    result = result if weight is None else result * weight.reshape(broad)
    result = result if bias is None else result + bias.reshape(broad)
    return result.astype(input.dtype)


@equivalent("torch.nn.functional.instance_norm", opinfo="nn.functional.instance_norm")
def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-05):
    """Normalised over the spatial axes of each channel of each sample; running statistics move, or stand for them.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.instance_norm.html
    """
    if not use_input_stats:
        return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    if input.dtype in SHORT:
        return instance_norm(input.astype(ms.float32), running_mean, running_var, weight, bias, True, momentum, eps).astype(input.dtype)
    broad = (1, input.shape[1], *([1] * (input.ndim - 2)))
    mean, variance = _statistics(input, tuple(range(2, input.ndim)))
    if running_mean is not None:
        count = input.size // (input.shape[0] * input.shape[1])
        means, variances = (ops.stop_gradient(v).reshape(input.shape[:2]).mean(0) for v in (mean, variance))
        unbiased = variances * (count / (count - 1))
        _move(running_mean, running_var, (1 - momentum) * running_mean + momentum * means, (1 - momentum) * running_var + momentum * unbiased)
    result = (input - mean) / ops.sqrt(variance + exact(eps, input))
    result = result if weight is None else result * weight.reshape(broad)
    result = result if bias is None else result + bias.reshape(broad)
    return result.astype(input.dtype)


@equivalent("torch.nn.functional.local_response_norm")
def local_response_norm(input, size, alpha=0.0001, beta=0.75, k=1.0):
    """Divided by a power of the mean square over neighbouring channels."""
    if input.size == 0:
        return ops.zeros_like(input)
    squares = input * input
    channels = input.shape[1]
    padded = ops.cat(
        [ops.zeros_like(squares[:, :1])] * (size // 2) + [squares] + [ops.zeros_like(squares[:, :1])] * ((size - 1) // 2), axis=1
    )
    total = sum(padded[:, i : i + channels] for i in range(size))
    return input / (total * exact(alpha / size, input) + exact(k, input)) ** exact(beta, input)

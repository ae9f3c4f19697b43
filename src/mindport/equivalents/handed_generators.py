"""torch.nn.init and Bernoulli draws with a generator that the call hands over: torch's own numbers of that seed.

Forms of what `initializers` and `random` compute without one, in a file of their own: models whose classes call the plain ones keep their evidence.
"""

import math
import warnings

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.drawn_numbers import drawn_normal, drawn_uniform
from mindport.equivalents.initializer_fans import _calculate_correct_fan, _calculate_fan_in_and_fan_out
from mindport.equivalents.initializers import (
    _write,
    calculate_gain,
    kaiming_normal_,
    kaiming_uniform_,
    normal_,
    orthogonal_,
    trunc_normal_,
    uniform_,
    xavier_normal_,
    xavier_uniform_,
)
from mindport.equivalents.inplace import overwrite
from mindport.equivalents.inplace_random import bernoulli_
from mindport.equivalents.random import bernoulli

#: From this share of accepted numbers on, torch draws a truncated normal from the normal distribution; below it, from the uniform one.
SHARE_OF_NORMAL = 0.3
ROWS = difference("which rows are zero comes from the global seed", zh="哪些行为零来自全局种子")

ONE_CHANCE = difference(
    "one probability for all: where torch is built with MKL for the processor it draws other numbers of the seed", when="generator is not None and not isinstance(p, Tensor) and p is not None", zh="单一概率：在使用 MKL 的处理器上 torch 抽取的数不同"
)


def _put(tensor, values):
    """The values in a parameter, or in a tensor's memory."""
    return tensor.set_data(values) if isinstance(tensor, Parameter) else _write(tensor, values)


@equivalent("torch.nn.init.normal__of_generator", "torch.nn.init.normal_of_generator", "torch.nn.init._no_grad_normal__of_generator")
def normal_by_generator(tensor, mean=0.0, std=1.0, generator=None):
    """A normal distribution. https://docs.pytorch.org/docs/2.13/nn.init.html"""
    if generator is None:
        return normal_(tensor, mean, std)
    return _put(tensor, drawn_normal(generator, tensor.shape, tensor.dtype, mean, std))


@equivalent("torch.nn.init.uniform__of_generator", "torch.nn.init.uniform_of_generator", "torch.nn.init._no_grad_uniform__of_generator")
def uniform_by_generator(tensor, a=0.0, b=1.0, generator=None):
    """A uniform distribution on [a, b)."""
    if generator is None:
        return uniform_(tensor, a, b)
    return _put(tensor, drawn_uniform(generator, tensor.shape, tensor.dtype, a, b))


def _below(bound):
    """The standard normal distribution's share below a bound."""
    return (1.0 + math.erf(bound / math.sqrt(2.0))) / 2.0


def _normal_within(generator, shape, dtype, mean, std, low, high):
    """Normal numbers; where some are out of bounds, as many are drawn again as there are places, and those places take theirs."""
    low, high = (Tensor(float(bound)).astype(dtype) for bound in (low, high))
    drawn = drawn_normal(generator, shape, dtype, mean, std)
    while (outside := ops.logical_or(drawn < low, drawn > high)).any():
        drawn = ops.where(outside, drawn_normal(generator, shape, dtype, mean, std), drawn)
    return drawn


def _uniform_accepted(generator, shape, dtype, mean, std, low, high):
    """Uniform numbers, each accepted with its density's share of the highest one within the bounds (rejection sampling), in logarithms."""
    peak = -0.5 * ((max(low, min(mean, high)) - mean) / std) ** 2
    found = pending = None
    while pending is None or pending.any():
        drawn = drawn_uniform(generator, shape, dtype, low, high)
        found = drawn if found is None else ops.where(pending, drawn, found)
        refused = ops.log(drawn_uniform(generator, shape, dtype)) > ops.pow((drawn - mean) / std, 2) * -0.5 - peak
        pending = refused if pending is None else ops.logical_and(pending, refused)
    return found


@equivalent("torch.nn.init.trunc_normal__of_generator", "torch.nn.init._no_grad_trunc_normal__of_generator")
def trunc_normal_by_generator(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """A normal distribution, drawn again outside [a, b]."""
    if generator is None:
        return trunc_normal_(tensor, mean, std, a, b)
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn("mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be incorrect.", stacklevel=2)
    share = _below((b - mean) / std) - _below((a - mean) / std)
    draw = _normal_within if share > SHARE_OF_NORMAL else _uniform_accepted
    return _put(tensor, draw(generator, tensor.shape, tensor.dtype, mean, std, a, b))


@equivalent("torch.nn.init.xavier_uniform__of_generator", "torch.nn.init.xavier_uniform_of_generator")
def xavier_uniform_by_generator(tensor, gain=1.0, generator=None):
    """Uniform with variance gain² · 2 / (fan_in + fan_out)."""
    if generator is None:
        return xavier_uniform_(tensor, gain)
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / float(sum(_calculate_fan_in_and_fan_out(tensor)))))
    return _put(tensor, drawn_uniform(generator, tensor.shape, tensor.dtype, -bound, bound))


@equivalent("torch.nn.init.xavier_normal__of_generator", "torch.nn.init.xavier_normal_of_generator")
def xavier_normal_by_generator(tensor, gain=1.0, generator=None):
    """Normal with variance gain² · 2 / (fan_in + fan_out)."""
    if generator is None:
        return xavier_normal_(tensor, gain)
    std = gain * math.sqrt(2.0 / float(sum(_calculate_fan_in_and_fan_out(tensor))))
    return _put(tensor, drawn_normal(generator, tensor.shape, tensor.dtype, 0.0, std))


@equivalent("torch.nn.init.kaiming_uniform__of_generator", "torch.nn.init.kaiming_uniform_of_generator")
def kaiming_uniform_by_generator(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Uniform with variance gain² / fan, He et al. 2015."""
    if generator is None:
        return kaiming_uniform_(tensor, a, mode, nonlinearity)
    if 0 in tensor.shape:
        return tensor
    bound = math.sqrt(3.0) * (calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode)))
    return _put(tensor, drawn_uniform(generator, tensor.shape, tensor.dtype, -bound, bound))


@equivalent("torch.nn.init.kaiming_normal__of_generator", "torch.nn.init.kaiming_normal_of_generator")
def kaiming_normal_by_generator(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Normal with variance gain² / fan, He et al. 2015."""
    if generator is None:
        return kaiming_normal_(tensor, a, mode, nonlinearity)
    if 0 in tensor.shape:
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))
    return _put(tensor, drawn_normal(generator, tensor.shape, tensor.dtype, 0.0, std))


@equivalent("torch.nn.init.orthogonal__of_generator", "torch.nn.init.orthogonal_of_generator")
def orthogonal_by_generator(tensor, gain=1, generator=None):
    """The orthogonal factor of a matrix of normal numbers, times gain: Mezzadri, https://arxiv.org/abs/math-ph/0609050."""
    if generator is None:
        return orthogonal_(tensor, gain)
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if not tensor.size:
        return tensor
    rows = tensor.shape[0]
    drawn = drawn_normal(generator, (rows, tensor.size // rows), tensor.dtype).asnumpy()
    tall = drawn.T if drawn.shape[0] < drawn.shape[1] else drawn
    orthogonal, upper = np.linalg.qr(tall)
    orthogonal = orthogonal * np.sign(np.diagonal(upper))
    found = orthogonal.T if tall is not drawn else orthogonal
    return _put(tensor, Tensor(np.ascontiguousarray(found).reshape(tensor.shape)) * gain)


@equivalent("torch.nn.init.sparse__of_generator", "torch.nn.init.sparse_of_generator", random=True, differs=[ROWS])
def sparse_by_generator(tensor, sparsity, std=0.01, generator=None):
    """A matrix of normal numbers, in each column of which a share of the rows is 0."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    drawn = drawn_normal(generator, tensor.shape, tensor.dtype, 0.0, std) if generator is not None else ops.randn(tensor.shape, dtype=tensor.dtype) * std
    order = ops.argsort(ops.argsort(ops.rand(tensor.shape), axis=0), axis=0)
    return _put(tensor, ops.where(order < math.ceil(sparsity * tensor.shape[0]), ops.zeros_like(drawn), drawn))


def _drawn_below(generator, shape, chance):
    """Whether a number that torch draws for each place is below its probability: float64 of float64, else float32."""
    drawn = drawn_uniform(generator, shape, ms.float64 if not isinstance(chance, Tensor) or chance.dtype == ms.float64 else ms.float32)
    return ops.less(drawn, chance.astype(drawn.dtype) if isinstance(chance, Tensor) else chance)


@equivalent("torch.bernoulli_of_generator", "torch.Tensor.bernoulli_of_generator", random=True, differs=[ONE_CHANCE])
def bernoulli_by_generator(input, p=None, *, generator=None, out=None):
    """1 with the probability that the input holds (or `p`), else 0, in the input's dtype. https://docs.pytorch.org/docs/2.13/generated/torch.bernoulli.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if generator is None:
        return bernoulli(input, p)
    return _drawn_below(generator, input.shape, input if p is None else p).astype(input.dtype)


@equivalent("torch.Tensor.bernoulli__of_generator", random=True, differs=[ONE_CHANCE])
def bernoulli__by_generator(self, p=0.5, *, generator=None):
    """1 with probability p (a number or a tensor), else 0, in place."""
    if generator is None:
        return bernoulli_(self, p)
    return overwrite(self, _drawn_below(generator, self.shape, p))

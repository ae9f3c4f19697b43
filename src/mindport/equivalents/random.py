"""Random tensors. MindSpore draws from one global seed, and its numbers differ from torch's for every seed; those of a generator that is handed over are torch's."""

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.drawn_numbers import (
    drawn_integers,
    drawn_normal,
    drawn_normal_by,
    drawn_order,
    drawn_places,
    drawn_uniform,
    shape_of,
)
from mindport.equivalents.python_data import seen_complex

DROPPED = {
    "layout": "MindSpore's dense tensors have one layout",
    "device": "MindSpore computes on the target that ms.set_device names",
    "pin_memory": "MindSpore moves memory itself",
    "requires_grad": "ms.grad and ms.value_and_grad are told what to differentiate",
    "memory_format": "MindSpore chooses the memory order itself",
}

GENERATOR = difference(
    "the generator is ignored: the numbers come from the global seed", when="generator is not None", zh="忽略生成器：随机数来自全局种子"
)
IGNORED = {"generator": "MindSpore draws from one global seed", **DROPPED}


@equivalent("torch.rand", random=True, drops=DROPPED)
def rand(
    *size, generator=None, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False
):
    """Uniform in [0, 1). https://docs.pytorch.org/docs/2.13/generated/torch.rand.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if generator is not None:
        return drawn_uniform(generator, shape_of(size), dtype)
    if seen_complex(dtype):
        return ops.Complex()(ops.rand(*size), ops.rand(*size)).astype(dtype)
    return ops.rand(*size, dtype=dtype)


@equivalent("torch.randn", random=True, drops=DROPPED)
def randn(
    *size, generator=None, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False
):
    """Standard normal. https://docs.pytorch.org/docs/2.13/generated/torch.randn.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if generator is not None:
        return drawn_normal(generator, shape_of(size), dtype)
    if seen_complex(dtype):  # a variance of 1/2 for each part
        return (ops.Complex()(ops.randn(*size), ops.randn(*size)) * 0.7071067811865476).astype(dtype)
    return ops.randn(*size, dtype=dtype)


@equivalent("torch.rand_like", random=True, drops=DROPPED)
def rand_like(
    input, *, generator=None, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None
):
    """Uniform in [0, 1), of the input's shape and dtype."""
    if generator is not None:
        return drawn_uniform(generator, input.shape, input.dtype if dtype is None else dtype)
    if dtype is None:
        return ops.rand_like(input, dtype=input.dtype)
    return ops.rand_like(input, dtype=dtype)


@equivalent("torch.randn_like", random=True, drops=DROPPED)
def randn_like(
    input, *, generator=None, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None
):
    """Standard normal, of the input's shape and dtype."""
    if generator is not None:
        return drawn_normal(generator, input.shape, input.dtype if dtype is None else dtype)
    if dtype is None:
        return ops.randn_like(input, dtype=input.dtype)
    return ops.randn_like(input, dtype=dtype)


@equivalent("torch.randint", random=True, drops=DROPPED)
def randint(
    high, size, *, generator=None, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False
):
    """Integers in [0, high), int64. https://docs.pytorch.org/docs/2.13/generated/torch.randint.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if generator is not None:
        return drawn_integers(generator, 0, high, shape_of((size,)), dtype)
    shape = tuple(size) if isinstance(size, list) else size
    if dtype is None:
        return ops.randint(0, high, shape)
    return ops.randint(0, high, shape).astype(dtype)


@equivalent("torch.randint", random=True, drops=DROPPED)
def randint_from(
    low, high, size, *, generator=None, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False
):
    """Integers in [low, high), int64."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if generator is not None:
        return drawn_integers(generator, low, high, shape_of((size,)), dtype)
    shape = tuple(size) if isinstance(size, list) else size
    if dtype is None:
        return ops.randint(low, high, shape)
    return ops.randint(low, high, shape).astype(dtype)


@equivalent("torch.randint_like", random=True, drops=DROPPED)
def randint_like(input, high, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None):
    """Integers in [0, high), of the input's shape and dtype."""
    return ops.randint(0, high, input.shape).astype(input.dtype if dtype is None else dtype)


@equivalent("torch.randint_like", random=True, drops=DROPPED)
def randint_like_from(
    input, low, high, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None
):
    """Integers in [low, high), of the input's shape and dtype."""
    return ops.randint(low, high, input.shape).astype(input.dtype if dtype is None else dtype)


@equivalent("torch.randperm", random=True, drops=DROPPED)
def randperm(
    n, *, generator=None, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False
):
    """The numbers below n in random order, int64. https://docs.pytorch.org/docs/2.13/generated/torch.randperm.html"""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if generator is not None:
        return drawn_order(generator, n, dtype)
    if dtype is None:
        return ops.randperm(n)
    return ops.randperm(n, dtype=dtype)


@equivalent("torch.bernoulli", "torch.Tensor.bernoulli", random=True, drops=IGNORED, differs=[GENERATOR])
def bernoulli(input, p=None, *, generator=None, out=None):
    """1 with the probability that the input holds (or `p`), else 0, in the input's dtype.

    https://docs.pytorch.org/docs/2.13/generated/torch.bernoulli.html. `ops.bernoulli` does not read
    probabilities from its input.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    return ops.less(ops.rand_like(input), input if p is None else p).astype(input.dtype)


@equivalent("torch.normal", random=True, drops=DROPPED)
def normal(mean, std=1.0, size=None, *, generator=None, out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """Normal numbers; mean and deviation are numbers with a size, or tensors, which get no gradient through them.

    https://docs.pytorch.org/docs/2.13/generated/torch.normal.html
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if generator is not None:
        return drawn_normal_by(generator, mean, std, size, dtype)
    if size is not None:
        return mean + std * ops.randn(size, dtype=dtype)
    if isinstance(mean, Tensor):
        return ops.stop_gradient(mean + std * ops.randn_like(mean, dtype=mean.dtype))
    return ops.stop_gradient(mean + std * ops.randn_like(std, dtype=std.dtype))


@equivalent("torch.multinomial", "torch.Tensor.multinomial", random=True, drops=DROPPED)
def multinomial(input, num_samples, replacement=False, *, generator=None, out=None):
    """int64 indices drawn in proportion to each row. https://docs.pytorch.org/docs/2.13/generated/torch.multinomial.html

    `ops.multinomial` replaces unless told otherwise and counts in int32.
    """
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    if generator is not None:
        return drawn_places(generator, input, num_samples, replacement)
    return ops.multinomial(input, num_samples, replacement=replacement).astype(ms.int64)


@equivalent("torch.poisson", random=True, drops={"generator": "MindSpore draws from one global seed"}, differs=[GENERATOR])
def poisson(input, generator=None):
    """Counts that are Poisson distributed with the rates `input`. https://docs.pytorch.org/docs/2.13/generated/torch.poisson.html"""
    rates = input.reshape((-1,)).astype(ms.float32)
    drawn = ops.random_poisson(Tensor([1], ms.int32), rates, dtype=ms.float32) if input.size else rates
    return ops.stop_gradient(drawn.reshape(input.shape).astype(input.dtype))

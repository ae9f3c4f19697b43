"""Random numbers written into a tensor.

MindSpore's own in-place methods are no substitute: on CPU `add_ sub_ mul_ div_` return the new value and leave the
tensor as it was, the others have no kernel. Assignment through ``tensor[()]`` writes into the tensor's memory,
so that its views, its base and a Parameter's owner see it; ``tensor[...] = value`` gives the tensor new memory.
The tensor stands first in every product and sum: a NumPy number that stands before it makes an array of it.
"""

import math

from mindspore import ops

from mindport.declare import difference, equivalent
from mindport.equivalents.drawn_numbers import (
    EXACT,
    LARGEST,
    drawn_bits,
    drawn_exponential,
    drawn_integers,
    drawn_normal,
    drawn_uniform,
)
from mindport.equivalents.inplace import overwrite

GENERATOR = difference(
    "the generator is ignored: the numbers come from the global seed", when="generator is not None", zh="忽略生成器：随机数来自全局种子"
)
IGNORED = {"generator": "MindSpore draws from one global seed"}


@equivalent("torch.Tensor.normal_", random=True)
def normal_(self, mean=0, std=1, *, generator=None):
    """Normal numbers, in place."""
    if generator is not None:
        return overwrite(self, drawn_normal(generator, self.shape, self.dtype, mean, std))
    return overwrite(self, ops.randn(self.shape) * std + mean)


@equivalent("torch.Tensor.uniform_", random=True)
def uniform_(self, from_=0, to=1, *, generator=None):
    """Uniform numbers in [from, to), in place."""
    if generator is not None:
        return overwrite(self, drawn_uniform(generator, self.shape, self.dtype, from_, to))
    return overwrite(self, ops.rand(self.shape) * (to - from_) + from_)


@equivalent("torch.Tensor.bernoulli_", random=True, drops=IGNORED, differs=[GENERATOR])
def bernoulli_(self, p=0.5, *, generator=None):
    """1 with probability p (a number or a tensor), else 0, in place."""
    return overwrite(self, ops.less(ops.rand(self.shape), p))


@equivalent("torch.Tensor.exponential_", random=True)
def exponential_(self, lambd=1, *, generator=None):
    """Exponential numbers of rate lambd, in place."""
    if generator is not None:
        return overwrite(self, drawn_exponential(generator, self.shape, self.dtype, lambd))
    return overwrite(self, -ops.log(1 - ops.rand(self.shape)) / lambd)


@equivalent("torch.Tensor.log_normal_", random=True, drops=IGNORED, differs=[GENERATOR])
def log_normal_(self, mean=1, std=2, *, generator=None):
    """Numbers whose logarithm is normal, in place."""
    return overwrite(self, ops.exp(ops.randn(self.shape) * std + mean))


@equivalent("torch.Tensor.cauchy_", random=True, drops=IGNORED, differs=[GENERATOR])
def cauchy_(self, median=0, sigma=1, *, generator=None):
    """Cauchy numbers, in place."""
    return overwrite(self, ops.tan(math.pi * (ops.rand(self.shape) - 0.5)) * sigma + median)


@equivalent("torch.Tensor.geometric_", random=True, drops=IGNORED, differs=[GENERATOR])
def geometric_(self, p, *, generator=None):
    """The number of trials up to the first success, in place."""
    return overwrite(self, ops.floor(ops.log(1 - ops.rand(self.shape)) / math.log(1 - p)) + 1)


@equivalent("torch.Tensor.random_", random=True)
def random_(self, from_=None, to=None, *, generator=None):
    """Whole numbers in [from, to), in place: of one number in [0, number), of none all that the dtype tells apart.

    https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.random_.html
    """
    if generator is not None and from_ is None and to is None:
        return overwrite(self, drawn_bits(generator, self.shape, self.dtype))
    if generator is not None and to is None:
        return overwrite(self, drawn_integers(generator, 0, from_, self.shape, self.dtype))
    if generator is not None:
        return overwrite(self, drawn_integers(generator, 0 if from_ is None else from_, to, self.shape, self.dtype))
    if from_ is None and to is None:
        above = EXACT.get(self.dtype, 0) + 1 if self.is_floating_point() else min(LARGEST[self.dtype] + 1, 2**63 - 1)
        return overwrite(self, ops.randint(0, above, self.shape))
    if to is None:
        return overwrite(self, ops.randint(0, from_, self.shape))
    return overwrite(self, ops.randint(0 if from_ is None else from_, to, self.shape))

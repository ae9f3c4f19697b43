"""torch._foreach_…: one function over each tensor of a list, as optimizers call them.

The second argument is a number, a tensor, a list of numbers or a list of tensors. The names that end in an underscore write into their tensors
and give these.
"""

import math

from mindspore import Tensor, ops

from mindport.declare import equivalent
from mindport.equivalents.inplace import overwrite
from mindport.equivalents.tangent import tanh_of


def each_of(value, count):
    """`count` values: the list itself, or one value as often."""
    return list(value) if isinstance(value, (list, tuple)) else [value] * count


def joined(tensors, other, fn):
    """fn of each tensor and its other."""
    return [fn(one, two).astype(one.dtype) for one, two in zip(tensors, each_of(other, len(tensors)))]


def written(tensors, values):
    """Each value into its tensor's memory; the tensors."""
    for one, value in zip(tensors, values):
        overwrite(one, value)
    return tensors


def scaled(other, count, alpha):
    """alpha times each of the others."""
    return [one if alpha == 1 else one * alpha for one in each_of(other, count)]


def larger(one, other):
    """The larger of both, NaN where either is."""
    return ops.maximum(one, other if isinstance(other, Tensor) else ops.full_like(one, other))


def smaller(one, other):
    """The smaller of both, NaN where either is."""
    return ops.minimum(one, other if isinstance(other, Tensor) else ops.full_like(one, other))


@equivalent("torch._foreach_add")
def foreach_add(self, other, alpha=1):
    """self + alpha * other."""
    return joined(self, scaled(other, len(self), alpha), lambda one, two: one + two)


@equivalent("torch._foreach_add_")
def foreach_add_(self, other, alpha=1):
    """self += alpha * other."""
    return written(self, joined(self, scaled(other, len(self), alpha), lambda one, two: one + two))


@equivalent("torch._foreach_sub")
def foreach_sub(self, other, alpha=1):
    """self - alpha * other."""
    return joined(self, scaled(other, len(self), alpha), lambda one, two: one - two)


@equivalent("torch._foreach_sub_")
def foreach_sub_(self, other, alpha=1):
    """self -= alpha * other."""
    return written(self, joined(self, scaled(other, len(self), alpha), lambda one, two: one - two))


@equivalent("torch._foreach_mul")
def foreach_mul(self, other):
    """self * other."""
    return joined(self, other, lambda one, two: one * two)


@equivalent("torch._foreach_mul_")
def foreach_mul_(self, other):
    """self * other, in place."""
    return written(self, joined([one.copy() for one in self], other, lambda one, two: one * two))


@equivalent("torch._foreach_div")
def foreach_div(self, other):
    """self / other."""
    return joined(self, other, lambda one, two: one / two)


@equivalent("torch._foreach_div_")
def foreach_div_(self, other):
    """self / other, in place."""
    return written(self, joined([one.copy() for one in self], other, lambda one, two: one / two))


@equivalent("torch._foreach_maximum")
def foreach_maximum(self, other):
    """The larger of self and other."""
    return joined(self, other, larger)


@equivalent("torch._foreach_maximum_")
def foreach_maximum_(self, other):
    """The larger of self and other, in place."""
    return written(self, joined([one.copy() for one in self], other, larger))


@equivalent("torch._foreach_minimum")
def foreach_minimum(self, other):
    """The smaller of self and other."""
    return joined(self, other, smaller)


@equivalent("torch._foreach_minimum_")
def foreach_minimum_(self, other):
    """The smaller of self and other, in place."""
    return written(self, joined([one.copy() for one in self], other, smaller))


@equivalent("torch._foreach_clamp_min")
def foreach_clamp_min(self, other):
    """self, at least other."""
    return joined(self, other, larger)


@equivalent("torch._foreach_clamp_min_")
def foreach_clamp_min_(self, other):
    """self, at least other, in place."""
    return written(self, joined([one.copy() for one in self], other, larger))


@equivalent("torch._foreach_clamp_max")
def foreach_clamp_max(self, other):
    """self, at most other."""
    return joined(self, other, smaller)


@equivalent("torch._foreach_clamp_max_")
def foreach_clamp_max_(self, other):
    """self, at most other, in place."""
    return written(self, joined([one.copy() for one in self], other, smaller))


@equivalent("torch._foreach_pow")
def foreach_pow(self, exponent):
    """self to the power of other."""
    return joined(self, exponent, lambda one, two: one**two)


@equivalent("torch._foreach_pow_")
def foreach_pow_(self, exponent):
    """self to the power of other, in place."""
    return written(self, joined([one.copy() for one in self], exponent, lambda one, two: one**two))


@equivalent("torch._foreach_sqrt")
def foreach_sqrt(self):
    """sqrt of each."""
    return [ops.sqrt(one) for one in self]


@equivalent("torch._foreach_sqrt_")
def foreach_sqrt_(self):
    """sqrt of each, in place."""
    return written(self, [ops.sqrt(one.copy()) for one in self])


@equivalent("torch._foreach_neg")
def foreach_neg(self):
    """neg of each."""
    return [-one for one in self]


@equivalent("torch._foreach_neg_")
def foreach_neg_(self):
    """neg of each, in place."""
    return written(self, [-one.copy() for one in self])


@equivalent("torch._foreach_abs")
def foreach_abs(self):
    """abs of each."""
    return [ops.abs(one) for one in self]


@equivalent("torch._foreach_abs_")
def foreach_abs_(self):
    """abs of each, in place."""
    return written(self, [ops.abs(one.copy()) for one in self])


@equivalent("torch._foreach_exp")
def foreach_exp(self):
    """exp of each."""
    return [ops.exp(one) for one in self]


@equivalent("torch._foreach_exp_")
def foreach_exp_(self):
    """exp of each, in place."""
    return written(self, [ops.exp(one.copy()) for one in self])


@equivalent("torch._foreach_log")
def foreach_log(self):
    """log of each."""
    return [ops.log(one) for one in self]


@equivalent("torch._foreach_log_")
def foreach_log_(self):
    """log of each, in place."""
    return written(self, [ops.log(one.copy()) for one in self])


@equivalent("torch._foreach_reciprocal")
def foreach_reciprocal(self):
    """reciprocal of each."""
    return [1 / one for one in self]


@equivalent("torch._foreach_reciprocal_")
def foreach_reciprocal_(self):
    """reciprocal of each, in place."""
    return written(self, [1 / one.copy() for one in self])


@equivalent("torch._foreach_sign")
def foreach_sign(self):
    """sign of each."""
    return [ops.sign(one) for one in self]


@equivalent("torch._foreach_sign_")
def foreach_sign_(self):
    """sign of each, in place."""
    return written(self, [ops.sign(one.copy()) for one in self])


@equivalent("torch._foreach_rsqrt")
def foreach_rsqrt(self):
    """rsqrt of each."""
    return [ops.rsqrt(one) for one in self]


@equivalent("torch._foreach_rsqrt_")
def foreach_rsqrt_(self):
    """rsqrt of each, in place."""
    return written(self, [ops.rsqrt(one.copy()) for one in self])


@equivalent("torch._foreach_addcmul")
def foreach_addcmul(self, tensor1, tensor2, value=1):
    """self + value * tensor1 * tensor2; value may be a list."""
    return [one + factor * (a * b) for one, a, b, factor in zip(self, tensor1, tensor2, each_of(value, len(self)))]


@equivalent("torch._foreach_addcmul_")
def foreach_addcmul_(self, tensor1, tensor2, value=1):
    """self += value * tensor1 * tensor2; value may be a list."""
    return written(self, foreach_addcmul(self, tensor1, tensor2, value))


@equivalent("torch._foreach_addcdiv")
def foreach_addcdiv(self, tensor1, tensor2, value=1):
    """self + value * tensor1 / tensor2; value may be a list."""
    return [one + factor * (a / b) for one, a, b, factor in zip(self, tensor1, tensor2, each_of(value, len(self)))]


@equivalent("torch._foreach_addcdiv_")
def foreach_addcdiv_(self, tensor1, tensor2, value=1):
    """self += value * tensor1 / tensor2; value may be a list."""
    return written(self, foreach_addcdiv(self, tensor1, tensor2, value))


@equivalent("torch._foreach_lerp")
def foreach_lerp(self, tensors1, weight):
    """self + weight * (tensors1 - self)."""
    return [one + part * (other - one) for one, other, part in zip(self, tensors1, each_of(weight, len(self)))]


@equivalent("torch._foreach_lerp_")
def foreach_lerp_(self, tensors1, weight):
    """self += weight * (tensors1 - self)."""
    return written(self, foreach_lerp([one.copy() for one in self], tensors1, weight))


@equivalent("torch._foreach_norm")
def foreach_norm(self, ord=2, dtype=None):
    """Each tensor's norm over all its elements."""
    found = []
    for one in self:
        value = ops.abs(one if dtype is None else one.astype(dtype)).reshape((-1,))
        if value.size == 0:
            found.append(value.sum())
        elif ord == math.inf:
            found.append(value.max())
        elif ord == 1:
            found.append(value.sum())
        elif ord == 2:
            found.append(ops.sqrt((value * value).sum()))
        else:
            found.append((value**ord).sum() ** (1 / ord))
    return found


@equivalent("torch._foreach_copy_", drops={"non_blocking": "the copy is made at once"})
def foreach_copy_(self, src, non_blocking=False):
    """src's values into self."""
    return written(self, [ops.broadcast_to(other, one.shape) for one, other in zip(self, src)])


@equivalent("torch._foreach_zero_")
def foreach_zero_(self):
    """Zeros into self."""
    return written(self, [ops.zeros_like(one) for one in self])


@equivalent("torch.utils._foreach_utils._group_tensors_by_device_and_dtype")
def group_tensors(tensorlistlist, with_indices=False):
    """(device, dtype) → lists of the tensors of one kind, taken by the first list, and their places: all tensors are on one device here."""
    groups = {}
    for place, first in enumerate(tensorlistlist[0]):
        lists, places = groups.setdefault((first.device, first.dtype), ([[] for _ in tensorlistlist], []))
        for each, tensors in zip(lists, tensorlistlist):
            if tensors:
                each.append(tensors[place])
        if with_indices:
            places.append(place)
    return groups


@equivalent("torch._foreach_sigmoid")
def foreach_sigmoid(self):
    """sigmoid of each."""
    return [ops.sigmoid(one) for one in self]


@equivalent("torch._foreach_sigmoid_")
def foreach_sigmoid_(self):
    """sigmoid of each, in place."""
    return written(self, [ops.sigmoid(one.copy()) for one in self])


@equivalent("torch._foreach_tanh")
def foreach_tanh(self):
    """tanh of each."""
    return [tanh_of(one) for one in self]


@equivalent("torch._foreach_tanh_")
def foreach_tanh_(self):
    """tanh of each, in place."""
    return written(self, [tanh_of(one.copy()) for one in self])

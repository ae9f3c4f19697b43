"""The Kullback-Leibler divergence between two distributions of one kind, and a few pairs of two kinds."""

import mindspore as ms
from mindspore import ops

from mindport.declare import Refused, equivalent
from mindport.equivalents.distributions_base import Independent, summed
from mindport.equivalents.distributions_continuous import Exponential, Laplace, Normal, Uniform
from mindport.equivalents.distributions_discrete import (
    Bernoulli,
    Categorical,
    Geometric,
    OneHotCategorical,
    Poisson,
    softplus,
)
from mindport.equivalents.distributions_gamma import Beta, Dirichlet, Gamma
from mindport.equivalents.distributions_multivariate import MultivariateNormal, solved
from mindport.equivalents.exponential import digamma, lgamma


def of_normals(p, q):
    """0.5 (r + d² - 1 - log r), r the ratio of the variances."""
    ratio = ops.square(p.scale / q.scale)
    return 0.5 * (ratio + ops.square((p.loc - q.loc) / q.scale) - 1 - ops.log(ratio))


def of_laplaces(p, q):
    """By the ratio of scales and the distance of the locations."""
    ratio, distance = p.scale / q.scale, ops.abs(p.loc - q.loc)
    return -ops.log(ratio) + distance / q.scale + ratio * ops.exp(-distance / p.scale) - 1


def of_exponentials(p, q):
    """r - log r - 1, r the ratio of the rates."""
    ratio = q.rate / p.rate
    return ratio - ops.log(ratio) - 1


def of_uniforms(p, q):
    """The logarithm of the ratio of the widths, infinite where p leaves q."""
    found = ops.log((q.high - q.low) / (p.high - p.low))
    return ops.where(ops.logical_or(q.low > p.low, q.high < p.high), ms.Tensor(float("inf"), found.dtype), found)


def of_bernoullis(p, q):
    """The weighted logarithms of the ratios; infinite where q rules out what p has."""
    first = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    first = ops.where(q.probs == 0, ms.Tensor(float("inf"), first.dtype), first)
    first = ops.where(p.probs == 0, ops.zeros_like(first), first)
    second = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    second = ops.where(q.probs == 1, ms.Tensor(float("inf"), second.dtype), second)
    return first + ops.where(p.probs == 1, ops.zeros_like(second), second)


def of_categoricals(p, q):
    """The weighted differences of the logits; infinite where q rules out what p has."""
    found = p.probs * (p.logits - q.logits)
    found = ops.where(ops.broadcast_to(q.probs == 0, found.shape), ms.Tensor(float("inf"), found.dtype), found)
    return ops.sum(ops.where(ops.broadcast_to(p.probs == 0, found.shape), ops.zeros_like(found), found), -1)


def of_one_hots(p, q):
    """The divergence of the categories."""
    return of_categoricals(p._categorical, q._categorical)


def of_geometrics(p, q):
    """Less the entropy, less what q says of p's mean."""
    return -p.entropy() - ops.log1p(-q.probs) / p.probs - q.logits


def of_poissons(p, q):
    """rate (log rate - log other) - (rate - other)."""
    return p.rate * (ops.log(p.rate) - ops.log(q.rate)) - (p.rate - q.rate)


def of_gammas(p, q):
    """By the gamma and digamma functions."""
    first = q.concentration * ops.log(p.rate / q.rate) + lgamma(q.concentration) - lgamma(p.concentration)
    return first + (p.concentration - q.concentration) * digamma(p.concentration) + (q.rate - p.rate) * (p.concentration / p.rate)


def of_betas(p, q):
    """By the gamma and digamma functions."""
    sum_p, sum_q = p.concentration1 + p.concentration0, q.concentration1 + q.concentration0
    first = lgamma(q.concentration1) + lgamma(q.concentration0) + lgamma(sum_p)
    second = lgamma(p.concentration1) + lgamma(p.concentration0) + lgamma(sum_q)
    third = (p.concentration1 - q.concentration1) * digamma(p.concentration1) + (p.concentration0 - q.concentration0) * digamma(p.concentration0)
    return first - second + third + (sum_q - sum_p) * digamma(sum_p)


def of_dirichlets(p, q):
    """By the gamma and digamma functions."""
    a, b = p.concentration, q.concentration
    total = ops.sum(a, -1)
    constant = lgamma(total) - lgamma(ops.sum(b, -1)) - ops.sum(lgamma(a) - lgamma(b), -1)
    return constant + ops.sum((a - b) * (digamma(a) - digamma(total).expand_dims(-1)), -1)


def of_multivariate_normals(p, q):
    """Half of the log ratio of the determinants, the trace and the distance, less the size."""
    size = p.event_shape[0]
    columns = [solved(q.scale_tril, p.scale_tril[..., i]) for i in range(size)]
    trace = ops.sum(ops.square(ops.stack(columns, -1)), (-2, -1))
    distance = ops.sum(ops.square(solved(q.scale_tril, q.loc - p.loc)), -1)
    return q._log_determinant() - p._log_determinant() + 0.5 * (trace + distance - size)


def of_independents(p, q):
    """The sum over the axes that count as event."""
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise Refused("the divergence of Independents with different numbers of event axes is not known")
    return summed(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


#: The formulas by pair of classes; a project adds its own with `register_kl`.
FORMULAS = {
    (Normal, Normal): of_normals,
    (Laplace, Laplace): of_laplaces,
    (Exponential, Exponential): of_exponentials,
    (Uniform, Uniform): of_uniforms,
    (Bernoulli, Bernoulli): of_bernoullis,
    (Categorical, Categorical): of_categoricals,
    (OneHotCategorical, OneHotCategorical): of_one_hots,
    (Geometric, Geometric): of_geometrics,
    (Poisson, Poisson): of_poissons,
    (Gamma, Gamma): of_gammas,
    (Beta, Beta): of_betas,
    (Dirichlet, Dirichlet): of_dirichlets,
    (MultivariateNormal, MultivariateNormal): of_multivariate_normals,
    (Independent, Independent): of_independents,
}


@equivalent("torch.distributions.register_kl", "torch.distributions.kl.register_kl")
def register_kl(type_p, type_q):
    """A decorator: the function computes `kl_divergence` of the two classes."""

    def decorate(function):
        FORMULAS[type_p, type_q] = function
        return function

    return decorate


def alike(transforms, others):
    """Whether two lists of transforms do the same: the very same ones, or of one class that holds nothing (the exponential of LogNormal)."""
    if len(transforms) != len(others):
        return False
    return all(one is other or type(one) is type(other) and not {*vars(one)} - {"_cache_size", "_cached"} for one, other in zip(transforms, others))


@equivalent("torch.distributions.kl_divergence", "torch.distributions.kl.kl_divergence")
def kl_divergence(p, q):
    """The divergence of q from p, of their batch shape; Refused for pairs without a formula here.

    https://docs.pytorch.org/docs/2.13/distributions.html#torch.distributions.kl.kl_divergence
    """
    for one in type(p).__mro__:
        for other in type(q).__mro__:
            if (one, other) in FORMULAS:
                return FORMULAS[one, other](p, q)
    if hasattr(p, "transforms") and hasattr(q, "transforms") and alike(p.transforms, q.transforms) and p.event_shape == q.event_shape:
        return kl_divergence(p.base_dist, q.base_dist)
    raise Refused(f"no formula for the divergence of {type(q).__name__} from {type(p).__name__}: estimate it with p.sample() and log_prob(), or register_kl one")

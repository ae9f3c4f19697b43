"""Norms of gradients, and gradients made smaller, in `parameter.grad`; parameters as one vector."""

import math

from mindspore import Parameter, Tensor, _no_grad, ops

from mindport.declare import equivalent
from mindport.equivalents.kept_gradients import set_gradient

FOREACH = {"foreach": "chooses among torch's ways to compute the same"}


def as_list(tensors):
    """One tensor or an iterable of tensors as a list."""
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


def gradients_of(parameters):
    """The gradients that are there."""
    return [p.grad for p in as_list(parameters) if getattr(p, "grad", None) is not None]


def vector_norm(values, order):
    """The norm of all elements; of complex ones by their absolute values, which MindSpore gives as complex numbers."""
    size = ops.abs(values)
    if values.is_complex():
        size = values = ops.real(size)
    if order == math.inf:
        return ops.max(size)[0] if size.ndim else size
    if order == -math.inf:
        return ops.min(size)[0] if size.ndim else size
    if order == 2:
        return ops.sqrt(ops.sum(values * values))
    if order == 1:
        return ops.sum(size)
    if order == 0:
        return ops.sum((values != 0).astype(values.dtype))
    return ops.pow(ops.sum(ops.pow(size, order)), 1.0 / order)


@equivalent("torch.nn.utils.get_total_norm", drops=FOREACH)
def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """The norm of the norms of tensors, without a gradient, as in torch. https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.get_total_norm.html"""
    found = as_list(tensors)
    if not found:
        return Tensor(0.0)
    order = float(norm_type)
    total = vector_norm(ops.stack([vector_norm(ops.stop_gradient(value), order) for value in found]), order)
    if error_if_nonfinite and not math.isfinite(float(total)):
        raise RuntimeError(f"The total norm of order {order} for gradients from `parameters` is non-finite, so it cannot be clipped")
    return total


@equivalent("torch.nn.utils.clip_grads_with_norm_", drops=FOREACH)
def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    """Gradients times max_norm over a norm that was computed before, where that makes them smaller."""
    factor = ops.clamp(float(max_norm) / (total_norm + 1e-6), max=1.0)
    for p in as_list(parameters):
        if getattr(p, "grad", None) is not None:
            set_gradient(p, p.grad * factor.astype(p.grad.dtype))


@equivalent("torch.nn.utils.clip_grad_norm_", "torch.nn.utils.clip_grad_norm", drops=FOREACH)
def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Makes the gradients' total norm at most max_norm; the norm before is the result.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.clip_grad_norm_.html
    """
    members = as_list(parameters)
    total = get_total_norm(gradients_of(members), norm_type, error_if_nonfinite)
    clip_grads_with_norm_(members, max_norm, total)
    return total


@equivalent("torch.nn.utils.clip_grad_value_", drops=FOREACH)
def clip_grad_value_(parameters, clip_value, foreach=None):
    """Every element of the gradients between -clip_value and clip_value."""
    limit = float(clip_value)
    for p in as_list(parameters):
        if getattr(p, "grad", None) is not None:
            set_gradient(p, ops.clamp(p.grad, -limit, limit))


@equivalent("torch.nn.utils.parameters_to_vector")
def parameters_to_vector(parameters):
    """All parameters' elements one after the other."""
    return ops.cat([p.reshape(-1) for p in parameters])


@equivalent("torch.nn.utils.vector_to_parameters")
def vector_to_parameters(vec, parameters):
    """Writes a vector's elements into parameters, one after the other."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected a tensor, but got: {type(vec).__name__}")
    begin = 0
    with _no_grad():
        for p in parameters:
            value = vec[begin : begin + p.size].reshape(p.shape)
            begin += p.size
            if isinstance(p, Parameter):
                p.copy_(value.astype(p.dtype))  # ops.assign raises where p was assigned to by index
            else:
                p[...] = value

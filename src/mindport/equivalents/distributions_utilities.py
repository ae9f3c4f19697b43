"""What torch.distributions offers to distributions that a project writes itself (`torch.distributions.utils`).

https://docs.pytorch.org/docs/2.13/distributions.html
"""

from mindspore import ops

from mindport.declare import equivalent, layer
from mindport.equivalents.distributions_base import tensors_of
from mindport.equivalents.distributions_discrete import clamped


@equivalent("torch.distributions.utils._sum_rightmost")
def sum_rightmost(value, dim):
    """The sum over the last `dim` axes."""
    return value if dim == 0 else value.reshape(value.shape[:-dim] + (-1,)).sum(-1)


@equivalent("torch.distributions.utils.broadcast_all")
def broadcast_all(*values):
    """Numbers and tensors as tensors of one shape; numbers have the dtype of the first tensor, float32 where there is none."""
    return tuple(tensors_of(*values))


@equivalent("torch.distributions.utils.clamp_probs")
def clamp_probs(probs):
    """Probabilities at least eps away from 0 and 1, eps of their dtype."""
    return clamped(probs)


@equivalent("torch.distributions.utils.probs_to_logits")
def probs_to_logits(probs, is_binary=False):
    """The log odds of probabilities, or (classes along the last axis) their logarithms."""
    inside = clamped(probs)
    return ops.log(inside) - ops.log(1 - inside) if is_binary else ops.log(inside)


@equivalent("torch.distributions.utils.logits_to_probs")
def logits_to_probs(logits, is_binary=False):
    """The probabilities of log odds, or of the classes along the last axis."""
    return ops.sigmoid(logits) if is_binary else ops.softmax(logits, axis=-1)


@layer("torch.distributions.utils.lazy_property")
class LazyProperty:
    """A decorator: the method is called when the attribute is first read, and its result takes the attribute's place."""

    def __init__(self, wrapped):
        self.wrapped = wrapped
        self.__doc__ = wrapped.__doc__

    def __get__(self, instance, obj_type=None):
        if instance is None:
            return self
        value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value

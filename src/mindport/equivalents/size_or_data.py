"""The shape of something, as the only argument of torch's older constructors."""

from mindspore import Tensor


def size_or_data(owner):
    """Arguments of the constructor: the sizes of a tensor's shape, and the list that any other shape is to it."""
    return tuple(owner.shape) if isinstance(owner, Tensor) else (list(owner.shape),)

"""``copy.deepcopy`` of tensors: in torch a tensor with memory of its own.

MindSpore 2.10 copies a tensor that is no Parameter (a buffer, ``p.data``, ``p[0]``, the result of an operator) into one that shares its memory:
the copy moves when an optimizer writes, or when the tensor is changed in place (measured; docs/differences/functions.md). Parameters are copied.
"""

from mindspore import Tensor, ops


def deep_copy_as_torch():
    """Has MindSpore copy tensors into memory of their own; True."""
    plain = Tensor.__deepcopy__
    if getattr(plain, "as_torch", False):  # another converted project did it
        return True

    def copied(self, memo):
        return plain(self if self.init is not None else ops.stop_gradient(self).copy(), memo)

    copied.as_torch = True
    Tensor.__deepcopy__ = copied
    return True


DEEP_COPIES = deep_copy_as_torch()

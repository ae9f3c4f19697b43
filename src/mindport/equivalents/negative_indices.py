"""``table[index]`` where the index tensor holds negative numbers, and a gradient is taken.

MindSpore 2.10 gives the right elements, and no gradient to those that were counted from the back, silently: the gradient of
``p[Tensor([0, -1])]`` has nothing for the last row, as that of `ops.gather` (measured on CPU, PyNative; docs/differences/indexing.md).
"""

from mindspore import Tensor, ops

WHOLE = ("Int8", "Int16", "Int32", "Int64")


def from_the_front(tensor, index):
    """An index tensor that counts the first axis from the front; anything else as it is."""
    if isinstance(index, Tensor) and index.ndim and str(index.dtype) in WHOLE and tensor.ndim:
        return ops.where(index < 0, index + tensor.shape[0], index)
    return index


def negatives_as_torch():
    """Has MindSpore's tensors, where operators run one by one, count index tensors from the front before they take elements."""
    plain = Tensor._getitem_origin
    if getattr(plain, "from_the_front", False):  # another converted project did it
        return True

    def taken(self, index):
        return plain(self, from_the_front(self, index))

    vars(taken).update(vars(plain) if hasattr(plain, "__dict__") else {}, from_the_front=True)
    Tensor._getitem_origin = taken
    return True


NEGATIVES_AS_TORCH = negatives_as_torch()

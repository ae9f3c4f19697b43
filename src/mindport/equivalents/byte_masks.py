"""Indices of uint8: PyTorch takes them for masks, as it did before it had bool tensors; MindSpore raises.

https://docs.pytorch.org/docs/2.13/tensor_view.html; measured in PyNative, compiled graphs index by themselves.
"""

import mindspore as ms
from mindspore import Tensor


def as_mask(index):
    """An index whose uint8 tensors are masks; any other index as it is."""
    if isinstance(index, tuple):
        return tuple(as_mask(item) for item in index)
    return index.astype(ms.bool_) if isinstance(index, Tensor) and index.ndim and index.dtype == ms.uint8 else index


def index_by_bytes():
    """Has MindSpore's tensors take uint8 tensors with axes as masks, where they are read and where they are written."""
    plain, plain_set = Tensor._getitem_origin, Tensor._setitem_origin
    if getattr(plain_set, "takes_bytes", False):  # another converted project did it
        return True

    def taken(self, index):
        return plain(self, as_mask(index))

    def written(self, index, value):
        return plain_set(self, as_mask(index), value)

    vars(taken).update(vars(plain) if hasattr(plain, "__dict__") else {})
    vars(written).update(vars(plain_set) if hasattr(plain_set, "__dict__") else {}, takes_bytes=True)
    Tensor._getitem_origin, Tensor._setitem_origin = taken, written
    return True


BYTES_ARE_MASKS = index_by_bytes()

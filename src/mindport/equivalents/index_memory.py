"""What indexing shares with the tensor that it takes from: in torch nothing, where lists, masks and tensors with axes are among the indices.

MindSpore 2.10 remembers in every result where it was taken from (`parent_tensor_`) and writes ``p[0] = v`` back there, also
after ``p = x[[2, 0]]``. A whole number in a tensor without axes counts as a number in torch: ``x[t]`` is a view,
MindSpore's result is a copy. Measured in PyNative (docs/differences/indexing.md); compiled graphs index by themselves.
"""

import numpy as np
from mindspore import Tensor

from mindport.equivalents.indexing_steps import as_lists, index_through

WHOLE = ("Int8", "Int16", "Int32", "Int64", "UInt8")


def as_torch_counts(item):
    """An index as torch takes it: a whole number without axes is a number, an empty list takes nothing (MindSpore raises)."""
    if isinstance(item, list) and not item:
        return Tensor(np.zeros(0, np.int64))
    return int(item) if isinstance(item, Tensor) and item.ndim == 0 and str(item.dtype) in WHOLE else item


def takes_copy(item):
    """Whether an index makes the result a copy in torch."""
    return isinstance(item, (list, bool, Tensor, np.ndarray))


def take_as_torch(tensor, index, plain):
    """``tensor[index]`` into memory of its own where torch does, and into a view where torch does."""
    index = as_lists(index)
    items = index if isinstance(index, tuple) else (index,)
    counted = tuple(as_torch_counts(item) for item in items)
    copied = any(takes_copy(item) for item in counted)
    if not copied or any(isinstance(item, list) and not item for item in items):  # beside index tensors MindSpore counts numbers otherwise
        index = counted if isinstance(index, tuple) else counted[0]
    result = plain(tensor, index)
    if copied and result is not tensor:
        result.parent_tensor_ = None
        result.index_of_parent_ = None
    return result


INDEXES_AS_TORCH = index_through("memory", read=take_as_torch)

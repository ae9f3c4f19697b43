"""Ranges as indices where nothing shows that they are some: torch takes one for the list of its numbers, MindSpore raises ("Unsupported Python object type").

So it does for one without numbers, and for an empty list, which stands where another call has a range (``rewards[policy] = 0`` of ``range(n)`` or ``[]``).
"""

import numpy as np
from mindspore import Tensor

from mindport.equivalents.indexing_steps import as_lists, index_through


def takes_none(item):
    """Whether an index is an empty list."""
    return isinstance(item, list) and not item


def take_by_ranges(tensor, index, plain):
    """``tensor[index]``."""
    index = as_lists(index)
    if isinstance(index, tuple):
        return plain(tensor, tuple(Tensor(np.zeros(0, np.int64)) if takes_none(item) else item for item in index))
    return plain(tensor, Tensor(np.zeros(0, np.int64)) if takes_none(index) else index)


def put_by_ranges(tensor, index, value, plain):
    """``tensor[index] = value``; nothing is written where an index takes nothing."""
    index = as_lists(index)
    if any(takes_none(item) for item in (index if isinstance(index, tuple) else (index,))):
        return tensor
    return plain(tensor, index, value)


TAKES_RANGES = index_through("ranges", take_by_ranges, put_by_ranges)
